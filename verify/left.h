#pragma once

// Which hypotheses explain recordings: scheduler.md run for all of them at once.

#include <array>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "verify/journal.h"
#include "verify/parts.h"
#include "verify/scheduler.h"
#include "verify/space.h"

namespace cuvier::verify {

/// The parts of a hypothesis of which sets of combinations are followed together. All other axes
/// are followed value by value.
enum Part { warps, shared_memory, waiting, batches, parts };

/// Of each part any of these combinations.
using Cells = std::array<const Set*, parts>;

/// Hypotheses that share what is decided of `mechanism`, with any values of the axes that it
/// leaves undecided and that are of no part, and any of these combinations of the parts.
struct Box {
  Mechanism mechanism;
  Cells cells;
};

/// What is thrown where there are too many ways through the recordings.
struct TooManyWays {};
/// A simulated RTX 3090's recordings have 0.2 million, which take eight seconds.
constexpr long most_ways = 10'000'000;

class Left {
 public:
  /// `learned`: the order of tie_break=learned. `still` is called often, and may throw where it is
  /// to end.
  Left(const Device& device, const Space& space, std::vector<int> learned,
       std::function<void()> still);

  /// Leaves those that explain the recording, too. Throws TooManyWays.
  void explain(const Recording& recording);

  /// What is left. No hypothesis is in two boxes, but where it has several outcomes.
  std::vector<Box> boxes() const;
  double hypotheses() const;
  bool nothing() const { return worlds_.empty(); }
  /// The values of an axis that some hypothesis has.
  std::vector<Value> surviving(int axis) const;
  bool has(const Mechanism& hypothesis) const;
  /// Any hypothesis of a box.
  Mechanism member(const Box& box, std::mt19937_64& random) const;
  /// Ways through a recording that were followed, by this and what it was copied from and to.
  long ways() const { return *ways_; }

 private:
  /// Hypotheses under which all that could be seen so far went alike.
  struct World {
    Mechanism mechanism;
    Outlasting outlasting;
    std::vector<int> warp_nodes;  ///< by SM
    std::vector<Cells> cells;
  };
  /// One in the midst of a probe.
  struct Running {
    Scheduler scheduler;
    std::vector<int> warp_nodes;
    std::vector<int> shared_nodes;
    std::vector<Cells> cells;
    std::vector<int> started_before = {};  ///< the step, by kernel
  };
  class Alike;
  struct Split;
  struct Either;

  /// What decides the axis, of this combination of a part; null: no part does.
  const Mechanism* deciding(int axis, Part part, int combination) const;
  Part part_of(int axis) const;
  int size(Part part) const;
  Set in_any(const std::vector<const std::vector<Cells>*>& all, Part part) const;
  void begin(const Recording& recording);
  void open(const Opening& opening);
  std::vector<Running> act(std::vector<Running> before, const Recording& recording, int step);
  void advance(const Running& from, const Recording& recording, int step, std::vector<Running>& on,
               std::vector<Running>& stuck);
  void leave(Running& running, const Action& action);
  static bool agrees(const Running& running, const Known& known, const Start& start);
  static bool agrees(const Running& running, const Recording& recording, int step);
  void keep_routes(Running& running, const Known& known, const Start& start);
  std::vector<Running> alike_once(std::vector<Running> all);
  std::vector<Cells> joined(std::vector<Cells> cells);
  void end(std::vector<Running> running, const Probe& probe);
  SharedPart::ConfiguredBy configured_by(const Scheduler& scheduler, int sm) const;

  const Device& device_;
  const Space& space_;
  std::vector<int> learned_;
  bool drifts_;
  std::function<void()> still_;
  std::shared_ptr<Sets> sets_ = std::make_shared<Sets>();  ///< copies begin with the same
  WarpPart warps_;
  SharedPart shared_;
  std::array<std::vector<Mechanism>, 2> rules_;  ///< combinations of waiting, and of batches
  std::vector<World> worlds_;
  std::shared_ptr<long> ways_ = std::make_shared<long>(0);
};

}  // namespace cuvier::verify
