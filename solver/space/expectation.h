#pragma once

#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// What a recording says of each step, ready to be held against placements as they happen.
class Expectation {
 public:
  Expectation(const Recording& recording, int sms);

  /// Whether a block of the kernel may start on the SM in this step, given where those of its
  /// blocks did that started in the step already: the next one, or one so many `later`; or one of
  /// so many from there on, which all start then.
  bool allows(int step, int kernel, const std::vector<int>& started_on, int sm, int later = 0,
              int blocks = 1) const;

  /// Whether one more than so many of the kernel's blocks may that are still to start in the step.
  bool allows_more_than(int blocks, int step, int kernel, const std::vector<int>& started_on,
                        int sm) const;

  /// Whether one of so many blocks behind the one so many `later` may start there, as far as the
  /// step tells the SM of each.
  bool allows_behind(int step, int kernel, const std::vector<int>& started_on, int sm, int later,
                     int blocks) const;

  /// Whether it may start on any SM at all.
  bool allows_any(int step, int kernel, const std::vector<int>& started_on, int later = 0) const;

  /// Whether one can see which of its blocks a block is that starts in this step.
  enum class Numbers {
    told,    ///< the SM of each is known
    show,    ///< in the slots of its warps, or when some of its blocks leave
    later,   ///< of none of these, but of others of the kernel
    untold,  ///< whichever it is, all is as it was seen
  };
  Numbers tells_numbers(int step, int kernel) const;

  /// Whether the step may end with that many blocks of the kernel started in it.
  bool satisfied(int step, int kernel, int started) const;

  /// The subpartition of each warp of the nth block of the kernel that starts in the step,
  /// where it was observed.
  const std::vector<int>* route(int step, int kernel, int nth) const;

  /// Kernel index -> preferred configuration, bytes.
  const std::map<int, int>& shared_configs() const { return shared_configs_; }

 private:
  struct Constraint {
    std::optional<std::vector<int>> exactly;  ///< the SM of each block, in order
    std::vector<std::vector<int>> blocks_on;  ///< by SM, where there is `exactly`: which, ascending
    std::optional<std::vector<bool>> among;   ///< by SM; one block each
    int at_least = 0;
    int at_most = std::numeric_limits<int>::max();
    std::optional<bool> complete;
    int blocks = 0;  ///< of the whole kernel
    std::vector<std::vector<int>> routes;
  };
  /// How many of the blocks from the first to before the last do, which all start in the step.
  static int number_of(const Constraint& constraint, int sm, int first, int last);

  const Constraint* find(int step, int kernel) const;

  int kernels_;
  std::vector<bool> leaves_in_parts_;  ///< by kernel
  std::vector<bool> tells_any_;        ///< by kernel: of some step
  std::vector<Constraint> constraints_;
  std::vector<int> at_;  ///< by step and kernel: which of the constraints; -1: none
  std::map<int, int> shared_configs_;
};

}  // namespace cuvier
