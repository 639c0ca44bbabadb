#include "solver/check.h"

#include <fmt/format.h>

#include <chrono>

#include "probes/error.h"
#include "solver/near_miss.h"
#include "solver/sessions.h"
#include "solver/space/paths.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

VersionSpace observe(const Device& device, const Assumptions& assumptions,
                     const std::vector<const Session*>& sessions) {
  VersionSpace space(device, assumptions);
  for (const Session* session : sessions) {
    for (const Recording& recording : *session) {
      if (!space.empty()) space.observe(recording);
    }
  }
  return space;
}

/// A set of sessions that no hypothesis explains together, though it does any but one of
/// them: the last that emptied the space, and of those before it only what is needed.
std::vector<const Session*> smallest_clash(const Device& device, const Assumptions& assumptions,
                                           const std::vector<const Session*>& sessions,
                                           const std::function<void(const std::string&)>& doing) {
  std::vector<const Session*> needed{sessions.back()};
  bool clashes = observe(device, assumptions, needed).empty();
  for (std::size_t undecided = sessions.size() - 1; undecided > 0 && !clashes; --undecided) {
    doing(fmt::format("looking for the smallest clash: {} recordings to try", undecided));
    std::vector<const Session*> fewer = needed;
    for (std::size_t i = 0; i + 1 < undecided; ++i) fewer.push_back(sessions[i]);
    if (observe(device, assumptions, fewer).empty()) continue;
    needed.push_back(sessions[undecided - 1]);
    clashes = observe(device, assumptions, needed).empty();
  }
  return needed;
}

const Device& device_of(const std::vector<RecordingSet>& sets) {
  if (sets.empty()) throw Error("no recordings to check: name at least one file");
  for (const RecordingSet& set : sets) {
    if (!(set.device == sets[0].device)) {
      throw Error(fmt::format("{}: recordings of another device than {}'s ({}): check them apart",
                              set.source, sets[0].source, sets[0].device.name));
    }
  }
  return sets[0].device;
}

}  // namespace

Finding check(const std::vector<RecordingSet>& sets, const Assumptions& assumptions,
              const std::function<void(const std::string&)>& progress) {
  const auto start = std::chrono::steady_clock::now();
  Finding finding;
  finding.device = device_of(sets);
  std::vector<Session> sessions = sessions_of(sets);
  most_telling_first(sessions);

  VersionSpace space(finding.device, assumptions);
  std::vector<const Session*> observed;
  try {
    for (const Session& session : sessions) {
      observed.push_back(&session);
      for (const Recording& recording : session) {
        if (space.empty()) break;
        progress(
            fmt::format("{}: {:.4g} hypotheses left", recording.name(), space.count().remaining));
        space.observe(recording);
        ++finding.probes;
      }
      if (space.empty()) break;
    }
    finding.count = space.count();
    finding.surviving = space.surviving();
    finding.open = space.open();
    if (space.empty()) {
      finding.verdict = Verdict::refuted;
      for (const Session* session :
           smallest_clash(finding.device, assumptions, observed, progress)) {
        for (const Recording& recording : *session) {
          finding.clash.push_back(recording.name() + " (" + recording.where + ")");
        }
      }
      finding.reason = finding.clash.size() == 1
                           ? "no hypothesis explains this recording"
                           : "no hypothesis explains these recordings together";
      finding.nearest = near_miss(sets, assumptions, progress);
    } else {
      finding.mechanism = space.simplest();
      const bool single = finding.count.remaining == 1;
      finding.verdict = single ? Verdict::identified : Verdict::ambiguous;
      finding.reason = single ? "one hypothesis explains them all"
                              : "more than one hypothesis explains them all";
    }
  } catch (const GaveUp& gave_up) {
    finding.verdict = Verdict::undecided;
    finding.reason = gave_up.what();
  }
  finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return finding;
}

}  // namespace cuvier
