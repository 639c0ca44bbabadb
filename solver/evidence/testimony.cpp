#include "solver/evidence/testimony.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/ending/gave_up.h"

namespace cuvier {
namespace {

// A probe that is doubted is asked in so many other words; where this many of them are doubted
// too, it was right.
constexpr int kOtherWords = 6;
constexpr int kMostDoubtedOfThem = 2;

/// Of so many probes, how many may be doubted at most: with one in twenty always wrong, there are
/// more once in several hundred inferences.
std::size_t most_doubted(std::size_t probes) { return 2 + probes / 10; }

/// Whether a probe is another one, and more after it.
bool continues(const Probe& longer, const Probe& shorter) {
  return longer.script.size() > shorter.script.size() &&
         longer.kernels.size() >= shorter.kernels.size() &&
         std::equal(shorter.kernels.begin(), shorter.kernels.end(), longer.kernels.begin()) &&
         std::equal(shorter.script.begin(), shorter.script.end(), longer.script.begin());
}

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

Testimony::Testimony(Oracle& oracle, Journal& journal, const Assumptions& assumptions, int repeat,
                     Told note, Told doing)
    : device_(oracle.device()),
      assumptions_(assumptions),
      note_(std::move(note)),
      doing_(std::move(doing)),
      asking_(oracle, journal, repeat, note_),
      space_(device_, assumptions),
      in_journal_(asking_.recorded()) {
  std::ranges::reverse(in_journal_);
}

void Testimony::replay(const std::function<void(const Readings&)>& taken) {
  while (!in_journal_.empty() && !space_.empty()) {
    replay_one();
    taken(asked_.back());
  }
}

void Testimony::replay_rest() {
  while (!in_journal_.empty()) replay_one();
}

void Testimony::replay_one() {
  Readings readings = std::move(in_journal_.back());
  in_journal_.pop_back();
  doing_(fmt::format("reading the journal: {}", readings.probe().name));
  if (independent()) asking_.settle(readings);
  take(std::move(readings));
}

const Readings* Testimony::ask(const Probe& probe, const Candidate& candidate) {
  doing_(fmt::format("asking {} ({})", probe.name, candidate.why));
  std::optional<Readings> readings = asking_.ask(probe, candidate);
  if (!readings) return nullptr;
  take(std::move(*readings));
  return &asked_.back();
}

void Testimony::take(Readings readings) {
  doing_(fmt::format("pruning by {}", readings.probe().name));
  const bool refuted_before = space_.empty();
  asked_.push_back(std::move(readings));
  if (independent()) {
    space_.observe(asked_.back().outcome());
    if (!refuted_before) resolve();
    return;
  }
  if (refuted_before) {
    for (const Recording& reading : asked_.back().all()) space_.observe(reading);
  } else {
    observe_in_session(asked_.back());
  }
}

void Testimony::observe_in_session(const Readings& readings) {
  try {
    for (const Recording& reading : readings.all()) {
      space_.observe(reading);
      if (space_.empty()) return;
    }
  } catch (const GaveUp& gave_up) {
    if (space_.empty() || !asking_.begin_session()) throw;
    set_aside_.push_back(readings.probe());
    note_(
        fmt::format("{}: set aside until less is open: {}", readings.probe().name, gave_up.what()));
  }
}

void Testimony::resolve() {
  while (space_.empty()) {
    ++revisions_;
    if (ask_again()) continue;
    doing_("looking for the fewest probes to doubt");
    if (!space_.doubt_more([&](const auto& doubted) { return permitted(doubted); })) return;
    std::string ways;
    for (const Doubts::Alternative& alternative : space_.alternatives()) {
      ways += (ways.empty() ? "" : ", or ") + names(alternative.doubted);
    }
    note_(fmt::format("nothing explains everything; doubted: {}", ways));
  }
}

/// Reads more often what clashes. Whether any of it turned out otherwise than it seemed.
bool Testimony::ask_again() {
  Doubts::Doubted suspects;
  for (const Doubts::Alternative& alternative : space_.alternatives()) {
    const auto clash = space_.clash(alternative.doubted);
    suspects.insert(clash.begin(), clash.end());
  }
  bool changed = false;
  for (const std::size_t i : suspects) {
    Readings& readings = asked_[i];
    const int before = readings.count();
    doing_(fmt::format("{} is contradicted: asking it again", readings.probe().name));
    asking_.ask_again(readings);
    const Recording outcome = readings.outcome();
    const bool differs = outcome.facts != space_.observed()[i].facts;
    if (readings.count() > before) {
      note_(fmt::format("{}: contradicted, and read {} times more: {} of {} differ{}",
                        readings.probe().name, readings.count() - before, readings.differing(),
                        readings.count(), differs ? "; the outcome is another now" : ""));
    }
    if (differs) space_.replace(i, outcome);
    changed = changed || differs;
  }
  return changed;
}

bool Testimony::permitted(const Doubts::Doubted& doubted) const {
  if (doubted.size() > most_doubted(asked_.size())) return false;
  return std::ranges::none_of(doubted, [&](std::size_t i) {
    return std::ranges::count_if(doubted, [&](std::size_t j) {
             return continues(asked_[j].probe(), asked_[i].probe());
           }) > kMostDoubtedOfThem;
  });
}

void Testimony::bring_along(Simulator& simulator) const {
  if (independent() || asking_.session_begun()) {
    bring_to_next_session(simulator);
  } else {
    replay_session(space_.observed(), simulator);
  }
}

void Testimony::bring_to_next_session(Simulator& simulator) const {
  simulator.begin_session(asking_.opening().get());
}

std::vector<Probe> Testimony::refused() const {
  std::vector<Probe> probes = asking_.refused();
  std::ranges::copy(set_aside_, std::back_inserter(probes));
  return probes;
}

std::vector<Probe> Testimony::known() const {
  std::vector<Probe> probes = refused();
  for (const Readings& readings : asked_) probes.push_back(readings.probe());
  return probes;
}

std::optional<Candidate> Testimony::in_other_words() const {
  for (const Doubts::Alternative& alternative : space_.alternatives()) {
    for (const std::size_t i : alternative.doubted) {
      const Probe& probe = asked_[i].probe();
      const bool is_such = std::ranges::any_of(
          asked_, [&](const Readings& other) { return continues(probe, other.probe()); });
      const auto tried =
          std::ranges::count_if(
              asked_, [&](const Readings& other) { return continues(other.probe(), probe); }) +
          std::ranges::count_if(refused(),
                                [&](const Probe& other) { return continues(other, probe); });
      if (is_such || tried >= kOtherWords) continue;
      return Candidate{with_a_last_launch(probe, static_cast<int>(tried)),
                       probe.name + " in other words", 0, 0, 0};
    }
  }
  return std::nullopt;
}

std::string Testimony::next_name() const { return fmt::format("p{}", probes() + 1); }

int Testimony::readings() const {
  int sum = 0;
  for (const Readings& readings : asked_) sum += readings.count();
  return sum;
}

std::vector<Discarded> Testimony::discarded() const {
  std::vector<Discarded> discarded;
  if (!independent()) return discarded;
  const Doubts::Doubted& doubted = space_.alternatives().front().doubted;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const Readings& readings = asked_[i];
    const std::string& name = readings.probe().name;
    if (doubted.contains(i)) {
      discarded.push_back({name, readings.count(), readings.count(), "contradicts the others"});
      continue;
    }
    if (const int differing = readings.differing()) {
      discarded.push_back({name, readings.count(), differing, "differs from most"});
    }
    const std::size_t settled = readings.outcome().probe.script.size();
    if (settled < readings.probe().script.size()) {
      discarded.push_back({name, readings.count(), readings.count(),
                           fmt::format("not settled from step {} on", settled)});
    }
  }
  return discarded;
}

/// What the probes show in sessions of their own; none where that can be explained or not be had.
std::optional<Doubts> Testimony::each_alone() {
  Doubts alone(device_, assumptions_);
  for (const Readings& readings : asked_) {
    doing_(fmt::format("asking {} in a session of its own", readings.probe().name));
    const std::optional<Recording> recording = asking_.ask_alone(readings.probe());
    if (!recording) return std::nullopt;
    alone.observe(*recording);
    if (alone.empty()) return alone;
  }
  note_("in sessions of their own, these probes do not contradict each other");
  return std::nullopt;
}

std::vector<std::string> Testimony::clash() {
  const bool one_session = std::ranges::count_if(space_.observed(), &Recording::fresh) <
                           static_cast<std::ptrdiff_t>(space_.observed().size());
  std::optional<Doubts> alone;
  if (one_session) alone = each_alone();
  const Doubts& space = alone ? *alone : space_;
  doing_("looking for what clashes");
  std::vector<std::string> names;
  const Subset clash = space.clash();
  for (const std::size_t i : clash) {
    std::string name = space.observed()[i].name();
    if (i == *clash.rbegin()) name += fmt::format(", step {}", clashing_step(space, clash));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

/// The first step of the last one that nothing explains beside the others.
std::size_t Testimony::clashing_step(const Doubts& space, const Subset& clash) const {
  const Recording& last = space.observed()[*clash.rbegin()];
  for (std::size_t step = 0; step + 1 < last.probe.script.size(); ++step) {
    VersionSpace left(device_, assumptions_);
    for (const std::size_t i : clash) {
      if (i != *clash.rbegin()) left.observe(space.observed()[i]);
    }
    Recording begun = last;
    begun.probe.script.resize(step + 1);
    std::erase_if(begun.facts, [&](const Fact& fact) {
      return fact.step > static_cast<int>(step) || fact.kind == Fact::Kind::shared_config;
    });
    left.observe(begun);
    if (left.empty()) return step;
  }
  return last.probe.script.size() - 1;
}

std::string Testimony::names(const Doubts::Doubted& probes) const {
  std::vector<std::string> names;
  for (const std::size_t i : probes) names.push_back(asked_[i].probe().name);
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace cuvier
