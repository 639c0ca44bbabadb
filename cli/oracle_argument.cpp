#include "cli/oracle_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "cli/process.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulated_oracle.h"
#include "probes/an_error.h"
#include "probes/json_fields.h"
#include "probes/oracles/external.h"
#include "probes/oracles/recording.h"
#include "probes/oracles/side_by_side.h"

namespace cuvier {

namespace fs = std::filesystem;

namespace {

/// "DEVICE[,AXIS=VALUE...]"
std::unique_ptr<Oracle> open_simulator(const std::string& text, double, std::uint64_t seed) {
  const std::size_t comma = text.find(',');
  const Device device = find_device(text.substr(0, comma));
  const Hypothesis hypothesis =
      comma == std::string::npos ? Hypothesis{} : hypothesis_from_text(text.substr(comma + 1));
  return std::make_unique<SimulatedOracle>("sim:" + text, device, hypothesis, seed);
}

/// cuvier-gpu beside our own program, where both are installed or both are in a build tree;
/// otherwise the one on the PATH.
std::string gpu_runner() {
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& path : {folder / "cuvier-gpu", folder / "../probes/gpu/cuvier-gpu"}) {
    if (fs::exists(path, none)) return in_shell_quotes(path.lexically_normal().string());
  }
  if (is_installed("cuvier-gpu")) return "cuvier-gpu";
  throw Error(
      "--oracle gpu needs cuvier-gpu, which is neither beside cuvier nor on the PATH: it is built "
      "where CMake finds nvcc, or comes in a package (docs/howto/device-day.md); exec:COMMAND asks "
      "another program",
      Error::Kind::oracle);
}

std::unique_ptr<Oracle> open_program(const std::string& command, double timeout_s, std::uint64_t) {
  end_on_interrupt();
  ExternalOptions options;
  options.interrupted = interrupted;
  if (timeout_s > 0) {
    constexpr double longest_s = 1e9;
    options.run_timeout =
        std::chrono::milliseconds(std::llround(1000 * std::min(timeout_s, longest_s)));
    options.repeat_timeout = options.run_timeout;
    options.hello_timeout = std::max(options.hello_timeout, options.run_timeout);
  }
  return std::make_unique<ExternalOracle>(command, options);
}

/// "" or ":N"
std::unique_ptr<Oracle> open_gpu(const std::string& rest, double timeout_s, std::uint64_t seed) {
  const std::string number = rest.empty() ? "0" : rest.substr(1);
  if ((!rest.empty() && rest[0] != ':') || number.empty() || number.size() > 4 ||
      number.find_first_not_of("0123456789") != std::string::npos) {
    throw Error(in_quotes("gpu" + rest) + " names no GPU; write gpu or gpu:N, N its number");
  }
  return open_program(gpu_runner() + " --device " + number, timeout_s, seed);
}

std::string same_program(const std::string& command, int) { return command; }

std::string gpu_of(const std::string& rest, int number) {
  if (rest.empty()) return fmt::format(":{}", number);
  throw Error(in_quotes("gpu" + rest) + " is one GPU; write gpu, and --oracles N asks the first N");
}

struct Form {
  std::string_view prefix;  ///< ends with a colon where something must follow
  std::string_view rest;
  std::string_view meaning;
  std::unique_ptr<Oracle> (*open)(const std::string& rest, double timeout_s, std::uint64_t seed);
  /// The rest of one of several; none where one answers at once, or each answer only once.
  std::string (*one_of_several)(const std::string& rest, int number) = nullptr;
};

constexpr std::array forms = {
    Form{"sim:", "DEVICE[,AXIS=VALUE...]",
         "a simulated device that follows Algorithm 1, or what is named after the comma:\n"
         "      values of axes, or a hypothesis such as bfa",
         open_simulator},
    Form{"exec:", "COMMAND", "a program that speaks the oracle protocol, such as cuvier-gpu",
         open_program, same_program},
    Form{"gpu", "[:N]", "this machine's GPU (number N), asked by cuvier-gpu", open_gpu, gpu_of},
    Form{"recording:", "FILE", "answers that were recorded in FILE.jsonl",
         [](const std::string& path, double, std::uint64_t) -> std::unique_ptr<Oracle> {
           return std::make_unique<RecordingOracle>(path);
         }},
};

std::unique_ptr<Oracle> open_several(const Form& form, const std::string& rest,
                                     const OracleArgument& argument, std::uint64_t seed) {
  if (!form.one_of_several) {
    throw Error(in_quotes(argument.oracle) + " is one; --oracles is for programs and GPUs");
  }
  std::vector<std::unique_ptr<Oracle>> oracles;
  for (int number = 0; number < argument.processes; ++number) {
    oracles.push_back(form.open(form.one_of_several(rest, number), argument.timeout_s, seed));
  }
  return std::make_unique<SideBySide>(std::move(oracles));
}

}  // namespace

std::string oracle_meaning() {
  std::string text = "one of:";
  for (const Form& form : forms) {
    text += fmt::format("\n  {}{}\n      {}", form.prefix, form.rest, form.meaning);
  }
  return text;
}

CLI::Option* add_oracle(Options& options, OracleArgument& argument) {
  CLI::Option* const oracle =
      options.add("--oracle ORACLE", argument.oracle, "The oracle to ask, see below");
  add_oracle_timeout(options, argument);
  return oracle;
}

void add_oracle_timeout(Options& options, OracleArgument& argument) {
  options.seconds("--oracle-timeout S", argument.timeout_s,
                  "Wait so many seconds for each run of a probe before a program is given up "
                  "(60, and 5 more for each repetition, unless given)");
}

void add_oracles(Options& options, OracleArgument& argument) {
  options.number("--oracles N", argument.processes, 1, 64,
                 "Start the program so many times, or ask so many GPUs of this machine: sessions "
                 "that do not build on each other are held at once");
}

std::unique_ptr<Oracle> open_oracle(const OracleArgument& argument, std::uint64_t seed) {
  const std::string& text = argument.oracle;
  std::string known;
  for (const Form& form : forms) {
    if (text.starts_with(form.prefix) &&
        (text.size() > form.prefix.size() || !form.prefix.ends_with(':'))) {
      const std::string rest = text.substr(form.prefix.size());
      return argument.processes == 1 ? form.open(rest, argument.timeout_s, seed)
                                     : open_several(form, rest, argument, seed);
    }
    known += fmt::format("{}{}{}", known.empty() ? "" : ", ", form.prefix, form.rest);
  }
  throw an_error("{} is no oracle; write one of {}", in_quotes(text), known);
}

std::unique_ptr<Oracle> open_live_oracle(const OracleArgument& argument, std::uint64_t seed) {
  auto oracle = open_oracle(argument, seed);
  if (oracle->answers_anything()) return oracle;
  throw an_error("{}: answers only what was recorded; cuvier check says what that shows",
                 oracle->description());
}

std::unique_ptr<Journal> new_journal(const std::string& folder, const Oracle& oracle) {
  const fs::path path = fs::path(folder) / "journal.jsonl";
  if (fs::exists(path) && !read_recordings(path.string()).recordings.empty()) {
    throw Error(path.string() + ": holds earlier answers already; name another folder");
  }
  return std::make_unique<Journal>(folder, oracle.device(), oracle.description());
}

}  // namespace cuvier
