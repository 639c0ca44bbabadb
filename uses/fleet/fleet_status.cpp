#include "uses/fleet/fleet_status.h"

#include <algorithm>

namespace cuvier {

int FleetStatus::not_begun() const {
  const auto begun = done + std::ssize(at_work) + std::ssize(stopped);
  return std::max(0, gpus - static_cast<int>(begun));
}

double FleetStatus::seconds_left() const {
  if (at_work.empty() || done == 0) return 0;
  return seconds * (gpus - done) / static_cast<double>(at_work.size());
}

FleetStatus status_of(const FleetFolder& folder) {
  FleetStatus status;
  for (const FleetNode& node : folder.submitted().nodes) {
    status.gpus += node.gpus;
    if (folder.reached(node.name) >= node.gpus) continue;
    for (std::string& why : folder.could_not_open(node.name)) {
      status.stopped.push_back({node.name, std::move(why)});
    }
  }
  folder.each_gpu([&](GpuResult&& gpu) {
    if (gpu.stage == FleetStage::done) {
      ++status.done;
      status.seconds += (gpu.seconds - status.seconds) / status.done;
    } else if (GpuLock::is_held(folder.gpu(gpu.id))) {
      status.at_work.push_back(gpu.id);
    } else {
      status.stopped.push_back({gpu.id, gpu.failed.empty() ? "its task was ended" : gpu.failed});
    }
  });
  std::ranges::sort(status.at_work);
  std::ranges::sort(status.stopped, {}, &FleetStatus::Stopped::gpu);
  return status;
}

}  // namespace cuvier
