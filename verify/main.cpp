// cuvier-verify DIR: the checker alone.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <string_view>

#include "verify/check.h"

int main(int argc, char** argv) {
  using cuvier::verify::Checked;
  const std::string_view argument = argc == 2 ? argv[1] : "";
  const bool asks_for_help = argument == "--help" || argument == "-h";
  if (argument.empty() || argument[0] == '-') {
    fmt::print(asks_for_help ? stdout : stderr,
               "cuvier-verify DIR: checks the --out of a `cuvier infer` by the recordings in it\n");
    return asks_for_help ? 0 : 2;
  }
  try {
    const Checked checked = cuvier::verify::check(argv[1]);
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
          "  one by one: {} that are left explain everything; {} that are not get something "
          "wrong\n",
          checked.run_through, checked.drawn);
      if (checked.compared > 0) {
        fmt::print("  {} further sessions went alike under all that is left\n", checked.compared);
      }
    }
    fmt::print("  not checked: {}\n", fmt::join(checked.not_checked, ", "));
    return is_refuted ? 11 : checked.undecided.empty() ? 0 : 12;
  } catch (const std::exception& error) {
    fmt::print(stderr, "cuvier-verify: {}\n", error.what());
    return 2;
  }
}
