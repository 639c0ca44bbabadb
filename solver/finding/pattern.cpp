#include "solver/finding/pattern.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "probes/family.h"

namespace cuvier {
namespace {

const Kernel& kernel_of(const FactOfRecording& at) {
  return at.recording->probe.kernels[at.fact->kernel];
}

struct Property {
  std::string_view name;
  int Kernel::*field;
  int (*of_other)(const FactOfRecording& at) = nullptr;

  int of(const FactOfRecording& at) const { return field ? kernel_of(at).*field : of_other(at); }
};

/// In the order in which they are preferred.
constexpr std::array properties{
    Property{"blocks of the kernel", &Kernel::blocks},
    Property{"threads per block", &Kernel::threads},
    Property{"registers per thread", &Kernel::registers},
    Property{"bytes of shared memory", &Kernel::shared},
    Property{"bytes of local memory", &Kernel::local},
    Property{"priority", &Kernel::priority},
    Property{"kernels in the probe", nullptr,
             [](const FactOfRecording& at) {
               return static_cast<int>(at.recording->probe.kernels.size());
             }},
    Property{"steps into the script", nullptr,
             [](const FactOfRecording& at) { return at.fact->step; }},
};

}  // namespace

FactsToldApart told_apart(const std::vector<RecordingSet>& sets,
                          const std::vector<Mismatch>& wrong) {
  FactsToldApart facts;
  for (const RecordingSet& set : sets) {
    for (const Recording& recording : set.recordings) {
      for (const Fact& fact : recording.facts) {
        const bool is_wrong = std::ranges::any_of(wrong, [&](const Mismatch& mismatch) {
          return mismatch.recording == recording.name() && mismatch.where == recording.where &&
                 mismatch.fact == fact;
        });
        const bool is_of_kind = std::ranges::any_of(
            wrong, [&](const Mismatch& mismatch) { return mismatch.fact.kind == fact.kind; });
        if (is_wrong) {
          facts.wrong.push_back({&recording, &fact});
        } else if (is_of_kind) {
          facts.right.push_back({&recording, &fact});
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
  for (const Property& property : properties) {
    const auto value = [&](const FactOfRecording& at) { return property.of(at); };
    const auto [least, most] = std::ranges::minmax(facts.wrong, {}, value);
    for (const bool at_least : {true, false}) {
      const int threshold = value(at_least ? least : most);
      const auto here = std::ranges::count_if(facts.right, [&](const FactOfRecording& at) {
        return at_least ? value(at) >= threshold : value(at) <= threshold;
      });
      if (best && here >= best->right_here) continue;
      best = Pattern{property.name,
                     at_least,
                     threshold,
                     static_cast<int>(facts.wrong.size()),
                     static_cast<int>(here),
                     static_cast<int>(facts.right.size()),
                     property.field};
    }
  }
  if (2 * best->right_here >= best->right) return std::nullopt;
  return best;
}

std::optional<Probe> halving(const Pattern& pattern, const FactsToldApart& facts,
                             const Device& device) {
  if (!pattern.field) return std::nullopt;
  const auto value = [&](const FactOfRecording& at) { return kernel_of(at).*pattern.field; };
  std::optional<int> nearest;
  for (const FactOfRecording& at : facts.right) {
    const int right = value(at);
    const bool beyond = pattern.at_least ? right < pattern.threshold : right > pattern.threshold;
    const bool nearer = !nearest || (pattern.at_least ? right > *nearest : right < *nearest);
    if (beyond && nearer) nearest = right;
  }
  if (!nearest || std::abs(pattern.threshold - *nearest) < 2) return std::nullopt;
  const FactOfRecording& wrong = *std::ranges::find(facts.wrong, pattern.threshold, value);
  Kernel kernel = kernel_of(wrong);
  kernel.*pattern.field = std::midpoint(*nearest, pattern.threshold);
  return with_kernel(wrong.recording->probe, wrong.fact->kernel, std::move(kernel), device);
}

}  // namespace cuvier
