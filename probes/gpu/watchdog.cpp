#include "probes/gpu/watchdog.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "probes/an_error.h"
#include "probes/gpu/failure.h"
#include "probes/json_fields.h"
#include "probes/number_in.h"

namespace cuvier::gpu {
namespace {

constexpr std::chrono::milliseconds between_looks{50};

/// The one of this process. Never destroyed: its thread looks until the process is gone.
struct Watchdog {
  std::mutex mutex;  ///< of all below
  std::chrono::seconds limit = Watch::usual_limit;
  std::list<Watch::Call> under_way;

  Watchdog() {
    std::thread([this] {
      for (;;) {
        std::this_thread::sleep_for(between_looks);
        look();
      }
    }).detach();
  }

  static Watchdog& get() {
    static Watchdog& watchdog = *new Watchdog();
    return watchdog;
  }

  void look() {
    const std::lock_guard lock(mutex);
    for (const auto& [doing, since] : under_way) {
      if (std::chrono::steady_clock::now() - since < limit) continue;
      std::fprintf(stderr, "cuvier-gpu: hung: could not %s within %lld s; the process ends\n",
                   doing.c_str(), static_cast<long long>(limit.count()));
      std::fflush(stderr);
      std::_Exit(exit_hung);
    }
  }
};

}  // namespace

void Watch::set_limit(std::chrono::seconds limit) {
  Watchdog& watchdog = Watchdog::get();
  const std::lock_guard lock(watchdog.mutex);
  watchdog.limit = limit;
}

Watch::Watch(std::string doing) {
  Watchdog& watchdog = Watchdog::get();
  const std::lock_guard lock(watchdog.mutex);
  watchdog.under_way.push_front({std::move(doing), std::chrono::steady_clock::now()});
  call_ = watchdog.under_way.begin();
}

Watch::~Watch() {
  Watchdog& watchdog = Watchdog::get();
  const std::lock_guard lock(watchdog.mutex);
  watchdog.under_way.erase(call_);
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

std::chrono::seconds time_limit(const std::string& name, int least, std::chrono::seconds usual) {
  const char* text = std::getenv(name.c_str());
  if (text == nullptr) return usual;
  const auto seconds = number_in<int>(text);
  if (seconds && *seconds >= least) return std::chrono::seconds(*seconds);
  throw an_error("{} takes a number of seconds from {} on, not {}", name, least, in_quotes(text));
}

}  // namespace cuvier::gpu
