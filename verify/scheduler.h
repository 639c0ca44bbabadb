#pragma once

// Which block goes where next: scheduler.md, 3 and 4. What a single SM answers is another's.

#include <functional>
#include <memory>
#include <vector>

#include "verify/mechanism.h"
#include "verify/order.h"
#include "verify/probe.h"

namespace cuvier::verify {

/// Axes of which the dispatcher asks only what they come to together, now.
enum class Rule { waiting, batches };

/// What the dispatcher asks: of an SM, about a further block of a kernel, and of rules.
class Questions {
 public:
  virtual ~Questions() = default;
  virtual bool fits(int sm, int kernel) = 0;
  /// Section 6; `most`: by the free block slots.
  virtual int room(int sm, int kernel, int most) = 0;
  /// How many fit one after another, by the free block slots at most.
  virtual int several(int sm, int kernel, int most) = 0;
  struct Usage {
    long registers = 0;
    long shared = 0;
  };
  /// Held and requested together.
  virtual Usage usage(int sm, int kernel) = 0;
  /// What the rule says, which reads no other axes of the mechanism than its own.
  virtual int says(Rule rule, const std::function<int(const Mechanism&)>& read) = 0;
  // What a drift leaves open, and nobody controls.
  /// Whether a pick of the kernel joins those in flight, now.
  virtual bool joins(int kernel) = 0;
  /// Whether it is a pair by an older count.
  virtual bool counts_late() = 0;
};

/// The axes that a rule reads: queue, local_memory and cursor_reset; or those of batches.
std::vector<int> axes_of(Rule rule);

/// Whether a mechanism has not one outcome, but several.
bool has_drift(const Mechanism& mechanism);

/// What outlives a probe within a session, beside the SMs' warp pointers.
struct Outlasting {
  std::vector<int> cursors;  ///< by groups; empty: at their start
  int group_cursor = 0;
  int grown = 0;   ///< local memory: the most that found the device idle
  int latest = 0;  ///< and the latest
  bool operator==(const Outlasting&) const = default;
};

/// What a session begins with that opened so, in which cursors survive (cursor_reset=never) or do
/// not.
Outlasting after(const Opening& opening, bool cursors_survive, const Mechanism& mechanism,
                 const Device& device, const std::vector<int>& learned);

/// A block of a kernel on an SM; -1 while it is not known which of the kernel's blocks it is.
struct Resident {
  int kernel = 0;
  int block = -1;
  bool operator==(const Resident&) const = default;
};

/// A block that started.
struct Start {
  int kernel = 0;
  int block = 0;
  int sm = 0;
  int place = 0;  ///< among the blocks of the SM
};

/// Where the latest dispatch put blocks: one, or a whole cluster; none: it is stuck.
struct Placed {
  int kernel = -1;
  std::vector<int> sms;
};

class Scheduler {
 public:
  /// The device is idle at the beginning of a probe. What is passed must outlive it.
  Scheduler(const Device& device, const Probe& probe, const Mechanism& mechanism,
            const Outlasting& before, const std::vector<int>& learned);

  Mechanism mechanism;  ///< perhaps not all of it: then reading throws Undecided

  void launch(int kernel);
  /// The places of the blocks that leave, by SM: ascending.
  std::vector<std::vector<int>> release(const Action& action);
  /// Places the next block; which blocks started is added to `starts`.
  Placed advance(Questions& ask, std::vector<Start>& starts);

  /// Which blocks start next of those that have a place, whatever else happens.
  std::vector<Start> coming_starts() const;

  bool device_is_idle() const { return state_.resident == 0; }
  const std::vector<Resident>& residents(int sm) const { return state_.on_sm[sm]; }
  int blocks_started(int kernel) const { return state_.kernels[kernel].started; }
  /// Whose preferred configuration the SM's domain has; -1: the domain is idle. `scope`: a value
  /// of config_scope.
  int configured_by(int sm, int scope) const;
  const Outlasting& outlasting() const { return state_.outlasting; }
  /// Whether both would go on alike, whatever SMs answer.
  bool same_state(const Scheduler& other) const {
    return state_ == other.state_ && mechanism == other.mechanism;
  }

 private:
  struct Pick {
    int sm = 0;
    int blocks = 0;  ///< that it has not given out
    bool operator==(const Pick&) const = default;
  };
  struct KernelState {
    bool joined = false;
    int before = 0;   ///< kernels that joined before it
    int placed = 0;   ///< places that were taken
    int started = 0;  ///< blocks that started
    int exited = 0;
    int latest_sm = -1;            ///< where the latest place is
    std::vector<int> left_before;  ///< blocks without a place before each pick
    std::vector<Pick> in_flight;
    int drifted = 0;  ///< so many more may be in flight
    bool pairs_are_over = false;
    bool operator==(const KernelState&) const = default;
  };
  struct Turn {
    int kernel = -1;
    int group = 0;
    std::vector<int> used;
    bool operator==(const Turn&) const = default;
  };
  struct State {
    std::vector<KernelState> kernels;
    std::vector<int> waiting;  ///< launched, not joined
    std::vector<int> queue;    ///< joined, with blocks left, in the order of joining
    int joined = 0;            ///< kernels that ever did
    std::vector<std::vector<Resident>> on_sm;
    std::vector<int> warps;          ///< by SM
    std::vector<int> first_on_sm;    ///< whose block came when it was idle; -1: it is idle
    std::vector<int> first_on_tpc;   ///< by TPC
    std::vector<int> blocks_on_tpc;  ///< the same
    int first_on_device = -1;
    int resident = 0;
    Outlasting outlasting;
    Turn turn;
    int second_of = -1;           ///< the kernel whose latest pick may take a second block
    int cluster_gpc = -1;         ///< of the latest cluster since the device was idle
    int block_gpc = -1;           ///< of the latest block since then
    int cluster_gpc_kernel = -1;  ///< of the latest cluster since a kernel began
    bool operator==(const State&) const = default;
  };

  const Kernel& kernel(int k) const { return probe_->kernels[k]; }
  bool complete(int k) const { return state_.kernels[k].exited == kernel(k).blocks; }
  int left(int k) const { return kernel(k).blocks - state_.kernels[k].placed; }
  const SmOrder& order();
  bool admit();
  std::vector<int> queue_in_order() const;
  bool tried_behind(Questions& ask, int head, int k) const;
  bool fits(Questions& ask, int sm, int k) const;
  bool lets_in(int sm, int k, int more) const;
  int room(Questions& ask, int sm, int k) const;
  bool local_memory_lets(Questions& ask, int k);
  void reset_cursors(Questions& ask, int k);
  bool attempt(Questions& ask, int k, Placed& placed);
  void take_place(int k, int sm);

  // Sections 2 to 4 (choice.cpp).
  int choose(Questions& ask, int k);
  int choose_group(Questions& ask, int k);
  int select(Questions& ask, int k, int group, const std::vector<int>& used);
  std::vector<long> key(Questions& ask, int sm, int k);
  long turn_of(int sm);
  bool before(Questions& ask, int sm, int other, int k);

  // Batches (batches.cpp).
  bool pairs(Questions& ask, int k);
  int most_in_flight(Questions& ask, int k, int pick) const;
  bool drifts(Questions& ask, int k) const;
  void pick_ends(Questions& ask, int k, std::vector<Start>& starts);
  void give_one(int k, std::vector<Start>& starts);
  void give_all(int k, std::vector<Start>& starts);

  // Clusters (clusters.cpp).
  std::vector<int> choose_cluster(Questions& ask, int k);
  std::vector<int> cluster_on(Questions& ask, int k, int gpc) const;
  int cluster_cursor() const;
  void cluster_went_to(int gpc);

  const Device* device_;
  const Probe* probe_;
  const std::vector<int>* learned_;
  std::shared_ptr<const SmOrder> order_;
  std::shared_ptr<const std::vector<std::vector<int>>> tpcs_;
  std::shared_ptr<const std::vector<std::vector<int>>> gpcs_;
  std::shared_ptr<const std::vector<int>> tpc_of_sm_;  ///< by their place in tpcs_
  std::shared_ptr<const std::vector<int>> gpc_of_sm_;
  State state_;
};

}  // namespace cuvier::verify
