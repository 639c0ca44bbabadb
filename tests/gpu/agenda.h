#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <utility>

namespace cuvier::gpu {

/// What is to happen, each at its time; of what is due at the same time, what was added first.
class Agenda {
 public:
  using Clock = std::chrono::steady_clock;

  void add(Clock::time_point due, std::function<void()> what) {
    items_.emplace(due, std::move(what));
  }

  bool empty() const { return items_.empty(); }

  /// When the next is due; there must be one.
  Clock::time_point next() const { return items_.begin()->first; }

  /// Does all that is due. What it does may add more.
  void run_until(Clock::time_point now) {
    while (!items_.empty() && next() <= now) items_.extract(items_.begin()).mapped()();
  }

 private:
  std::multimap<Clock::time_point, std::function<void()>> items_;
};

}  // namespace cuvier::gpu
