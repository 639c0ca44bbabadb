#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cuvier::verify {

/// What became of checking what an inference concluded.
struct Checked {
  int recordings = 0;  ///< that count
  int facts = 0;
  double combinations = 0;               ///< of values, of all hypotheses that are considered
  double left = 0;                       ///< of these
  int left_out = 0;                      ///< recordings that contradict the others
  long ways = 0;                         ///< through the recordings, that were followed
  int drawn = 0;                         ///< hypotheses with excluded values, each run by itself
  int run_through = 0;                   ///< hypotheses that are left, each run by itself
  int compared = 0;                      ///< sessions that all that is left took alike
  std::vector<std::string> faults;       ///< what does not match, a line each
  std::vector<std::string> not_checked;  ///< of what model.json says; a line each
  /// Why less was checked than what is left; empty: nothing is missing.
  std::string undecided;
};

/// Checks DIR/model.json by DIR/journal.jsonl: that the hypotheses which it leaves explain every
/// recording, and that no other does. Throws Unreadable. `still` is called often, and may throw
/// where it is to end.
Checked check(const std::string& dir, const std::function<void()>& still = {});

}  // namespace cuvier::verify
