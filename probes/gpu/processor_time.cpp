#include "probes/gpu/processor_time.h"

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace cuvier::gpu {

std::chrono::nanoseconds time_without_processor() {
  std::chrono::nanoseconds time{};
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none)) {
    std::ifstream file(thread.path() / "schedstat");
    std::int64_t ran = 0;
    std::int64_t waited = 0;
    if (file >> ran >> waited) time += std::chrono::nanoseconds(waited);
  }
  return time;
}

}  // namespace cuvier::gpu
