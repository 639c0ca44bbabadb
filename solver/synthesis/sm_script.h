#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/simulator.h"

namespace cuvier {

/// What happens to one SM, or to two of different TPCs, before it is asked whether and how it takes
/// one more block: each block is of a kernel of its own, numbered in order of arrival.
struct SmScript {
  struct Move {
    int kernel = 0;
    bool release = false;
    bool on_second = false;  ///< as well as on the first SM
  };

  std::vector<Move> moves;
  int kernels = 0;  ///< placed by the moves; the number of the one asked about

  /// Actions, the one asked about included.
  int actions() const { return static_cast<int>(moves.size()) + 1; }
};

/// All that may happen to one SM in so many actions. Releases in a row come in the order of the
/// kernels: they are interchangeable.
std::vector<SmScript> sm_scripts(int actions);

/// "place 1, place 2, release 1, place 3"; `+` where a second SM has it, too.
std::string describe(const SmScript& script);

/// The script with everything less than all of it on a second SM as well.
std::vector<SmScript> with_second_sm(const SmScript& script);

/// Whether a probe tells two hypotheses apart, by prediction.
using TellsApart = std::function<bool(const Probe&)>;

/// Tries to make a probe for the whole device of what happens to one SM of it, or to two. A block
/// becomes a kernel with a block for one SM, a TPC, half of them, all, or more; a release lets go
/// all of its blocks, or those on some SMs. What tells the hypotheses apart is returned; `tried`
/// counts the probes.
std::optional<Probe> lift(const SmScript& script, const std::vector<Kernel>& kernels,
                          Simulator& simulator, const TellsApart& tells_apart, int& tried);

}  // namespace cuvier
