#pragma once

#include <vector>

#include "probes/probe.h"
#include "uses/fits/others.h"

namespace cuvier {

/// A kernel that arrives only once another one has come so far.
struct Precedence {
  enum class Once {
    resident,  ///< all its blocks are resident: the host sees that, and launches then
    begun,  ///< likewise, by a programmatic dependent launch. The earlier does not await the later
    ended,  ///< it has ended, as along an edge of a graph. Nor does it await the later
  };

  int later = 0;
  int earlier = 0;
  Once once = Once::resident;

  /// Whether the earlier kernel ends at some time, since it awaits nothing of what comes after it.
  bool ends() const { return once != Once::resident; }
};

/// How kernels are launched.
struct Launching {
  std::vector<Precedence> edges{};
  std::vector<int> cooperative{};  ///< by cudaLaunchCooperativeKernel
};

/// Kernels, what is on the device that they come to, and how they are launched.
struct KernelSet {
  std::vector<Kernel> kernels;
  Others others{};
  Launching launching{};
};

/// Kernels that come one after the other, as far as precedences say. Where they say nothing of two,
/// each may await blocks of the other.
class Sequence {
 public:
  Sequence(std::size_t kernels, const std::vector<Precedence>& precedences);

  /// Whether some kernel would have to arrive before itself.
  bool is_circular() const;

  /// Whether the one may go on only once the other is there: neither is known to be before.
  bool may_await(int one, int other) const {
    return one != other && !is_before_[one][other] && !is_before_[other][one];
  }

  /// Whether it may await the other, or one that does, and so on, through kernels that have not
  /// ended.
  bool may_hang_on(int one, int other, const std::vector<bool>& ended) const;

  /// All largest sets of kernels that may be on the device together.
  std::vector<std::vector<int>> resident_at_once() const;

  /// The kernels that never end, so that all are on the device together in the end.
  std::vector<int> staying() const;

 private:
  using Relation = std::vector<std::vector<bool>>;

  Relation arrives_before_;
  Relation is_before_;         ///< and awaits nothing of it
  Relation has_ended_before_;  ///< arrives_before_, and is not there any more
};

}  // namespace cuvier
