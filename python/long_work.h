#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>
#include <thread>

#include "solver/cancellation/task.h"

namespace cuvier {

/// Does work without Python's lock, so that its other threads go on. Ctrl-C ends it where it tells
/// its task what it does; then KeyboardInterrupt is raised once all is left in order.
template <class Work>
auto without_lock(const Work& work) {
  namespace py = pybind11;
  using Clock = std::chrono::steady_clock;
  // Each look may have to wait for the lock.
  static constexpr auto between_looks = std::chrono::milliseconds(50);

  std::optional<py::error_already_set> raised;
  const Task task([&raised, next_look = Clock::now(),
                   thread = std::this_thread::get_id()](const std::string&) mutable -> std::string {
    // Python hears of signals on its main thread alone.
    if (std::this_thread::get_id() != thread || Clock::now() < next_look) return "";
    const py::gil_scoped_acquire locked;
    next_look = Clock::now() + between_looks;
    if (PyErr_CheckSignals() == 0) return "";
    raised.emplace();  // takes what was raised
    return "interrupted";
  });
  const auto done = [&]() -> std::optional<decltype(work(task))> {
    const py::gil_scoped_release unlocked;
    try {
      return work(task);
    } catch (const Stopped&) {
      return std::nullopt;
    }
  }();
  if (raised) throw *raised;
  return *done;
}

}  // namespace cuvier
