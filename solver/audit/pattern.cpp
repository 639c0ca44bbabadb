#include "solver/audit/pattern.h"

#include <algorithm>
#include <array>

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
    Property{"step of the script", [](const FactOfRecording& at) { return at.fact->step; }},
};

}  // namespace

std::optional<Pattern> pattern_of(const std::vector<FactOfRecording>& wrong,
                                  const std::vector<FactOfRecording>& right) {
  std::optional<Pattern> best;
  if (wrong.empty() || right.empty()) return best;
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

}  // namespace cuvier
