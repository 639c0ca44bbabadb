#include "cli/oracle_argument.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "cli/program.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulated_oracle.h"
#include "probes/error.h"
#include "probes/json_fields.h"
#include "probes/oracles/external.h"
#include "probes/oracles/recording.h"

namespace cuvier {
namespace {

/// "DEVICE[,AXIS=VALUE...]"
std::unique_ptr<Oracle> open_simulator(const std::string& text, std::uint64_t seed) {
  const std::size_t comma = text.find(',');
  const Device device = find_device(text.substr(0, comma));
  const Hypothesis hypothesis =
      comma == std::string::npos ? Hypothesis{} : hypothesis_from_text(text.substr(comma + 1));
  return std::make_unique<SimulatedOracle>("sim:" + text, device, hypothesis, seed);
}

std::string in_shell_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// cuvier-gpu beside our own program, where both are installed or both are in a build tree;
/// otherwise the one on the PATH.
std::string gpu_runner() {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& path : {folder / "cuvier-gpu", folder / "../probes/gpu/cuvier-gpu"}) {
    if (fs::exists(path, none)) return in_shell_quotes(path.lexically_normal().string());
  }
  if (is_installed("cuvier-gpu")) return "cuvier-gpu";
  throw Error(
      "--oracle gpu needs cuvier-gpu, which is neither beside cuvier nor on the PATH: it is built "
      "where CMake finds nvcc, or comes in a package (docs/device-day.md); exec:COMMAND asks "
      "another program",
      Error::Kind::oracle);
}

/// "" or ":N"
std::unique_ptr<Oracle> open_gpu(const std::string& rest, std::uint64_t) {
  const std::string number = rest.empty() ? "0" : rest.substr(1);
  if ((!rest.empty() && rest[0] != ':') || number.empty() || number.size() > 4 ||
      number.find_first_not_of("0123456789") != std::string::npos) {
    throw Error(in_quotes("gpu" + rest) + " names no GPU; write gpu or gpu:N, N its number");
  }
  return std::make_unique<ExternalOracle>(gpu_runner() + " --device " + number);
}

struct Form {
  std::string_view prefix;  ///< ends with a colon where something must follow
  std::string_view rest;
  std::string_view meaning;
  std::unique_ptr<Oracle> (*open)(const std::string& rest, std::uint64_t seed);
};

constexpr std::array forms = {
    Form{"sim:", "DEVICE[,AXIS=VALUE...]",
         "a simulated device that follows Algorithm 1, or what is named after the comma:\n"
         "      values of axes, or a hypothesis such as bfa",
         open_simulator},
    Form{"exec:", "COMMAND", "a program that speaks the oracle protocol, such as cuvier-gpu",
         [](const std::string& command, std::uint64_t) -> std::unique_ptr<Oracle> {
           return std::make_unique<ExternalOracle>(command);
         }},
    Form{"gpu", "[:N]", "this machine's GPU (number N), asked by cuvier-gpu", open_gpu},
    Form{"recording:", "FILE", "answers that were recorded in FILE.jsonl",
         [](const std::string& path, std::uint64_t) -> std::unique_ptr<Oracle> {
           return std::make_unique<RecordingOracle>(path);
         }},
};

}  // namespace

std::string oracle_help() {
  std::string text = "ORACLE is one of:";
  for (const Form& form : forms) {
    text += fmt::format("\n  {}{}\n      {}", form.prefix, form.rest, form.meaning);
  }
  return text;
}

std::unique_ptr<Oracle> open_oracle(const std::string& argument, std::uint64_t seed) {
  std::string known;
  for (const Form& form : forms) {
    if (argument.starts_with(form.prefix) &&
        (argument.size() > form.prefix.size() || !form.prefix.ends_with(':'))) {
      return form.open(argument.substr(form.prefix.size()), seed);
    }
    known += fmt::format("{}{}{}", known.empty() ? "" : ", ", form.prefix, form.rest);
  }
  throw Error(fmt::format("{} is no oracle; write one of {}", in_quotes(argument), known));
}

}  // namespace cuvier
