#include "solver/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "hypotheses/simulator.h"
#include "probes/an_error.h"
#include "probes/mapped.h"
#include "solver/cancellation/task.h"
#include "solver/conflicts/conflicts.h"
#include "solver/diagnosis/near_miss.h"
#include "solver/diagnosis/other_maps.h"
#include "solver/finding/mismatches.h"
#include "solver/proof/equivalence.h"
#include "solver/query_selection/random_distinction.h"
#include "solver/space/contradiction.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

/// Of sessions that no hypothesis explains together, though it does all but the last: a minimal
/// conflict, that one first.
std::vector<const Session*> conflict_of(const Device& device, const Assumptions& assumptions,
                                        const std::vector<const Session*>& sessions,
                                        const Task& task) {
  task.doing("looking for a minimal clash");
  std::vector<const Session*> last_first{sessions.back()};
  last_first.insert(last_first.end(), sessions.begin(), sessions.end() - 1);
  // Fewer sessions tell less: of some it may be undecided whether they clash. They count as not.
  const auto clash = [&](const std::vector<const Session*>& some) -> std::optional<Subset> {
    try {
      return contradiction(device, assumptions, some, task);
    } catch (const GaveUp&) {
      return std::nullopt;
    }
  };
  const auto clashing = clash(last_first);
  if (!clashing) return last_first;
  const auto session = [&](std::size_t i) { return last_first[i]; };
  const Subset conflict = minimal_conflict(*clashing, [&](const Subset& subset) {
    task.doing("looking for a minimal clash among {} sessions", subset.size() + 1);
    return clash(mapped(subset, session)).has_value();
  });
  return mapped(conflict, session);
}

/// Why it ended early, and when.
std::string looked_at_words(const std::string& why, int looked_at, const Finding& finding) {
  return fmt::format("{}: {} of {} recording{} looked at", why, looked_at, finding.probes,
                     finding.probes == 1 ? "" : "s");
}

/// What the recordings show beside the SM of each block.
std::vector<std::string> channels_of(const std::vector<Session>& sessions) {
  bool slots = false;
  bool configs = false;
  for (const Session& session : sessions) {
    for (const Recording& recording : session) {
      for (const Fact& fact : recording.facts) {
        slots = slots || fact.kind == Fact::Kind::warp_slot;
        configs = configs || fact.kind == Fact::Kind::shared_config;
      }
    }
  }
  std::vector<std::string> channels;
  if (slots) channels.push_back("warp_slot");
  if (configs) channels.push_back("shared_config");
  return channels;
}

/// Where several hypotheses explain everything: whether they are one behaviour, as far as that is
/// proved within seconds.
void compare_left(const VersionSpace& space, const std::vector<std::string>& channels,
                  Finding& finding, const Task& task) {
  constexpr int most_compared = 1'000;
  finding.reason = "more than one hypothesis explains them all";
  const auto members = space.members(most_compared);
  if (!members) {
    if (finding.count.remaining == 1) {
      finding.reason = "more than one order of the SMs explains them all";
    } else {
      finding.reason += "; they were not compared with each other: too many are left";
    }
    return;
  }
  task.doing("proving that {} hypotheses are one behaviour", members->size());
  const SmtLimits few_seconds{.seconds = 2, .task = task};
  Classes classes = classify(finding.device, *members, channels, few_seconds, 1, nullptr,
                             told_apart_by_families(finding.device, channels));
  if (classes.gave_up) task.still();
  if (classes.classes.size() > 1 || !classes.complete) {
    finding.reason +=
        fmt::format("; not proved within seconds to be one behaviour: {}", classes.reason);
    return;
  }
  finding.verdict = Verdict::identified;
  finding.reason = fmt::format("one behaviour explains them all: {} hypotheses, proved equivalent",
                               members->size());
  finding.behaviours = 1;
  finding.proof = std::move(classes.proof);
}

const Device& device_of(const std::vector<RecordingSet>& sets) {
  if (sets.empty()) throw Error("no recordings to check: name at least one file");
  for (const RecordingSet& set : sets) {
    if (!(set.device == sets[0].device)) {
      throw an_error("{}: recordings of another device than {}'s ({}): check them apart",
                     set.source, sets[0].source, sets[0].device.name);
    }
  }
  return sets[0].device;
}

}  // namespace

Finding check(const std::vector<RecordingSet>& sets, const Assumptions& assumptions,
              const Task& task) {
  const auto start = std::chrono::steady_clock::now();
  Finding finding;
  finding.device = device_of(sets);
  finding.assumed = assumptions;
  std::vector<Session> sessions = sessions_of(sets);
  most_telling_first(sessions);

  for (const Session& session : sessions) finding.probes += static_cast<int>(session.size());
  finding.channels = channels_of(sessions);
  VersionSpace space(finding.device, assumptions);
  std::vector<const Session*> observed;
  int taken = 0;
  const auto tell_what_is_left = [&] {
    finding.count = space.count();
    finding.surviving = space.surviving();
    finding.open = space.open();
    finding.verdict = space.empty() ? Verdict::refuted : Verdict::ambiguous;
    if (!space.empty()) finding.mechanism = space.simplest();
  };
  try {
    for (const Session& session : sessions) {
      observed.push_back(&session);
      for (const Recording& recording : session) {
        if (space.empty()) break;
        const std::string left =
            fmt::format("{}: {:.4g} hypotheses left", recording.name(), space.count().remaining);
        int ways = 0;
        space.observe(recording, task.retold([&](const Doing&) {
          return Doing{ways++ == 0 ? left : fmt::format("{}, way {} to explain it", left, ways),
                       taken, finding.probes};
        }));
        ++taken;
      }
      if (space.empty()) break;
    }
    tell_what_is_left();
    if (space.empty()) {
      for (const Session* session : conflict_of(finding.device, assumptions, observed, task)) {
        for (const Recording& recording : *session) {
          finding.clash.push_back(recording.name() + " (" + recording.where + ")");
        }
      }
      finding.reason = finding.clash.size() == 1
                           ? "no hypothesis explains this recording"
                           : "no hypothesis explains these recordings together";
      tell_nearest(finding, near_miss(sets, assumptions, task));
    } else if (finding.probes == 0) {
      finding.reason = nothing_recorded;
    } else if (finding.count.remaining == 1 && space.is_one()) {
      finding.verdict = Verdict::identified;
      finding.reason = "one hypothesis explains them all";
    } else {
      compare_left(space, finding.channels, finding, task);
    }
    finding.maps = other_maps(finding, sets, task);
  } catch (const GaveUp& gave_up) {
    tell_what_is_left();
    finding.verdict = Verdict::undecided;
    finding.reason = gave_up.what();
  } catch (const Stopped& cut_short) {
    tell_what_is_left();
    finding.reason = space.empty() ? "no hypothesis explains the recordings together; which of "
                                     "them clash is not known: " +
                                         cut_short.why
                                   : looked_at_words(cut_short.why, taken, finding);
  }
  finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return finding;
}

Finding check(const std::vector<RecordingSet>& sets, const Hypothesis& hypothesis,
              const Task& task) {
  const auto start = std::chrono::steady_clock::now();
  Finding finding;
  std::size_t facts = 0;
  for (const RecordingSet& set : sets) {
    finding.device = set.device;
    finding.probes += static_cast<int>(set.recordings.size());
  }
  int looked_at = 0;
  std::string cut_short;
  try {
    for (const RecordingSet& set : sets) {
      Simulator simulator(set.device, hypothesis);
      for (const Recording& recording : set.recordings) {
        task.doing({fmt::format("predicting recording {} of {}", looked_at + 1, finding.probes),
                    looked_at, finding.probes});
        std::ranges::move(mismatches(recording, simulator.replay(recording)),
                          std::back_inserter(finding.mismatches));
        ++looked_at;
        facts += recording.facts.size();
      }
    }
  } catch (const Stopped& early) {
    cut_short = early.why;
  }
  const bool explains = finding.mismatches.empty();
  finding.verdict = explains ? Verdict::identified : Verdict::refuted;
  finding.count = {1, 1, explains ? 1.0 : 0.0, true};
  if (explains) {
    finding.reason =
        facts == 1 ? "it explains the only fact" : fmt::format("it explains all {} facts", facts);
    finding.mechanism = hypothesis;
    for (int axis = 0; axis < kAxes; ++axis) finding.surviving[axis] = {hypothesis.values[axis]};
  } else {
    finding.reason = fmt::format("it gets {} of {} fact{} wrong", finding.mismatches.size(), facts,
                                 facts == 1 ? "" : "s");
  }
  if (!cut_short.empty()) {
    if (explains) finding.verdict = Verdict::ambiguous;
    const std::string ended = looked_at_words(cut_short, looked_at, finding);
    finding.reason = looked_at == 0 ? ended : fmt::format("{}; so far {}", ended, finding.reason);
  }
  if (finding.probes == 0) {
    finding.verdict = Verdict::ambiguous;
    finding.reason = nothing_recorded;
  }
  finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return finding;
}

}  // namespace cuvier
