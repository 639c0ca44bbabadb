#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "probes/fact.h"
#include "probes/json_fields.h"
#include "tests/fake_oracle.h"
#include "tests/small_sms.h"

namespace cuvier {

/// An inference of moments on a device of eight small SMs, in as many processes as it takes.
class SmallInference {
 public:
  /// So much is open that it takes several probes, and a proof that three are alike.
  static constexpr const char* usual_assumptions =
      "algorithm-1,round-robin,bfa,simtbs,bcs,tie_break=linear,learned,pointer_skip=none,always,"
      "even,pointer_reset=never,device_idle,cursor_reset=never,config_scope=sm,device,"
      "shared_placement=best_fit,room_warps=pooled_blocks,balanced_blocks,shared_granularity=256";

  explicit SmallInference(std::string assumptions = usual_assumptions, std::string options = "")
      : assumptions_(std::move(assumptions)), options_(std::move(options)) {
    folder_.write("eight.json", small_sms_text(8));
    folder_.write("four.json", small_sms_text(4));
    std::filesystem::create_directory(folder_.path("out"));
  }

  /// A program that follows Algorithm 1 on this device, and shows the SM of each block only. It
  /// does not say how its session opens, so it is greeted once, and then every line is an answer.
  static std::string simulated(const std::string& device = "eight.json") {
    return fake::shell_quoted(CUVIER_STAND_IN) + ' ' + device +
           R"( | sed -u '1s/"channels":\[[^]]*\]/"channels":["sm"]/; )"
           R"(1s/"opening":{.*}},"settle_us"/"settle_us"/')";
  }

  /// Starts it, or goes on with it, after the shell did `preparation`; kills it after this time.
  /// Its exit code; none if it was killed.
  std::optional<int> run(const std::string& program, const std::string& preparation = "",
                         std::optional<std::chrono::milliseconds> killed_after = std::nullopt) {
    const auto deadline = Clock::now() + killed_after.value_or(std::chrono::hours(1));
    const pid_t pid =
        start(preparation + "exec " CUVIER_BINARY " infer --out out --resume --oracle " +
              fake::shell_quoted("exec:" + program) + " --assume " +
              fake::shell_quoted(assumptions_) + options_);
    int status = 0;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
      if (Clock::now() >= deadline) {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, &status, 0);
        return std::nullopt;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// What the last run said.
  std::string said() const { return folder_.read("said"); }

  std::string journal() const { return folder_.read("out/journal.jsonl"); }
  void put_journal(const std::string& text) const { folder_.write("out/journal.jsonl", text); }
  /// Of the complete lines of the journal.
  std::vector<Recording> recordings() const {
    const std::string text = journal();
    const std::string whole = text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
    if (whole.empty()) return {};
    return read_recordings(folder_.write("whole.jsonl", whole)).recordings;
  }
  bool has_model() const { return std::filesystem::exists(folder_.path("out/model.json")); }
  std::string read(const std::string& file) const { return folder_.read(file); }

  /// What was concluded, whatever it took.
  std::string conclusion() const {
    const Json model = parse_json(folder_.read("out/model.json"), "model.json");
    return Json{model["status"], model["mechanism"], model["surviving"], model["classes"]}.dump();
  }

 private:
  using Clock = std::chrono::steady_clock;

  pid_t start(const std::string& command) const {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    const int said = ::open(folder_.path("said").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(said, STDOUT_FILENO);
    ::dup2(said, STDERR_FILENO);
    if (::chdir(folder_.path("").c_str()) == 0) {
      ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    }
    ::_exit(127);
  }

  samples::Folder folder_;
  std::string assumptions_;
  std::string options_;
};

}  // namespace cuvier
