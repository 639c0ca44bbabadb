#include "probes/oracles/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <limits>
#include <thread>
#include <utility>

#include "probes/ending_words.h"
#include "probes/error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

using namespace std::chrono_literals;

/// A process in the kernel (a wedged GPU driver, say) does not die of SIGKILL at once;
/// rather than hang with it we leave it behind.
constexpr auto patience_after_kill = 5s;

constexpr std::int64_t between_looks_ms = 100;  // whether we are to end

[[noreturn]] void fail(const char* what, int error) {
  throw Error(fmt::format("cannot start an oracle: {}: {}", what, std::strerror(error)),
              Error::Kind::oracle);
}

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe", errno);
    read = above_standard(ends[0]);
    write = above_standard(ends[1]);
  }
  ~Pipe() {
    close_fd(read);
    close_fd(write);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  static int release(int& end) { return std::exchange(end, -1); }

 private:
  /// Where we were started with standard streams closed, a pipe would take their numbers
  /// and be overwritten while the child sets up its own.
  static int above_standard(int fd) {
    if (fd > STDERR_FILENO) return fd;
    const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int error = errno;
    ::close(fd);
    if (moved < 0) fail("pipe", error);
    return moved;
  }
};

/// Makes a write to a dead child fail instead of killing us, without touching how the
/// program as a whole handles signals.
class SigpipeBlock {
 public:
  SigpipeBlock() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &previous_);
  }
  ~SigpipeBlock() {
    const timespec now{};
    if (!was_pending_) {
      while (sigtimedwait(&sigpipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
  }
  SigpipeBlock(const SigpipeBlock&) = delete;
  SigpipeBlock& operator=(const SigpipeBlock&) = delete;

 private:
  sigset_t sigpipe_{};
  sigset_t previous_{};
  bool was_pending_ = false;
};

pid_t spawn(const std::string& command, const Pipe& in, const Pipe& out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  sigset_t sigpipe = none;
  sigaddset(&sigpipe, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &sigpipe);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::string shell = "sh";
  std::string option = "-c";
  std::string argument = command;
  const std::array<char*, 4> arguments{shell.data(), option.data(), argument.data(), nullptr};
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("/bin/sh", error);
  return pid;
}

/// The session that a line says it is for; none of a line that is no answer: it is whoever's who
/// reads it.
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

ChildProcess::ChildProcess(const std::string& command, std::function<bool()> interrupted)
    : interrupted_(std::move(interrupted)) {
  Pipe in;
  Pipe out;
  // A full pipe must not block us past a deadline. The child's ends stay as they are.
  ::fcntl(in.write, F_SETFL, O_NONBLOCK);
  ::fcntl(out.read, F_SETFL, O_NONBLOCK);
  pid_ = spawn(command, in, out);
  input_ = Pipe::release(in.write);
  output_ = Pipe::release(out.read);
}

ChildProcess::~ChildProcess() {
  finish(0ms);
  close_fd(input_);
  close_fd(output_);
}

/// Done when the descriptor is ready, or hung up.
ChildProcess::Outcome ChildProcess::wait_ready(int fd, short events,
                                               Clock::time_point deadline) const {
  for (;;) {
    if (interrupted_ && interrupted_()) return Outcome::ended;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd entry{fd, events, 0};
    const auto timeout = std::clamp<std::int64_t>(left.count(), 0, between_looks_ms);
    if (::poll(&entry, 1, static_cast<int>(timeout)) > 0) return Outcome::done;
    if (left.count() <= 0) return Outcome::late;
  }
}

ChildProcess::Outcome ChildProcess::write_bytes(const std::string& bytes,
                                                Clock::time_point deadline) const {
  const SigpipeBlock block;
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = ::write(input_, bytes.data() + written, bytes.size() - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      const Outcome ready = wait_ready(input_, POLLOUT, deadline);
      if (ready != Outcome::done) return ready;
    } else if (errno != EINTR) {
      return Outcome::closed;
    }
  }
  return Outcome::done;
}

/// The next whole line, without its newline. What came after it stays for the next call.
ChildProcess::Outcome ChildProcess::read_line(std::string& line, std::size_t longest,
                                              Clock::time_point deadline) {
  std::array<char, 1 << 16> chunk;
  for (;;) {
    const std::size_t newline = buffer_.find('\n', searched_);
    if (newline != std::string::npos && newline <= longest) {
      line = buffer_.substr(0, newline);
      buffer_.erase(0, newline + 1);
      searched_ = 0;
      return Outcome::done;
    }
    searched_ = buffer_.size();
    if (buffer_.size() > longest) return Outcome::too_long;
    const Outcome ready = wait_ready(output_, POLLIN, deadline);
    if (ready != Outcome::done) return ready;
    const ssize_t count = ::read(output_, chunk.data(), chunk.size());
    if (count > 0) {
      buffer_.append(chunk.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      return Outcome::closed;
    }
  }
}

ChildProcess::Outcome ChildProcess::write_line(const std::string& line,
                                               Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_until(lock, deadline, [this] { return !is_written_; })) return Outcome::late;
  is_written_ = true;
  lock.unlock();
  const Outcome outcome = write_bytes(line + '\n', deadline);
  lock.lock();
  is_written_ = false;
  changed_.notify_all();
  return outcome;
}

ChildProcess::Outcome ChildProcess::exchange(int session, const std::string& request,
                                             std::string& answer, std::size_t longest,
                                             Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  ++waiting_;  // before it may be answered
  lock.unlock();
  Outcome outcome = write_line(request, deadline);
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
      outcome = read_line(line, longest, deadline);
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

bool ChildProcess::has_partial_line() const {
  const std::lock_guard lock(mutex_);
  return !is_read_ && !buffer_.empty();
}

bool ChildProcess::has_exited() const {
  const std::lock_guard lock(mutex_);
  return exited();
}

bool ChildProcess::exited() const {
  if (pid_ < 0) return true;
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid_;
}

void ChildProcess::wait_for_exit(Clock::time_point deadline) const {
  for (auto pause = 1ms; !exited() && Clock::now() < deadline; pause = std::min(2 * pause, 20ms)) {
    std::this_thread::sleep_for(pause);
  }
}

std::string ChildProcess::finish(std::chrono::milliseconds grace) {
  const std::lock_guard lock(mutex_);
  if (pid_ < 0) return ending_;
  // Who writes or reads meanwhile keeps the descriptor, and comes to an end as the process does.
  if (!is_written_) close_fd(input_);
  wait_for_exit(Clock::now() + grace);
  const bool on_its_own = exited();
  // Before it is reaped its id is still taken, so this hits its own group and no other.
  ::kill(-pid_, SIGKILL);
  wait_for_exit(Clock::now() + patience_after_kill);
  int status = 0;
  const bool reaped = ::waitpid(pid_, &status, WNOHANG) == pid_;
  ending_ = reaped && on_its_own ? ending_words(status) : "it did not exit and was killed";
  pid_ = -1;
  return ending_;
}

}  // namespace cuvier
