#include "solver/minimise/kernel_survey.h"

#include <algorithm>
#include <map>

#include "hypotheses/concrete.h"
#include "hypotheses/sm_rules.h"
#include "solver/minimise/demand_classes.h"

namespace cuvier {

KernelSurvey survey_kernels(const Device& device, const Hypothesis& hypothesis) {
  KernelSurvey survey;
  const Concrete domain{hypothesis};
  std::map<int, int> needed;  // by preferred configuration: the least bytes that fill an idle SM
  const std::vector<int> shared = shared_classes(device);
  for (int threads = 32; threads <= device.max_threads_per_block; threads += 32) {
    for (const int registers : register_classes(device)) {
      Kernel kernel{"k", 1, threads, registers, 0, 0, 0, std::nullopt};
      if (!is_legal(kernel, device)) continue;
      const Profile by_warps = warp_profile(device, hypothesis, kernel);
      for (const int bytes_asked : shared) {
        kernel.shared = bytes_asked;
        const OnKernel on{device, kernel};
        const int in_shared = blocks_in_shared(device, hypothesis, kernel);
        if (by_warps.empty() || in_shared == 0) {
          survey.all_fit = false;
          continue;
        }
        const int most = std::min(device.max_blocks_per_sm, by_warps[0]);
        const int room = std::min(most, in_shared);
        if (by_warps.size() > 1 && in_shared > 1 &&
            std::min({device.max_blocks_per_sm - 1, by_warps[1], in_shared - 1}) >= room) {
          survey.all_crowd = false;
        }
        const int bytes = evaluate(SharedBytes{on}, domain);
        const int in_largest = bytes == 0 ? unbounded_blocks : device.largest_config() / bytes;
        if (room < std::min(most, in_largest)) survey.idle_is_roomiest = false;
        const auto [least, is_new] =
            needed.try_emplace(evaluate(PreferredConfig{on}, domain), room * bytes);
        least->second = std::min(least->second, room * bytes);
      }
    }
  }
  int smaller = -1;
  for (const auto& [config, bytes] : needed) {
    if (smaller >= bytes) survey.smaller_is_scarcer = false;
    smaller = config;
  }
  return survey;
}

}  // namespace cuvier
