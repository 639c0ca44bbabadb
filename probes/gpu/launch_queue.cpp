#include "probes/gpu/launch_queue.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>

namespace cuvier::gpu {
namespace {

/// To be woken takes tens of microseconds and more: between the launches of a probe the thread
/// looks for the next one instead.
constexpr std::chrono::milliseconds stays_awake{3};

/// How long threads of this process were ready to run and did not, all of them together; 0 where
/// the kernel keeps no account (proc(5), schedstat).
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

}  // namespace

struct LaunchQueue::State {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::function<void()>> waiting;
  std::vector<Clock::duration> durations;
  Clock::time_point returned;
  int calls = 0;
  bool busy = false;
  bool asleep = false;
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
  if (state_->asleep) state_->wake.notify_one();
}

std::optional<LaunchQueue::Clock::time_point> LaunchQueue::returned_at() {
  const std::lock_guard lock(state_->mutex);
  if (state_->thrown) std::rethrow_exception(std::exchange(state_->thrown, nullptr));
  if (!state_->waiting.empty() || state_->busy) return std::nullopt;
  return state_->returned;
}

LaunchQueue::Clock::duration LaunchQueue::held_for() {
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->busy) return {};
    if (held_.call != state_->calls) {
      held_ = {state_->calls, Clock::now(), time_without_processor()};
    }
  }
  const auto without_processor = time_without_processor() - held_.without_processor;
  return std::max(Clock::duration{}, Clock::now() - held_.since - without_processor);
}

std::vector<LaunchQueue::Clock::duration> LaunchQueue::take_durations() {
  const std::lock_guard lock(state_->mutex);
  return std::exchange(state_->durations, {});
}

void LaunchQueue::work(const std::shared_ptr<State>& state) {
  std::unique_lock lock(state->mutex);
  const auto has_work = [&] { return state->over || !state->waiting.empty(); };
  for (Clock::time_point awake_since = Clock::now();;) {
    while (!has_work() && Clock::now() - awake_since < stays_awake) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
    if (!has_work()) {
      state->asleep = true;
      state->wake.wait(lock, has_work);
      state->asleep = false;
    }
    if (state->over) return;
    const std::function<void()> launch = std::move(state->waiting.front());
    state->waiting.pop_front();
    state->busy = true;
    ++state->calls;
    lock.unlock();
    std::exception_ptr thrown;
    const Clock::time_point begin = Clock::now();
    try {
      launch();
    } catch (...) {
      thrown = std::current_exception();
    }
    const Clock::time_point end = Clock::now();
    lock.lock();
    state->busy = false;
    state->returned = awake_since = end;
    state->durations.push_back(end - begin);
    if (!thrown) continue;
    state->thrown = thrown;
    state->waiting.clear();
  }
}

}  // namespace cuvier::gpu
