#include "probes/gpu/watchdog.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "probes/gpu/exit_codes.h"
#include "probes/gpu/time_limit.h"

namespace cuvier::gpu {
namespace {

constexpr std::chrono::seconds usual_limit{30};
constexpr std::chrono::milliseconds between_looks{50};

}  // namespace

Watchdog& Watchdog::get() {
  // Never destroyed: its thread looks until the process is gone.
  static Watchdog& watchdog = *new Watchdog();
  return watchdog;
}

Watchdog::Watchdog() : limit_(time_limit("CUVIER_GPU_WATCHDOG_S", usual_limit)) {
  std::thread([this] {
    for (;;) {
      std::this_thread::sleep_for(between_looks);
      look();
    }
  }).detach();
}

void Watchdog::look() {
  const std::lock_guard lock(mutex_);
  for (const auto& [doing, since] : under_way_) {
    if (Clock::now() - since < limit_) continue;
    std::fprintf(stderr, "cuvier-gpu: hung: could not %s within %lld s; the process ends\n",
                 doing.c_str(), static_cast<long long>(limit_.count()));
    std::fflush(stderr);
    std::_Exit(exit_hung);
  }
}

Watchdog::Watch::Watch(std::string doing) {
  Watchdog& watchdog = get();
  const std::lock_guard lock(watchdog.mutex_);
  entry_ = watchdog.under_way_.emplace(watchdog.under_way_.end(), std::move(doing), Clock::now());
}

Watchdog::Watch::~Watch() {
  Watchdog& watchdog = get();
  const std::lock_guard lock(watchdog.mutex_);
  watchdog.under_way_.erase(entry_);
}

}  // namespace cuvier::gpu
