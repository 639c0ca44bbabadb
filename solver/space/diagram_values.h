#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "hypotheses/fast/rule_memo.h"
#include "hypotheses/fast/state_pool.h"
#include "hypotheses/scheduler/kernel_on_sms.h"
#include "solver/space/diagram.h"

namespace cuvier {

/// A T for each hypothesis, as a diagram. Integers and conditions are its leaves themselves;
/// states are numbers in a StatePool.
template <class T>
struct Lifted {
  Ref ref = 0;
  bool operator==(const Lifted&) const = default;
  std::size_t hash() const { return static_cast<std::size_t>(ref); }
};

/// The diagrams, and the states that their leaves name.
struct Workspace {
  Diagrams diagrams;
  StatePool<WarpFile<Concrete>> warp_files;
  StatePool<SharedMemory<Concrete>> shared_memories;
};

/// The scheduler's quantities for all hypotheses at once (what an Exploration works with). A
/// rule of one SM is evaluated by the integers, for each combination of the axes it reads.
/// Kernels and positions are known to it by number: use one for one recording.
class DiagramValues {
 public:
  using Int = Lifted<int>;
  using Bool = Lifted<bool>;
  using Warps = Lifted<WarpFile<Concrete>>;
  using Shared = Lifted<SharedMemory<Concrete>>;

  /// `care`: the hypotheses that will be asked about.
  DiagramValues(Workspace& workspace, Bool care) : DiagramValues(workspace, care, care) {}
  /// `of_kernels`: those for whom it is worked out what a kernel alone asks for. Written down for
  /// solvers, that is simplest for all.
  DiagramValues(Workspace& workspace, Bool care, Bool of_kernels)
      : workspace_(workspace),
        diagrams_(workspace.diagrams),
        of_kernels_(of_kernels),
        idle_warps_{where(care, WarpFileAxes{}, leaf_of(WarpFile<Concrete>{}))},
        idle_shared_{where(care, SharedMemoryAxes{}, leaf_of(SharedMemory<Concrete>{}))} {}

  Warps idle_warps() const { return idle_warps_; }
  Shared idle_shared() const { return idle_shared_; }
  Int constant(int value) { return {diagrams_.constant(value)}; }

  /// What outlived a probe, for those cared for alone: each rule that is applied to it is
  /// evaluated for all of whom it says anything.
  SmsAtRest<Warps, Int> cared_for(SmsAtRest<Warps, Int> rest) {
    for (Warps& file : rest.warp_files) file.ref = cared_for(idle_warps_.ref, file.ref);
    for (Int& config : rest.configs) config.ref = cared_for(idle_shared_.ref, config.ref);
    return rest;
  }

  // Conditions are sets of hypotheses.
  Bool no() const { return {diagrams_.no()}; }
  Bool yes() const { return {diagrams_.yes()}; }
  bool is_no(Bool set) const { return set == no(); }
  bool is_yes(Bool set) const { return set == yes(); }
  /// Whether they are the same function (as far as that is seen at a glance).
  template <class T>
  bool same(Lifted<T> a, Lifted<T> b) const {
    return a == b;
  }
  template <class T>
  bool same(const std::vector<Lifted<T>>& a, const std::vector<Lifted<T>>& b) const {
    return a == b;
  }
  Bool both(Bool a, Bool b) { return {diagrams_.both(a.ref, b.ref)}; }
  Bool either(Bool a, Bool b) { return {diagrams_.either(a.ref, b.ref)}; }
  Bool without(Bool a, Bool b) { return {diagrams_.without(a.ref, b.ref)}; }
  Bool has(int axis, int value) { return {diagrams_.literal(axis, 1u << value)}; }
  Bool equals(Int a, int value) {
    return lift<bool>(std::array{a.ref}, [&](const auto& v) { return v[0] == value; });
  }
  Bool route_is(Warps warps, const std::vector<int>& route) {
    return lift<bool>(std::array{warps.ref}, [&](const auto& v) {
      return workspace_.warp_files[v[0]].last_route == route;
    });
  }

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    return apply_rule(rule, typename Rule::Axes{}, states...);
  }
  Bool apply(const Both&, Bool a, Bool b) { return both(a, b); }
  Bool apply(const Either&, Bool a, Bool b) { return either(a, b); }

 private:
  Ref cared_for(Ref cared, Ref what) {
    const auto [known, added] = cared_for_.try_emplace({cared, what});
    if (added) {
      known->second =
          diagrams_.apply(std::array{cared, what}, [](const auto& values) { return values[1]; });
    }
    return known->second;
  }

  template <class Rule, class... Axes, class... States>
  auto apply_rule(const Rule& rule, AxisList<Axes...>, const States&... states) {
    using Result = decltype(evaluate(rule, std::declval<Concrete>(), state(0, states)...));
    const Ref made =
        applied_.recall(rule, std::array<int, sizeof...(States)>{(states.ref + 1)...}, [&] {
          constexpr bool of_kernel = sizeof...(States) == 0;
          std::array<Ref, sizeof...(States) + sizeof...(Axes) + of_kernel> operands{
              states.ref..., diagrams_.axis(index_of<Axes>())...};
          if constexpr (of_kernel) operands.back() = where(of_kernels_, AxisList<Axes...>{}, 1);
          return lift<Result>(operands,
                              [&](const auto& values) {
                                Hypothesis hypothesis;
                                std::size_t next = sizeof...(States);
                                ((hypothesis.values[index_of<Axes>()] =
                                      static_cast<std::uint8_t>(values[next++])),
                                 ...);
                                return [&]<std::size_t... I>(std::index_sequence<I...>) {
                                  return leaf_of(evaluate(rule, Concrete{hypothesis},
                                                          state(values[I], states)...));
                                }
                                (std::index_sequence_for<States...>{});
                              })
              .ref;
        });
    return Lifted<Result>{made};
  }

  template <class Result, std::size_t N, class Leaf>
  Lifted<Result> lift(const std::array<Ref, N>& operands, Leaf&& leaf) {
    const Ref result = diagrams_.apply(operands, leaf);
    return {std::is_same_v<Result, bool> ? diagrams_.settled(result) : result};
  }

  /// The leaf where any hypothesis cared for has these values of the axes.
  template <class Axes>
  Ref where(Bool care, Axes axes, int leaf) {
    const Ref shown = diagrams_.project(care.ref, members(axes));
    return diagrams_.apply(std::array{shown}, [&](const auto& cared_for) {
      return cared_for[0] == 1 ? leaf : Diagrams::kDontCare;
    });
  }

  const WarpFile<Concrete>& state(int number, const Warps&) const {
    return workspace_.warp_files[number];
  }
  const SharedMemory<Concrete>& state(int number, const Shared&) const {
    return workspace_.shared_memories[number];
  }
  int state(int number, const Int&) const { return number; }
  bool state(int number, const Bool&) const { return number != 0; }

  int leaf_of(int value) { return value; }
  int leaf_of(bool value) { return value; }
  int leaf_of(WarpFile<Concrete> file) { return workspace_.warp_files.intern(std::move(file)); }
  int leaf_of(SharedMemory<Concrete> memory) {
    return workspace_.shared_memories.intern(std::move(memory));
  }

  Workspace& workspace_;
  Diagrams& diagrams_;
  Bool of_kernels_;
  Warps idle_warps_;
  Shared idle_shared_;
  std::map<std::pair<Ref, Ref>, Ref> cared_for_;
  RuleMemo<Ref> applied_;
};

}  // namespace cuvier
