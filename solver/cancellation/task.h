#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace cuvier {

/// Thrown by a Task that is to end before its end.
struct Stopped {
  std::string why;  ///< "interrupted"
};

/// Long work as whoever waits for it sees it: what is being done goes out, the wish that it end
/// comes in. Copies are the same task. Several threads may tell one; the first reason to end holds
/// for all that they tell after that.
class Task {
 public:
  /// Is told what is being done, one thread at a time, often; says why that is to end, or "".
  using Watcher = std::function<std::string(const std::string& doing)>;

  /// Nobody watches.
  Task() = default;
  explicit Task(Watcher watcher) : state_(std::make_shared<State>()) {
    state_->watcher = std::move(watcher);
  }

  /// Tells what is being done. Throws Stopped where it is to end.
  void doing(const std::string& what) const {
    if (!tell(what)) throw Stopped{state_->why};
  }
  /// The same is still being done.
  void still() const {
    if (is_to_end()) throw Stopped{state_->why};
  }

  /// For where nothing may be thrown: whether to go on.
  bool tell(const std::string& what) const {
    if (!state_) return true;
    const std::lock_guard lock(state_->one_at_a_time);
    state_->latest = what;
    return look().empty();
  }
  bool is_to_end() const {
    if (!state_) return false;
    const std::lock_guard lock(state_->one_at_a_time);
    return !look().empty();
  }

  /// Why it is to end, once that was seen; what was being done last.
  std::string why() const { return state_ ? state_->why : ""; }
  std::string latest() const { return state_ ? state_->latest : ""; }

  /// The same task to who does a part of it; what that tells is told in these words.
  template <class Words>
  Task retold(Words words) const {
    return Task([whole = *this, words](const std::string& what) {
      return whole.tell(words(what)) ? "" : whole.why();
    });
  }
  /// "a: searching"
  Task part(const std::string& name) const {
    return retold([name](const std::string& what) { return name + ": " + what; });
  }

 private:
  struct State {
    Watcher watcher;
    std::mutex one_at_a_time;
    std::string latest;  ///< what is being done
    std::string why;     ///< it is to end; empty as long as it is not
  };

  const std::string& look() const {
    if (state_->why.empty()) state_->why = state_->watcher(state_->latest);
    return state_->why;
  }

  std::shared_ptr<State> state_;
};

/// A solver gave up. The message says on what.
class GaveUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cuvier
