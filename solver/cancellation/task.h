#pragma once

#include <fmt/format.h>

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

/// What is being done; and how much of it is, where that is known: 40 of 231 probes, or 3 of at
/// most 20 seconds.
struct Doing {
  Doing() = default;
  Doing(const char* words) : what(words) {}
  Doing(std::string words) : what(std::move(words)) {}
  Doing(std::string words, auto done_so_far, auto of_all, bool or_less = false)
      : what(std::move(words)),
        done(static_cast<double>(done_so_far)),
        all(static_cast<double>(of_all)),
        at_most(or_less) {}
  operator const std::string&() const { return what; }

  std::string what;
  double done = 0;
  double all = 0;        ///< 0: nobody knows
  bool at_most = false;  ///< it may end before all is done
};

/// Long work as whoever waits for it sees it: what is being done goes out, the wish that it end
/// comes in. Copies are the same task. Several threads may tell one; the first reason to end holds
/// for all that they tell after that.
class Task {
 public:
  /// Is told what is being done, one thread at a time, often; says why that is to end, or "".
  using Watcher = std::function<std::string(const Doing&)>;

  /// Nobody watches.
  Task() = default;
  explicit Task(Watcher watcher) : state_(std::make_shared<State>()) {
    state_->watcher = std::move(watcher);
  }

  /// Tells what is being done. Throws Stopped where it is to end.
  void doing(const Doing& what) const {
    if (!tell(what)) throw Stopped{state_->why};
  }
  template <class First, class... Rest>
  void doing(fmt::format_string<First, Rest...> words, First&& first, Rest&&... rest) const {
    doing(fmt::format(words, std::forward<First>(first), std::forward<Rest>(rest)...));
  }
  /// The same is still being done.
  void still() const {
    if (is_to_end()) throw Stopped{state_->why};
  }

  /// For where nothing may be thrown: whether to go on.
  bool tell(const Doing& what) const {
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
  std::string latest() const { return state_ ? state_->latest.what : ""; }

  /// The same task to who does a part of it; what that tells is told in these words.
  template <class Words>
  Task retold(Words words) const {
    return Task([whole = *this, words](const Doing& what) {
      return whole.tell(words(what)) ? "" : whole.why();
    });
  }
  /// "a: searching"
  Task part(const std::string& name) const {
    return retold([name](Doing doing) {
      doing.what = name + ": " + doing.what;
      return doing;
    });
  }
  /// The same, one of several parts that are about as long: so many are done.
  Task part(const std::string& name, double done, double all) const {
    return retold([name, done, all](const Doing& doing) {
      return Doing{name + ": " + doing.what, done, all};
    });
  }

 private:
  struct State {
    Watcher watcher;
    std::mutex one_at_a_time;
    Doing latest;
    std::string why;  ///< it is to end; empty as long as it is not
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
