#include "probes/gpu/launch_queue.h"

#include <utility>

namespace cuvier::gpu {

LaunchQueue::LaunchQueue() : thread_([this] { work(); }) {}

LaunchQueue::~LaunchQueue() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void LaunchQueue::push(std::function<void()> launch) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(launch));
  }
  wake_.notify_one();
}

bool LaunchQueue::empty() {
  const std::lock_guard lock(mutex_);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  return waiting_.empty() && !busy_;
}

void LaunchQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return over_ || !waiting_.empty(); });
    if (over_) return;
    const std::function<void()> launch = std::move(waiting_.front());
    waiting_.pop_front();
    busy_ = true;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      launch();
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    busy_ = false;
    if (thrown) {
      thrown_ = thrown;
      waiting_.clear();
    }
  }
}

}  // namespace cuvier::gpu
