#include "probes/gpu/launch_queue.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace cuvier::gpu {

struct LaunchQueue::State {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::function<void()>> waiting;
  bool busy = false;
  bool over = false;
  std::exception_ptr thrown;
};

LaunchQueue::LaunchQueue() : state_(std::make_shared<State>()) {
  std::thread([state = state_] { work(state); }).detach();
}

LaunchQueue::~LaunchQueue() {
  const std::lock_guard lock(state_->mutex);
  state_->over = true;
  state_->wake.notify_one();
}

void LaunchQueue::push(std::function<void()> launch) {
  const std::lock_guard lock(state_->mutex);
  state_->waiting.push_back(std::move(launch));
  state_->wake.notify_one();
}

bool LaunchQueue::empty() {
  const std::lock_guard lock(state_->mutex);
  if (state_->thrown) std::rethrow_exception(std::exchange(state_->thrown, nullptr));
  return state_->waiting.empty() && !state_->busy;
}

void LaunchQueue::work(const std::shared_ptr<State>& state) {
  std::unique_lock lock(state->mutex);
  for (;;) {
    state->wake.wait(lock, [&] { return state->over || !state->waiting.empty(); });
    if (state->over) return;
    const std::function<void()> launch = std::move(state->waiting.front());
    state->waiting.pop_front();
    state->busy = true;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      launch();
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    state->busy = false;
    if (!thrown) continue;
    state->thrown = thrown;
    state->waiting.clear();
  }
}

}  // namespace cuvier::gpu
