// cuvier-verify DIR: the checker alone.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "verify/check.h"

namespace {

constexpr const char* usage =
    "cuvier-verify DIR: checks the --out of a `cuvier infer` by the recordings in it\n";
constexpr const char* exit_codes = R"(
Exit codes:
   0  confirmed
   2  bad usage, or a file cannot be read, or standard output not be written
  11  refuted: something does not match
  12  undecided
)";

/// Why nothing is checked; empty: the one argument names a folder.
std::string misused(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') return fmt::format("{} is no option; there is --help", argv[i]);
  }
  if (argc < 2) return "name the folder of an inference";
  if (argc > 2) return fmt::format("{} folders are named; name one", argc - 1);
  return argv[1][0] == '\0' ? "the name of the folder is empty" : "";
}

/// What standard output could not take must not pass for told.
int told(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  fmt::print(stderr, "cuvier-verify: cannot write to standard output: {}\n", std::strerror(errno));
  return 2;
}

/// Prints what was found; the exit code.
int tell(const cuvier::verify::Checked& checked) {
  for (const std::string& fault : checked.faults) fmt::print("does not match: {}\n", fault);
  const bool is_refuted = !checked.faults.empty();
  if (!checked.undecided.empty()) {
    fmt::print("{}undecided: {}\n", is_refuted ? "refuted; the rest is " : "", checked.undecided);
  } else {
    fmt::print("{}: {} recordings with {} facts leave {:.0f} of {:.0f} combinations of values\n",
               is_refuted ? "refuted" : "confirmed", checked.recordings, checked.facts,
               checked.left, checked.combinations);
    if (checked.left_out > 0) {
      fmt::print("  {} contradict the others, and do not count\n", checked.left_out);
    }
    fmt::print("  {} ways through the recordings were followed, for all combinations at once\n",
               checked.ways);
    fmt::print(
        "  one by one: {} that are left explain everything; {} that are not get something wrong\n",
        checked.run_through, checked.drawn);
    if (checked.compared > 0) {
      fmt::print("  {} further sessions went alike under all that is left\n", checked.compared);
    }
  }
  fmt::print("  not checked: {}\n", fmt::join(checked.not_checked, ", "));
  return is_refuted ? 11 : checked.undecided.empty() ? 0 : 12;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  try {
    if (first == "--help" || first == "-h") {
      fmt::print("{}{}", usage, exit_codes);
      return told(0);
    }
    if (const std::string wrong = misused(argc, argv); !wrong.empty()) {
      fmt::print(stderr, "cuvier-verify: {}\n{}", wrong, usage);
      return 2;
    }
    return told(tell(cuvier::verify::check(argv[1])));
  } catch (const std::exception& error) {
    fmt::print(stderr, "cuvier-verify: {}\n", error.what());
    return 2;
  }
}
