#include "solver/smt/limited_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "probes/an_error.h"

namespace cuvier {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_output = std::size_t{64} << 20;  // no answer is as long
constexpr double longest_wait_s = 1e9;
constexpr int between_looks_ms = 100;  // whether it may go on

[[noreturn]] void fail(const char* what) {
  throw an_error("cannot start a process for a solver: {}: {}; end others first", what,
                 std::strerror(errno));
}

/// In the child: as a process of its own would be, but for its memory.
void detach(pid_t parent) {
  // It would go on holding what we hold, the journal's lock for one.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, fd);
}

struct Child {
  pid_t pid = -1;
  int output = -1;
};

Child start(const std::function<void(int output)>& body) {
  // A child forked meanwhile by another thread would keep our pipe open.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) fail("pipe");
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) {
    try {
      // The standard streams may have been closed, and their numbers be the pipe's.
      const int output = ::fcntl(pipe[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      detach(parent);
      body(output);
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  ::close(pipe[1]);
  if (pid < 0) {
    const int error = errno;
    ::close(pipe[0]);
    errno = error;
    fail("fork");
  }
  return {pid, pipe[0]};
}

/// Reads until the child closes its end, the deadline, or the task is to end.
void read_all(int fd, Clock::time_point deadline, const Task& task, LimitedRun& run) {
  std::array<char, 1 << 16> chunk;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    run.was_late = left.count() <= 0;
    run.was_ended = !run.was_late && task.is_to_end();
    if (run.was_late || run.was_ended) return;
    pollfd entry{fd, POLLIN, 0};
    const int timeout = static_cast<int>(std::min<std::int64_t>(left.count(), between_looks_ms));
    if (::poll(&entry, 1, timeout) <= 0) continue;
    const ssize_t count = ::read(fd, chunk.data(), chunk.size());
    if (count > 0) {
      run.output.append(chunk.data(), static_cast<std::size_t>(count));
      if (run.output.size() > most_output) return;
    } else if (count == 0 || errno != EINTR) {
      return;
    }
  }
}

void set_memory_limit(rlim_t bytes) {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  limit.rlim_max = limit.rlim_cur;
  ::setrlimit(RLIMIT_AS, &limit);
}

rlim_t bytes_of(int mib) { return static_cast<rlim_t>(mib) << 20; }

rlim_t mapped_bytes() {
  unsigned long pages = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
  std::fclose(file);
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

LimitedRun run_limited(const std::function<void(int output)>& body, double seconds,
                       const Task& task) {
  const std::chrono::duration<double> time(std::clamp(seconds, 0.0, longest_wait_s));
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  const Child child = start(body);
  LimitedRun run;
  read_all(child.output, deadline, task, run);
  ::close(child.output);
  // Whatever still runs has nothing to say any more. Until it is reaped its id is taken, so
  // this hits no other; a group of its own it has only where it made one.
  ::kill(-child.pid, SIGKILL);
  ::kill(child.pid, SIGKILL);
  while (::waitpid(child.pid, &run.status, 0) < 0 && errno == EINTR) {
  }
  return run;
}

void limit_further_memory(int mib) { set_memory_limit(mapped_bytes() + bytes_of(mib)); }

void write_all(int output, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(output, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) written += static_cast<std::size_t>(count);
  }
}

void become_program(const std::vector<std::string>& command, int output, int memory_mib) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::setpgid(0, 0);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  set_memory_limit(bytes_of(memory_mib));
  ::execvp(arguments[0], arguments.data());
}

}  // namespace cuvier
