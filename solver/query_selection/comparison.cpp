#include "solver/query_selection/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "probes/family.h"
#include "solver/cancellation/task.h"
#include "solver/proof/equivalence.h"
#include "solver/query_selection/formula_numbers.h"
#include "solver/query_selection/random_distinction.h"

namespace cuvier {
namespace {

using Clock = std::chrono::steady_clock;

// Where there is a difference, the families mostly show it within this time; a proof that
// there is none takes about as long.
constexpr double kSecondsBeforeProof = 1.5;
constexpr int kDrawsOfEach = 2;
constexpr int kMutationsOfNear = 12;
constexpr int kMostNear = 16;

// An estimate takes as long as hundreds of probes that are looked at.
constexpr int kMostEstimates = 12;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The probe up to the step, without the kernels that only later steps launch.
Probe cut_after(const Probe& probe, int step) {
  Probe cut = probe;
  cut.script.resize(step + 1);
  return with_kernels(cut, launched_in(cut));
}

/// How many of the probe's first steps have one outcome under both.
int certain_steps(const Simulator& a, const Simulator& b, const Probe& probe) {
  return std::min(steps_of_one_outcome(a.device(), a.hypothesis(), probe),
                  steps_of_one_outcome(b.device(), b.hypothesis(), probe));
}

/// Where these observations first part, of those steps.
std::optional<Parting> parting_within(int steps, Observation a, Observation b,
                                      const std::vector<std::string>& channels) {
  a.steps.resize(steps);
  b.steps.resize(steps);
  return first_parting(seen_through(channels, std::move(a)), seen_through(channels, std::move(b)));
}

/// Before the first large grid these are alike, and of that all is open.
bool differ_in_batches_alone(const Hypothesis& a, const Hypothesis& b) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (a.values[axis] != b.values[axis] && axis_info(axis).part != Part::batches) return false;
  }
  return true;
}

/// Looks for a probe on which two hypotheses differ: draws of every family, and mutations of
/// those on which only hidden channels differed, since what is hidden may yet come to light.
class PairSearch {
 public:
  PairSearch(const Device& device, const Hypothesis& a, const Hypothesis& b,
             const ComparisonOptions& options)
      : device_(device),
        a_(device, a),
        b_(device, b),
        options_(options),
        rng_(options.seed),
        numbers_({a, b}),
        only_by_chance_((leaves_open(a) || leaves_open(b)) && differ_in_batches_alone(a, b)) {}

  std::optional<Distinction> round() {
    for (const ProbeFamily& family : probe_families(device_)) {
      for (int i = 0; i < kDrawsOfEach; ++i) {
        Probe probe = family.draw(device_, rng_);
        if (!numbers_.empty() && uniform(rng_, 0, 1) == 0) {
          probe = numbers_.put_into(std::move(probe), device_, rng_);
        }
        if (auto found = consider(std::move(probe), family.name)) return found;
      }
    }
    for (int i = 0; i < kMutationsOfNear && !near_.empty(); ++i) {
      const Near& near = near_[uniform(rng_, 0, static_cast<int>(near_.size()) - 1)];
      const std::string family = near.family;  // consider() may replace what is near
      Probe probe = mutate(near.probe, device_, rng_);
      for (int more = uniform(rng_, 0, 2); more > 0; --more) probe = mutate(probe, device_, rng_);
      if (auto found = consider(std::move(probe), family)) {
        found->why = "mutated " + found->why;
        return found;
      }
    }
    return std::nullopt;
  }

  /// What the probe shows, if they differ on it.
  std::optional<Distinction> consider(Probe probe, std::string_view family) {
    ++tried_;
    const Observation a = a_.preview(probe);
    const Observation b = b_.preview(probe);
    std::optional<Parting> parting;
    if (a != b) parting = parting_within(certain_steps(a_, b_, probe), a, b, options_.channels);
    if (!parting) estimate(probe, family);
    if (a == b) return std::nullopt;
    if (!parting) {
      remember({std::move(probe), std::string(family)});
      return std::nullopt;
    }
    return distinction(cut_after(probe, parting->step), family);
  }

  int tried() const { return tried_; }

  /// What is likeliest to show a difference, where nothing is certain to.
  const std::optional<Distinction>& by_chance() const { return by_chance_; }

  /// Nothing is certain to where both leave open all in which they differ.
  bool is_settled() const { return by_chance_ && only_by_chance_ && estimates_ >= kMostEstimates; }

 private:
  struct Near {
    Probe probe;
    std::string family;
  };

  Distinction distinction(Probe probe, std::string_view family) {
    Observation a = seen_through(options_.channels, a_.preview(probe));
    Observation b = seen_through(options_.channels, b_.preview(probe));
    const Parting parting =
        parting_within(certain_steps(a_, b_, probe), a, b, options_.channels).value();
    return {std::move(probe), std::move(a), std::move(b), parting, std::string(family)};
  }

  /// Keeps it if it is the likeliest so far to tell which is true, whichever is.
  void estimate(const Probe& probe, std::string_view family) {
    const int actions = static_cast<int>(probe.script.size());
    const bool is_open = certain_steps(a_, b_, probe) < actions;
    if (!is_open || estimates_ >= kMostEstimates) return;
    const auto chance_for = [&](const Probe& candidate) {
      return chance_of(a_, b_, candidate, options_.channels);
    };
    auto chance = chance_for(probe);
    if (!chance) return;
    ++estimates_;
    Probe cut = cut_after(probe, first_parting(chance->a, chance->b).value().step);
    if (cut != probe) chance = chance_for(cut);
    if (!chance) return;
    if (by_chance_ && chance->likelihood.telling() <= by_chance_->likelihood->telling()) return;
    const Parting parting = first_parting(chance->a, chance->b).value();
    by_chance_ = Distinction{std::move(cut), std::move(chance->a), std::move(chance->b),
                             parting,        std::string(family),  chance->likelihood};
  }

  void remember(Near near) {
    if (near_.size() < kMostNear) {
      near_.push_back(std::move(near));
    } else {
      near_[uniform(rng_, 0, kMostNear - 1)] = std::move(near);
    }
  }

  const Device& device_;
  Simulator a_;
  Simulator b_;
  const ComparisonOptions& options_;
  Rng rng_;
  const FormulaNumbers numbers_;
  std::vector<Near> near_;
  int tried_ = 0;
  const bool only_by_chance_;
  int estimates_ = 0;
  std::optional<Distinction> by_chance_;
};

/// The SM of each block that starts in the step, by kernel and block.
std::map<std::pair<int, int>, int> placements(const Step& step) {
  std::map<std::pair<int, int>, int> sms;
  for (const Started& started : step.started) {
    for (std::size_t i = 0; i < started.block.size(); ++i) {
      sms[{started.kernel, started.block[i]}] = started.sm[i];
    }
  }
  return sms;
}

std::optional<Parting> placed_differently(int s, const Step& a, const Step& b) {
  auto sms_a = placements(a);
  auto sms_b = placements(b);
  for (const auto& [block, sm] : sms_a) sms_b.try_emplace(block, -1);
  for (const auto& [block, sm] : sms_b) sms_a.try_emplace(block, -1);
  const auto [in_a, in_b] = std::ranges::mismatch(sms_a, sms_b);
  if (in_a == sms_a.end()) return std::nullopt;
  return Parting{s, in_a->first.first, in_a->first.second, in_a->second, in_b->second};
}

/// Of steps that place the same blocks on the same SMs.
std::optional<Parting> channels_differ(int s, const Step& a, const Step& b) {
  const auto [config_a, config_b] = std::ranges::mismatch(a.shared_config, b.shared_config);
  if (config_a != a.shared_config.end()) return Parting{s, config_a->first, -1, -1, -1};
  for (std::size_t k = 0; k < a.started.size(); ++k) {
    const Started& started = a.started[k];
    if (started.warp_slot == b.started[k].warp_slot) continue;
    std::size_t i = 0;
    while (std::ranges::equal(started.warp_slot[i], b.started[k].warp_slot[i])) ++i;
    return Parting{s, started.kernel, started.block[i], started.sm[i], started.sm[i]};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Parting> first_parting(const Observation& a, const Observation& b) {
  const std::size_t steps = std::min(a.steps.size(), b.steps.size());
  for (std::size_t s = 0; s < steps; ++s) {
    if (a.steps[s] == b.steps[s]) continue;  // as most are
    const int step = static_cast<int>(s);
    if (const auto parting = placed_differently(step, a.steps[s], b.steps[s])) return parting;
    if (const auto parting = channels_differ(step, a.steps[s], b.steps[s])) return parting;
  }
  return std::nullopt;
}

std::optional<Parting> first_parting(Simulator& a, Simulator& b, const Probe& probe,
                                     const std::vector<std::string>& channels) {
  return parting_within(certain_steps(a, b, probe), a.preview(probe), b.preview(probe), channels);
}

Comparison compare(const Device& device, const Hypothesis& a, const Hypothesis& b,
                   const ComparisonOptions& options, const Task& task) {
  const auto start = Clock::now();
  Comparison comparison;
  PairSearch search(device, a, b, options);
  double searched = 0;
  const auto search_until = [&](double seconds) {
    const auto begin = Clock::now();
    const double before = searched;
    while (!comparison.distinction && searched < seconds && !search.is_settled()) {
      task.doing(
          {fmt::format("searching: {} probes tried", search.tried()), searched, seconds, true});
      comparison.distinction = search.round();
      searched = before + seconds_since(begin);
    }
  };
  const auto ended_as = [&](Comparison::Kind kind) {
    comparison.kind = kind;
    comparison.seconds = seconds_since(start);
    return std::move(comparison);
  };

  const bool same_but_for_idle_axes = canonical(a) == canonical(b);
  if (!same_but_for_idle_axes) search_until(std::min(kSecondsBeforeProof, options.seconds));
  if (!comparison.distinction) comparison.distinction = search.by_chance();
  if (comparison.distinction) return ended_as(Comparison::Kind::different);

  task.doing("trying to prove that nothing tells them apart");
  SmtLimits limits = options.limits;
  limits.task = task;
  Classes classes = classify(device, {a, b}, options.channels, limits, 1, nullptr,
                             told_apart_by_families(device, options.channels));
  if (classes.complete && classes.classes.size() == 1) {
    comparison.proof = std::move(classes.proof);
    return ended_as(Comparison::Kind::equivalent);
  }

  search_until(options.seconds);
  if (comparison.distinction) return ended_as(Comparison::Kind::different);
  comparison.reason =
      fmt::format("no difference on {} probes tried; no proof: {}", search.tried(), classes.reason);
  return ended_as(classes.gave_up ? Comparison::Kind::undecided
                                  : Comparison::Kind::not_distinguished);
}

}  // namespace cuvier
