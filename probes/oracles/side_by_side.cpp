#include "probes/oracles/side_by_side.h"

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace cuvier {
namespace {

std::unique_ptr<Oracle> take_first(std::vector<std::unique_ptr<Oracle>>& oracles) {
  std::unique_ptr<Oracle> first = std::move(oracles.front());
  oracles.erase(oracles.begin());
  return first;
}

/// Sessions that are held at the same time, each by an oracle in a thread of its own, and what
/// follows from them, in their order.
class Sessions {
 public:
  Sessions(int count, const Oracle::Session& session) : session_(session), told_(count) {}

  /// Holds one after the other, as long as there are any.
  void work(Oracle& oracle) {
    for (std::size_t number = next(); number < told_.size(); number = next()) {
      const auto tell = [&](std::function<void()> follows) {
        const std::lock_guard lock(mutex_);
        told_[number].follows.push_back(std::move(follows));
        changed_.notify_one();
      };
      try {
        oracle.begin_session();
        session_(oracle, static_cast<int>(number), tell);
      } catch (...) {
        tell([error = std::current_exception()] { std::rethrow_exception(error); });
      }
      const std::lock_guard lock(mutex_);
      told_[number].whole = true;
      changed_.notify_one();
    }
  }

  /// Waits for all of them.
  void follow() {
    for (Told& told : told_) {
      while (const auto follows = next_of(told)) follows();
    }
  }

  void end() {
    const std::lock_guard lock(mutex_);
    begun_ = told_.size();
  }

 private:
  struct Told {
    std::deque<std::function<void()>> follows;
    bool whole = false;
  };

  std::size_t next() {
    const std::lock_guard lock(mutex_);
    return begun_++;
  }

  /// Empty at the end of the session.
  std::function<void()> next_of(Told& told) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return told.whole || !told.follows.empty(); });
    if (told.follows.empty()) return {};
    auto next = std::move(told.follows.front());
    told.follows.pop_front();
    return next;
  }

  const Oracle::Session& session_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Told> told_;
  std::size_t begun_ = 0;
};

}  // namespace

SideBySide::SideBySide(std::vector<std::unique_ptr<Oracle>> oracles)
    : ForwardedOracle(take_first(oracles)), others_(std::move(oracles)) {
  for (const auto& other : others_) {
    if (other->device() == device()) continue;
    throw Error(fmt::format("{}: is not of the same device as {}, so their answers do not go "
                            "together",
                            other->description(), description()),
                Error::Kind::oracle);
  }
}

void SideBySide::hold_sessions(int count, const Session& session) {
  Sessions sessions(count, session);
  std::vector<std::jthread> workers;
  workers.emplace_back([&] { sessions.work(oracle()); });
  for (const auto& other : others_) {
    workers.emplace_back([&] { sessions.work(*other); });
  }
  try {
    sessions.follow();
  } catch (...) {
    sessions.end();
    throw;
  }
}

}  // namespace cuvier
