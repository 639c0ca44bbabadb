#include "solver/finding/pattern.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ranges>
#include <set>
#include <utility>

#include "hypotheses/scheduler/choice_keys.h"
#include "probes/family.h"
#include "solver/finding/quantities.h"

namespace cuvier {
namespace {

const Kernel& kernel_of(const FactOfRecording& at) {
  return at.recording->probe.kernels[at.fact->kernel];
}

/// What is so of the moment, whatever the kernel.
struct Circumstance {
  std::string_view name;
  int (*of)(const FactOfRecording& at);
};

int launched_before(const FactOfRecording& at) {
  const auto& script = at.recording->probe.script;
  const auto end = script.begin() + std::max(at.fact->step, 0);
  return static_cast<int>(
      std::count_if(script.begin(), end, [](const Action& a) { return a.launch.has_value(); }));
}

constexpr std::array circumstances{
    Circumstance{"kernels in the probe",
                 [](const FactOfRecording& at) {
                   return static_cast<int>(at.recording->probe.kernels.size());
                 }},
    Circumstance{"kernels launched before", launched_before},
    Circumstance{"steps into the script", [](const FactOfRecording& at) { return at.fact->step; }},
    Circumstance{"probes before it in its session",
                 [](const FactOfRecording& at) { return at.before; }},
};

/// The most, or the least, that any kernel has which was launched by then.
int so_far(const Quantity& quantity, const FactOfRecording& at, bool most) {
  int value = quantity.of(kernel_of(at));
  const auto& script = at.recording->probe.script;
  for (int step = 0; step <= at.fact->step; ++step) {
    if (!script[step].launch) continue;
    const int other = quantity.of(at.recording->probe.kernels[*script[step].launch]);
    value = most ? std::max(value, other) : std::min(value, other);
  }
  return value;
}

/// Whether something of a hypothesis's hidden state is as one probe left it when the next begins.
bool outlives_probes(const Hypothesis& hypothesis) {
  return PointerReset::may_survive(hypothesis.get<PointerReset>()) ||
         ConfigChange::is_remembered(hypothesis.get<ConfigChange>()) ||
         (CursorReset::may_survive(hypothesis.get<CursorReset>()) &&
          has_cursor(hypothesis.get<Selection>()));
}

/// The best of a property on each side of a threshold, if it is better than what there is.
void consider(std::optional<Pattern>& best, const FactsToldApart& facts, Pattern pattern,
              const auto& value) {
  const auto [least, most] = std::ranges::minmax(facts.wrong, {}, value);
  pattern.threshold = value(pattern.at_least ? least : most);
  pattern.right_here = static_cast<int>(std::ranges::count_if(facts.right, [&](const auto& at) {
    return pattern.at_least ? value(at) >= pattern.threshold : value(at) <= pattern.threshold;
  }));
  if (!best || pattern.right_here < best->right_here) best = pattern;
}

}  // namespace

FactsToldApart told_apart(const std::vector<RecordingSet>& sets, const Hypothesis& hypothesis,
                          const std::vector<Mismatch>& wrong) {
  FactsToldApart facts;
  const auto is_wrong = [&](const Recording& recording, const Fact& fact) {
    return std::ranges::any_of(wrong, [&](const Mismatch& mismatch) {
      return mismatch.recording == recording.name() && mismatch.where == recording.where &&
             mismatch.fact == fact;
    });
  };
  const auto is_of_kind = [&](const Fact& fact) {
    return std::ranges::any_of(
        wrong, [&](const Mismatch& mismatch) { return mismatch.fact.kind == fact.kind; });
  };
  for (const RecordingSet& set : sets) {
    int before = -1;
    bool parted = false;  // from what the hypothesis says
    for (const Recording& recording : set.recordings) {
      before = recording.fresh ? 0 : before + 1;
      if (recording.fresh || !outlives_probes(hypothesis)) parted = false;
      for (const Fact& fact : recording.facts) {
        if (parted) break;
        parted = is_wrong(recording, fact);
        if (parted) {
          facts.wrong.push_back({&recording, &fact, before});
        } else if (is_of_kind(fact)) {
          facts.right.push_back({&recording, &fact, before});
        }
      }
    }
  }
  return facts;
}

std::optional<Pattern> pattern_of(const FactsToldApart& facts) {
  std::optional<Pattern> best;
  constexpr std::size_t fewest = 3;  // two have something in common as a rule
  if (facts.wrong.size() < fewest || facts.right.empty()) return best;
  Pattern pattern;
  pattern.wrong = static_cast<int>(facts.wrong.size());
  pattern.right = static_cast<int>(facts.right.size());
  for (const bool at_least : {true, false}) {
    pattern.at_least = at_least;
    for (const Quantity& quantity : kernel_quantities()) {
      pattern.property = quantity.name;
      pattern.field = quantity.field;
      consider(best, facts, pattern,
               [&](const FactOfRecording& at) { return quantity.of(kernel_of(at)); });
    }
    pattern.field = nullptr;
    for (const Circumstance& circumstance : circumstances) {
      pattern.property = circumstance.name;
      consider(best, facts, pattern, circumstance.of);
    }
    pattern.so_far = true;
    for (const Quantity& quantity : kernel_quantities()) {
      pattern.property = quantity.name;
      consider(best, facts, pattern,
               [&](const FactOfRecording& at) { return so_far(quantity, at, at_least); });
    }
    pattern.so_far = false;
  }
  if (2 * best->right_here >= best->right) return std::nullopt;
  return best;
}

std::vector<Probe> halving(const Pattern& pattern, const FactsToldApart& facts,
                           const Device& device) {
  if (!pattern.field) return {};
  const auto value = [&](const FactOfRecording& at) { return kernel_of(at).*pattern.field; };
  const auto distance = [&](int other) { return std::abs(other - pattern.threshold); };
  std::set<int> beyond;  // distances of right values
  for (const FactOfRecording& at : facts.right) {
    const int right = value(at);
    if (pattern.at_least ? right < pattern.threshold : right > pattern.threshold) {
      beyond.insert(distance(right));
    }
  }
  std::vector<FactOfRecording> wrong = facts.wrong;
  std::ranges::stable_sort(wrong, {},
                           [&](const FactOfRecording& at) { return distance(value(at)); });
  std::vector<Probe> probes;
  for (const int right : beyond | std::views::take(2)) {
    if (right < 2) continue;
    for (const FactOfRecording& at : wrong) {
      Kernel kernel = kernel_of(at);
      kernel.*pattern.field = pattern.threshold + (pattern.at_least ? -right : right) / 2;
      auto probe = with_kernel(at.recording->probe, at.fact->kernel, std::move(kernel), device);
      if (probe) probes.push_back(*std::move(probe));
    }
  }
  return probes;
}

}  // namespace cuvier
