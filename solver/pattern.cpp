#include "solver/pattern.h"

#include <algorithm>
#include <array>

#include "solver/finding.h"

namespace cuvier {
namespace {

const Kernel& kernel_of(const FactOfRecording& at) {
  return at.recording->probe.kernels[at.fact->kernel];
}

struct Property {
  std::string_view name;
  int (*of)(const FactOfRecording& at);
};

/// In the order in which they are preferred.
constexpr std::array properties{
    Property{"blocks of the kernel",
             [](const FactOfRecording& at) { return kernel_of(at).blocks; }},
    Property{"threads per block", [](const FactOfRecording& at) { return kernel_of(at).threads; }},
    Property{"registers per thread",
             [](const FactOfRecording& at) { return kernel_of(at).registers; }},
    Property{"bytes of shared memory",
             [](const FactOfRecording& at) { return kernel_of(at).shared; }},
    Property{"bytes of local memory",
             [](const FactOfRecording& at) { return kernel_of(at).local; }},
    Property{"priority", [](const FactOfRecording& at) { return kernel_of(at).priority; }},
    Property{"kernels in the probe",
             [](const FactOfRecording& at) {
               return static_cast<int>(at.recording->probe.kernels.size());
             }},
    Property{"steps into the script", [](const FactOfRecording& at) { return at.fact->step; }},
};

}  // namespace

std::optional<Pattern> pattern_of(const std::vector<FactOfRecording>& wrong,
                                  const std::vector<FactOfRecording>& right) {
  std::optional<Pattern> best;
  if (wrong.size() < 2 || right.empty()) return best;
  for (const Property& property : properties) {
    const auto [least, most] = std::ranges::minmax(wrong, {}, property.of);
    for (const bool at_least : {true, false}) {
      const int threshold = property.of(at_least ? least : most);
      const auto here = std::ranges::count_if(right, [&](const FactOfRecording& at) {
        return at_least ? property.of(at) >= threshold : property.of(at) <= threshold;
      });
      if (best && here >= best->right_here) continue;
      best = Pattern{property.name,
                     at_least,
                     threshold,
                     static_cast<int>(wrong.size()),
                     static_cast<int>(here),
                     static_cast<int>(right.size())};
    }
  }
  if (2 * best->right_here >= best->right) return std::nullopt;
  return best;
}

std::optional<Pattern> pattern_in(const std::vector<RecordingSet>& sets,
                                  const std::vector<Mismatch>& wrong) {
  std::vector<FactOfRecording> wrong_ones;
  std::vector<FactOfRecording> right_ones;
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
          wrong_ones.push_back({&recording, &fact});
        } else if (is_of_kind) {
          right_ones.push_back({&recording, &fact});
        }
      }
    }
  }
  return pattern_of(wrong_ones, right_ones);
}

}  // namespace cuvier
