#include "probes/oracles/shared_process.h"

#include <limits>
#include <utility>

#include "probes/error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

/// None of a line that is no answer: it is whoever's who reads it.
std::optional<int> session_of(const std::string& line) {
  try {
    const Json json = parse_json(line, "");
    constexpr Range any{0, std::numeric_limits<int>::max()};
    return Fields(json, Place("")).integer("session", any, 0);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

SharedProcess::Outcome SharedProcess::exchange(int session, const std::string& request,
                                               std::string& answer, std::size_t longest,
                                               Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  ++waiting_;  // before it may be answered
  lock.unlock();
  Outcome outcome;
  {
    const std::lock_guard one_at_a_time(writing_);
    outcome = child_.write_line(request, deadline);
  }
  lock.lock();
  while (outcome == Outcome::done && !answers_.contains(session)) {
    if (is_read_) {
      changed_.wait_until(lock, deadline);
      if (Clock::now() >= deadline) outcome = Outcome::late;
    } else if (over_) {
      outcome = *over_;
    } else {
      is_read_ = true;
      lock.unlock();
      std::string line;
      outcome = child_.read_line(line, longest, deadline);
      lock.lock();
      is_read_ = false;
      if (outcome == Outcome::done) {
        const bool may_be_of_another = waiting_ > 1 || session > 0;
        const int of = may_be_of_another ? session_of(line).value_or(session) : session;
        answers_[of] = std::move(line);
      } else if (outcome != Outcome::late) {
        over_ = outcome;
      }
      changed_.notify_all();
    }
  }
  --waiting_;
  if (outcome == Outcome::done) answer = std::move(answers_.extract(session).mapped());
  return outcome;
}

std::string SharedProcess::finish(std::chrono::milliseconds grace) {
  const std::lock_guard lock(mutex_);
  return is_read_ ? "others ask it still" : child_.finish(grace);
}

}  // namespace cuvier
