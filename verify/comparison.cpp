#include "verify/comparison.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuvier::verify {

std::string where_they_part(const Device& device, const std::vector<Mechanism>& hypotheses,
                            const std::vector<int>& order,
                            const std::vector<const Recording*>& recordings,
                            std::mt19937_64& random, const std::function<void()>& still) {
  if (recordings.empty()) return {};
  const auto any = [&]() -> const Probe& {
    return recordings[random() % recordings.size()]->probe;
  };
  const auto drawn = [&] {
    Probe probe = any();
    for (Kernel& kernel : probe.kernels) {
      const Probe& other = any();
      if (other.kernels.empty() || random() % 2 == 0) continue;
      Kernel varied = other.kernels[random() % other.kernels.size()];
      if (varied.cluster != kernel.cluster) continue;
      varied.name = kernel.name;
      varied.blocks = kernel.blocks;
      varied.stream = kernel.stream;
      if (illegal(varied, device).empty()) kernel = varied;
    }
    return probe;
  };
  std::vector<const Recording*> opened;
  std::ranges::copy_if(recordings, std::back_inserter(opened),
                       [](const Recording* each) { return each->opening != nullptr; });
  for (int session = 0; session < compared_sessions; ++session) {
    std::vector<Probe> probes = {drawn()};
    std::shared_ptr<const Opening> opening;
    if (opened.empty()) {
      probes.push_back(drawn());
    } else {
      opening = opened[random() % opened.size()]->opening;
      // A device frees blocks one by one, and each may let one in that waits.
      auto& script = probes.front().script;
      script.erase(std::ranges::find_if(script, &Action::releases_several), script.end());
    }
    std::vector<Step> first;
    for (const Mechanism& hypothesis : hypotheses) {
      if (still) still();
      Left left(device, Space(hypothesis), order);
      std::vector<Step> steps;
      for (const Probe& probe : probes) {
        std::ranges::copy(left.run(probe, steps.empty() ? opening : nullptr),
                          std::back_inserter(steps));
      }
      for (Step& step : steps) {
        for (auto& blocks : step) {
          // How their warps go does not always show.
          for (Seen& seen : blocks) seen.subpartitions.clear();
        }
      }
      if (first.empty()) first = steps;
      if (steps == first) continue;
      return fmt::format("{}{}, with needs of other kernels", probes.front().name,
                         opening ? "" : " and then " + probes.back().name);
    }
  }
  return {};
}

}  // namespace cuvier::verify
