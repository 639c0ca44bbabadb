#pragma once

// Which hypotheses explain recordings: scheduler.md run for all of them at once. Of a single one
// this says what it shows.

#include "verify/scheduler.h"

namespace cuvier::verify {

/// What is thrown where there are too many ways through the recordings.
struct TooManyWays {};
/// A simulated RTX 3090's recordings have 0.3 million.
constexpr long most_ways = 10'000'000;

/// What a hypothesis shows of a block.
struct Seen {
  int block = 0;
  int sm = 0;
  std::vector<int> subpartitions;  ///< of each warp
  bool operator==(const Seen&) const = default;
};
/// How many hypotheses: an H200's are more than 64 bits hold, and than a double counts one by one.
__extension__ using Count = unsigned __int128;
/// By kernel, the blocks that start in a step, in their order.
using Step = std::vector<std::vector<Seen>>;

/// Hypotheses: of each part any of these of its combinations.
struct Box {
  std::shared_ptr<const Tables> tables;
  Cells cells;
};

/// Copies may be used by several threads.
class Left {
 public:
  /// `learned`: the order of tie_break=learned. `still` is called often, and may throw where it is
  /// to end. The device must outlive it.
  Left(const Device& device, Space space, const std::vector<int>& learned = {},
       std::function<void()> still = {});

  /// Leaves those that explain the recording, too. Where there is but one it is added to `shown`
  /// what that shows; if it has several outcomes, of any. Throws TooManyWays.
  void explain(const Recording& recording, std::vector<Step>* shown = nullptr);

  /// What a single one shows of the probe, in one session with what it showed before; `opening`: in
  /// a session that opens so.
  std::vector<Step> run(const Probe& probe, std::shared_ptr<const Opening> opening = {});

  const Device& device() const { return topology_->device; }
  bool nothing() const { return runs_.empty(); }
  /// Whether some have several outcomes; they may be counted for each.
  bool may_drift() const {
    return std::ranges::any_of(tables_->combinations[Part::batches], has_drift);
  }
  Count hypotheses() const;
  /// What is left.
  std::vector<Box> boxes() const;
  /// Ways through recordings that were followed, by this and what it was copied from.
  long ways() const { return ways_; }
  /// Not more than so many from now on.
  void limit_ways(long more) { most_ = ways_ + more; }

 private:
  /// Hypotheses under which all that could be seen so far went alike.
  struct Run {
    Scheduler scheduler;
    std::vector<Cells> cells;  ///< no hypothesis is in two, but where it has several outcomes
  };

  void begin(const Recording& recording);
  void open(const Recording& recording);
  void keep_configs(const Recording& recording);
  void act(const Recording& recording, int step, std::vector<Step>* shown);
  void follow(const std::vector<Cells>& cells, const std::function<void(Way&)>& go);
  void advance(const Run& from, const Recording& recording, int step, std::vector<Run>& on,
               std::vector<Run>& stuck, std::vector<Step>* shown);
  /// What the block that started holds under that combination.
  static const HeldWarps& held_by(const Run& run, const Start& start, int combination) {
    const auto file = run.scheduler.outlasting().sms[start.sm].file;
    return (*file)[combination]->held[start.place_on_sm];
  }
  void keep_routes(Run& run, const Known& known, const Start& start);
  void keep_those(Run& run, Part part, const std::function<bool(int)>& that);
  Set in_any(Part part) const;
  std::vector<Run> alike_once(std::vector<Run> all);
  std::vector<Cells> joined(std::vector<Cells> cells);

  Space space_;
  bool looks_ahead_ = false;  ///< picks in flight show what cannot be
  std::function<void()> still_;
  // Copies begin with the same.
  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<Tables> tables_;
  long ways_ = 0;
  long most_ = most_ways;
  std::vector<Run> runs_;
};

}  // namespace cuvier::verify
