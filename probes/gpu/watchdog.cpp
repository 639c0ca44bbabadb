#include "probes/gpu/watchdog.h"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "probes/gpu/failure.h"

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

void end_without_reader() {
  std::thread([] {
    pollfd output{STDOUT_FILENO, 0, 0};  // what is looked for here is reported unasked
    for (;;) {
      const int changed = ::poll(&output, 1, -1);
      if (changed > 0 && (output.revents & POLLNVAL) != 0) return;
      if (changed > 0 && (output.revents & (POLLERR | POLLHUP)) != 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
    // Not in order: another thread may be in a call that does not return, and the driver takes
    // from the GPU what a process leaves there.
    std::fputs("cuvier-gpu: nobody reads the answers any more; the process ends\n", stderr);
    std::_Exit(exit_lost);
  }).detach();
}

}  // namespace cuvier::gpu
