#include "solver/evidence/evidence_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "solver/cancellation/task.h"
#include "solver/evidence/doubt.h"

namespace cuvier {
namespace {

/// The probe, and a small kernel after it.
Probe with_a_last_launch(Probe probe, int variation) {
  Kernel last;
  last.name = "last";
  while (probe.find(last.name)) last.name += "_";
  last.blocks = 1 + variation / 3;
  last.threads = 32 * (1 + variation % 3);
  last.registers = 32;
  probe.script.push_back({static_cast<int>(probe.kernels.size()), {}});
  probe.kernels.push_back(std::move(last));
  return probe;
}

}  // namespace

EvidenceLog::EvidenceLog(Oracle& oracle, Journal& journal, const Assumptions& assumptions,
                         int repeat, Timekeeper& timekeeper, Told note, Told progress, Task task,
                         Task interruption)
    : device_(oracle.device()),
      assumptions_(assumptions),
      timekeeper_(timekeeper),
      note_(std::move(note)),
      task_(std::move(task)),
      interruption_(std::move(interruption)),
      asking_(oracle, journal, repeat, timekeeper, note_, std::move(progress)),
      space_(device_, assumptions),
      in_journal_(asking_.recorded()) {
  std::ranges::reverse(in_journal_);
}

void EvidenceLog::replay(const std::function<void(const Runs&)>& taken) {
  while (!in_journal_.empty() && !space_.empty()) {
    replay_one();
    taken(asked_.back());
  }
}

void EvidenceLog::replay_rest() {
  while (!in_journal_.empty()) replay_one();
}

void EvidenceLog::replay_one() {
  Runs runs = std::move(in_journal_.back());
  in_journal_.pop_back();
  task_.doing("reading the journal: {}", runs.probe().name);
  if (independent()) asking_.settle(runs);
  take(std::move(runs));
}

const Runs* EvidenceLog::ask(const Candidate& candidate) {
  const Probe probe = named(candidate.probe);
  task_.doing("asking {} ({})", probe.name, candidate.why);
  std::optional<Runs> runs = asking_.ask(probe, candidate);
  if (!runs) return nullptr;
  take(std::move(*runs));
  return &asked_.back();
}

void EvidenceLog::ask(const Sessions& sessions,
                      const std::function<void(const Runs&, const Candidate&)>& taken) {
  const bool is_one_probe = sessions.size() == 1 && sessions.front().size() == 1;
  if (is_one_probe || !asking_.begin_session()) {
    for (const Candidate& candidate : sessions | std::views::join) {
      if (const Runs* runs = ask(candidate)) taken(*runs, candidate);
    }
    return;
  }
  task_.doing("asking probes to confirm by");
  asking_.ask_apart(
      sessions, [this](Probe probe) { return named(std::move(probe)); },
      [&](Runs runs, const Candidate& candidate) {
        const bool goes_on = take(std::move(runs));
        taken(asked_.back(), candidate);
        if (space_.empty()) return Asking::Next::nothing;
        return goes_on ? Asking::Next::probe : Asking::Next::session;
      },
      task_);
}

bool EvidenceLog::take(Runs runs) {
  task_.doing("pruning by {}", runs.probe().name);
  const Timekeeper::Doing pruning(timekeeper_, &Spent::pruning);
  const bool refuted_before = space_.empty();
  asked_.push_back(std::move(runs));
  if (independent()) {
    prune_by(asked_.back().outcome());
    if (!refuted_before) resolve();
    return true;
  }
  if (!refuted_before) return observe_in_session(asked_.back());
  for (const Recording& run : asked_.back().all()) space_.observe(run);
  return true;
}

void EvidenceLog::prune_by(const Recording& run) {
  try {
    space_.observe(run, interruption_);
  } catch (const Stopped&) {
    asked_.pop_back();  // the journal has it
    throw;
  }
}

bool EvidenceLog::observe_in_session(const Runs& runs) {
  try {
    for (const Recording& run : runs.all()) {
      prune_by(run);
      if (space_.empty()) break;
    }
    return true;
  } catch (const GaveUp& gave_up) {
    if (space_.empty() || !asking_.begin_session()) throw;
    set_aside_.push_back(runs.probe());
    note_(fmt::format("{}: set aside until less is open: {}", runs.probe().name, gave_up.what()));
    return false;
  }
}

void EvidenceLog::resolve() {
  while (space_.empty()) {
    ++revisions_;
    if (ask_again()) continue;
    task_.doing("looking for the fewest probes to doubt");
    if (!space_.correct_further(
            [&](const Subset& doubted) { return may_be_doubted(asked_, doubted); })) {
      return;
    }
    std::string ways;
    for (const auto& correction : space_.corrections()) {
      ways += (ways.empty() ? "" : ", or ") + names(correction.without);
    }
    note_(fmt::format("nothing explains everything; doubted: {}", ways));
  }
}

/// Runs more often what clashes. Whether any of it turned out otherwise than it seemed.
bool EvidenceLog::ask_again() {
  Subset suspects;
  for (const auto& correction : space_.corrections()) {
    const auto conflict = space_.conflict(correction.without);
    suspects.insert(conflict.begin(), conflict.end());
  }
  bool changed = false;
  for (const std::size_t i : suspects) {
    Runs& runs = asked_[i];
    const int before = runs.count();
    task_.doing("{} is contradicted: asking it again", runs.probe().name);
    asking_.ask_again(runs);
    const Recording outcome = runs.outcome();
    const bool differs = outcome.facts != space_.observed()[i].facts;
    if (runs.count() > before) {
      note_(fmt::format("{}: contradicted, and run {} times more: {} of {} differ{}",
                        runs.probe().name, runs.count() - before, runs.differing(), runs.count(),
                        differs ? "; the outcome is another now" : ""));
    }
    if (differs) space_.replace(i, outcome);
    changed = changed || differs;
  }
  return changed;
}

void EvidenceLog::bring_along(Simulator& simulator) const {
  if (independent() || asking_.session_begun()) {
    bring_to_next_session(simulator);
  } else {
    replay_session(space_.observed(), simulator);
  }
}

void EvidenceLog::bring_to_next_session(Simulator& simulator) const {
  simulator.begin_session(asking_.opening().get());
}

std::vector<Probe> EvidenceLog::refused() const {
  std::vector<Probe> probes = asking_.refused();
  std::ranges::copy(asking_.cut(), std::back_inserter(probes));
  std::ranges::copy(set_aside_, std::back_inserter(probes));
  return probes;
}

std::vector<Probe> EvidenceLog::known() const {
  std::vector<Probe> probes = refused();
  for (const Runs& runs : asked_) probes.push_back(runs.probe());
  return probes;
}

std::optional<Candidate> EvidenceLog::rephrased() const {
  for (const auto& correction : space_.corrections()) {
    for (const std::size_t i : correction.without) {
      const Probe& probe = asked_[i].probe();
      const auto tried =
          times_rephrased(asked_, i) + std::ranges::count_if(refused(), [&](const Probe& other) {
            return continues(other, probe);
          });
      if (tried >= kRephrased) continue;
      return Candidate{with_a_last_launch(probe, static_cast<int>(tried)),
                       probe.name + " rephrased", 0, 0, 0};
    }
  }
  return std::nullopt;
}

std::optional<std::string> EvidenceLog::doubted_too_soon() const {
  if (!independent()) return std::nullopt;
  return cuvier::doubted_too_soon(asked_, space_.corrections());
}

/// "p8" after seven; a recording keeps its own, but that its further runs are told apart.
Probe EvidenceLog::named(Probe probe) const {
  if (asking_.answers_anything()) {
    probe.name = fmt::format("p{}", probes() + 1);
    return probe;
  }
  const std::string own = probe.name;
  const auto is_run = [&](const Runs& runs) {
    const std::string& name = runs.probe().name;
    return name == own || name.starts_with(own + "-run");
  };
  const auto has_the_name = [&](const Runs& runs) { return runs.probe().name == probe.name; };
  auto run = std::ranges::count_if(asked_, is_run);
  while (std::ranges::any_of(asked_, has_the_name)) {
    probe.name = fmt::format("{}-run{}", own, ++run);
  }
  return probe;
}

int EvidenceLog::runs() const {
  int sum = 0;
  for (const Runs& runs : asked_) sum += runs.count();
  return sum;
}

int EvidenceLog::asked_alone() const {
  return static_cast<int>(std::ranges::count_if(
      asked_, [](const Runs& runs) { return runs.probe().name.ends_with(kAlone); }));
}

std::vector<Discarded> EvidenceLog::discarded() const {
  std::vector<Discarded> discarded;
  if (!independent()) return discarded;
  const Subset& doubted = space_.corrections().front().without;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const Runs& runs = asked_[i];
    const std::string& name = runs.probe().name;
    if (doubted.contains(i)) {
      discarded.push_back({name, runs.count(), runs.count(), "contradicts the others"});
      continue;
    }
    if (const int differing = runs.differing()) {
      discarded.push_back({name, runs.count(), differing, "differs from most"});
    }
    const std::size_t settled = runs.outcome().probe.script.size();
    if (settled < runs.probe().script.size()) {
      discarded.push_back(
          {name, runs.count(), runs.count(), fmt::format("not settled from step {} on", settled)});
    }
  }
  return discarded;
}

/// What the probes show in sessions of their own; none where that can be explained or not be had.
/// The last one, which contradicted the others, comes as soon as one of these tells nothing new.
std::optional<CorrectedSpace> EvidenceLog::each_alone() {
  CorrectedSpace alone(device_, assumptions_);
  bool as_before = true;
  std::vector<const Runs*> order;
  for (const Runs& runs : asked_) order.push_back(&runs);
  const Runs* const last = order.back();
  for (auto at = order.begin(); at != order.end(); ++at) {
    task_.doing("asking {} in a session of its own", (*at)->probe().name);
    const std::optional<Recording> recording = asking_.ask_alone((*at)->probe());
    if (!recording) return std::nullopt;
    as_before = as_before && recording->facts == (*at)->all().front().facts;
    const bool tells = alone.observe(*recording);
    if (alone.empty()) return alone;
    if (!tells && order.back() == last && *at != last) {
      std::rotate(at + 1, order.end() - 1, order.end());
    }
  }
  begins_anew_ = as_before;
  note_("in sessions of their own, these probes do not contradict each other");
  return std::nullopt;
}

std::vector<std::string> EvidenceLog::clash() {
  const Timekeeper::Doing pruning(timekeeper_, &Spent::pruning);
  const bool one_session = std::ranges::count_if(space_.observed(), &Recording::fresh) <
                           static_cast<std::ptrdiff_t>(space_.observed().size());
  std::optional<CorrectedSpace> alone;
  if (one_session) alone = each_alone();
  const CorrectedSpace& space = alone ? *alone : space_;
  task_.doing("looking for what clashes");
  std::vector<std::string> names;
  const Subset conflict = space.conflict({}, task_);
  for (const std::size_t i : conflict) {
    std::string name = space.observed()[i].name();
    if (i == *conflict.rbegin()) {
      name += fmt::format(", step {}", clashing_step(space, conflict));
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

RecordingSet EvidenceLog::all_runs() const {
  RecordingSet all{{}, device_, {}};
  for (const Runs& runs : asked_) std::ranges::copy(runs.all(), std::back_inserter(all.recordings));
  return all;
}

/// The first step of the last one that is known to contradict the others. What a step contradicts
/// stays contradicted, so half of what is open is left by each that is tried. Last resorts that
/// take long to refute are asked where all others are.
std::size_t EvidenceLog::clashing_step(const CorrectedSpace& space, const Subset& conflict) const {
  const Recording& last = space.observed()[*conflict.rbegin()];
  const auto clashes = [&](int step, const Assumptions& assumptions) {
    VersionSpace left(device_, assumptions);
    try {
      for (const std::size_t i : conflict) {
        if (i != *conflict.rbegin()) left.observe(space.observed()[i], task_);
      }
      left.observe(first_steps(last, step + 1), task_);
    } catch (const GaveUp&) {
      return false;
    }
    return left.empty();
  };
  int first = 0;
  const int end = static_cast<int>(last.probe.script.size()) - 1;
  for (const Assumptions& assumptions : {assumptions_.quick_to_refute(), assumptions_}) {
    const auto steps = std::views::iota(first, end);
    const auto goes_on = [&](int step) { return !clashes(step, assumptions); };
    first += static_cast<int>(std::ranges::partition_point(steps, goes_on) - steps.begin());
    if (first == end || clashes(first, assumptions_)) break;
  }
  return static_cast<std::size_t>(first);
}

std::string EvidenceLog::names(const Subset& probes) const {
  std::vector<std::string> names;
  for (const std::size_t i : probes) names.push_back(asked_[i].probe().name);
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace cuvier
