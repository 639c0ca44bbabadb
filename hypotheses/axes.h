#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "hypotheses/axes/admission.h"
#include "hypotheses/axes/batch_lag.h"
#include "hypotheses/axes/batch_margin.h"
#include "hypotheses/axes/batch_size.h"
#include "hypotheses/axes/cluster_cursor.h"
#include "hypotheses/axes/cluster_gpc.h"
#include "hypotheses/axes/cluster_gpc_order.h"
#include "hypotheses/axes/cluster_limit.h"
#include "hypotheses/axes/cluster_sharing.h"
#include "hypotheses/axes/cluster_sms.h"
#include "hypotheses/axes/cluster_wait.h"
#include "hypotheses/axes/config_change.h"
#include "hypotheses/axes/config_gate.h"
#include "hypotheses/axes/config_occupancy.h"
#include "hypotheses/axes/config_rounding.h"
#include "hypotheses/axes/config_scope.h"
#include "hypotheses/axes/config_target.h"
#include "hypotheses/axes/connection.h"
#include "hypotheses/axes/cursor_reset.h"
#include "hypotheses/axes/dispatch_batch.h"
#include "hypotheses/axes/group_selection.h"
#include "hypotheses/axes/group_turn.h"
#include "hypotheses/axes/hierarchy.h"
#include "hypotheses/axes/local_memory.h"
#include "hypotheses/axes/mark.h"
#include "hypotheses/axes/numbering.h"
#include "hypotheses/axes/pairs_in_flight.h"
#include "hypotheses/axes/pointer_reset.h"
#include "hypotheses/axes/pointer_skip.h"
#include "hypotheses/axes/priority.h"
#include "hypotheses/axes/queue.h"
#include "hypotheses/axes/register_granularity.h"
#include "hypotheses/axes/register_layout.h"
#include "hypotheses/axes/register_pool.h"
#include "hypotheses/axes/room_warps.h"
#include "hypotheses/axes/runtime_shared.h"
#include "hypotheses/axes/selection.h"
#include "hypotheses/axes/shared_granularity.h"
#include "hypotheses/axes/shared_placement.h"
#include "hypotheses/axes/shared_room.h"
#include "hypotheses/axes/tie_break.h"
#include "hypotheses/axes/warp_layout.h"
#include "hypotheses/axes/warp_placement.h"
#include "hypotheses/formulas/formula.h"

namespace cuvier {

/// An axis's row of the table. It has a `title` and `values`; `matters`, where it does not always
/// matter; and a `formula`, where it takes formulas.
template <class A>
constexpr AxisInfo row_of() {
  AxisInfo row{A::title, A::values};
  if constexpr (requires { A::matters; }) row.matters_when = A::matters;
  if constexpr (requires { A::formula; }) row.formula = &A::formula;
  return row;
}

template <class... Axes>
struct AxisList {
  static constexpr int size = sizeof...(Axes);
  static constexpr std::array<AxisInfo, sizeof...(Axes)> info{row_of<Axes>()...};
};

/// Both in one; an axis may be there twice. Only its type counts.
template <class... A, class... B>
AxisList<A..., B...> operator+(AxisList<A...>, AxisList<B...>);

/// The table of axes. Everything follows from it: hypotheses, command line,
/// solver, tests, docs. The order is that of diagrams (solver/space/diagram.h): what
/// decides among SMs first, then what one SM can take.
using AllAxes =
    AxisList<Queue, Priority, LocalMemory,                                       // the queue
             Hierarchy, Selection, GroupSelection, GroupTurn, TieBreak,          // the choice
             DispatchBatch, BatchMargin, BatchLag, PairsInFlight, CursorReset,   //
             ClusterGpc, ClusterGpcOrder, ClusterSms, ClusterSharing,            // clusters
             ClusterCursor, ClusterWait,                                         //
             RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout,   // warps, registers
             PointerSkip, PointerReset, RoomWarps,                               //
             ConfigOccupancy, ConfigRounding, SharedGranularity, RuntimeShared,  // shared memory
             ConfigScope, ConfigGate, SharedPlacement, SharedRoom,               //
             Admission,                                                          // who is let in
             BatchSize,                                                          // as the batches
             Connection,                                                         // as the queue
             ConfigChange,                                                       // shared memory
             WarpLayout,                                                         // warps
             Mark,                                                               // marks
             Numbering,                                                          // as the batches
             ConfigTarget,                                                       // shared memory
             ClusterLimit>;                                                      // clusters

inline constexpr int kAxes = AllAxes::size;

namespace detail {
template <class A, class... Axes>
constexpr int position(AxisList<Axes...>) {
  int index = 0;
  const bool found = ((std::is_same_v<A, Axes> || (++index, false)) || ...);
  return found ? index : -1;
}
}  // namespace detail

/// Position of the axis in the table.
template <class A>
constexpr int index_of() {
  constexpr int index = detail::position<A>(AllAxes{});
  static_assert(index >= 0, "the axis has no row in AllAxes");
  return index;
}

/// For each axis whether the list has it.
template <class... Axes>
constexpr std::array<bool, kAxes> members(AxisList<Axes...>) {
  std::array<bool, kAxes> is_member{};
  ((is_member[index_of<Axes>()] = true), ...);
  return is_member;
}

/// The same, a bit each.
template <class... Axes>
constexpr std::uint64_t bits(AxisList<Axes...>) {
  static_assert(kAxes <= 64);
  return (std::uint64_t{0} | ... | (std::uint64_t{1} << index_of<Axes>()));
}

constexpr const AxisInfo& axis_info(int axis) { return AllAxes::info[axis]; }

/// How many values the table names.
constexpr int named_values(int axis) { return static_cast<int>(axis_info(axis).values.size()); }

/// The axis's values that are last resorts, a bit each.
constexpr std::uint32_t last_resorts(int axis) {
  std::uint32_t bits = 0;
  for (int v = 0; v < named_values(axis); ++v) {
    if (axis_info(axis).values[v].last_resort) bits |= 1u << v;
  }
  return bits;
}

/// The axis's values that only devices with lone TPCs have, likewise.
constexpr std::uint32_t of_lone_tpcs(int axis) {
  std::uint32_t bits = 0;
  for (int v = 0; v < named_values(axis); ++v) {
    if (of_lone_tpcs(axis_info(axis).values[v].needs)) bits |= 1u << v;
  }
  return bits;
}

/// Position of the axis of that name, if there is one.
constexpr std::optional<int> find_axis(std::string_view name) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis_info(axis).name == name) return axis;
  }
  return std::nullopt;
}

// An axis's values in this process are those that the table names and, behind them, formulas that
// somebody gave. They are given before anything is asked of hypotheses, on one thread. Behind these
// a thread may have formulas on trial, for itself.

namespace detail {
inline std::array<std::deque<Formula>, kAxes> given_formulas;
}

/// A value of the axis on this thread, as long as this lives: a formula, or a rule that is none yet
/// (Formula::instead), for predictions alone. No formula of the axis may be given meanwhile; what
/// came last ends first.
class TrialValue {
 public:
  TrialValue(int axis, Formula formula);
  /// `names`: what the rule may read of FormulaInfo::names, a bit each.
  TrialValue(int axis, std::function<int(std::span<const int>)> rule, std::uint32_t names);
  ~TrialValue();
  TrialValue(const TrialValue&) = delete;
  TrialValue& operator=(const TrialValue&) = delete;

  int axis() const { return axis_; }
  int value() const { return value_; }
  const Formula& formula() const { return formula_; }

  // Of this thread:
  static const TrialValue* latest() { return latest_; }  ///< null: there is none
  const TrialValue* before() const { return before_; }
  static bool any_of(int axis) { return (axes_ >> axis & 1) != 0; }

 private:
  static_assert(kAxes <= 64);
  inline static constinit thread_local const TrialValue* latest_ = nullptr;
  inline static constinit thread_local std::uint64_t axes_ = 0;  ///< a bit each

  const int axis_;
  const int value_;
  const Formula formula_;
  const TrialValue* const before_ = latest_;
  const std::uint64_t axes_before_ = axes_;
};

/// So many values an axis can have: sets of them are bits of 32, and one may be on trial.
inline constexpr int kMostValues = 31;

/// How many values there are.
inline int axis_size(int axis) {
  std::size_t formulas = detail::given_formulas[axis].size();
  for (const TrialValue* trial = TrialValue::latest(); trial; trial = trial->before()) {
    if (trial->axis() == axis) ++formulas;
  }
  return named_values(axis) + static_cast<int>(formulas);
}

/// Whether some formula of the axis was given.
template <class A>
bool may_be_formula() {
  constexpr int axis = index_of<A>();
  return !detail::given_formulas[axis].empty() || TrialValue::any_of(axis);
}

/// All of them, a bit each; and those that are formulas.
inline std::uint32_t all_values(int axis) { return (std::uint32_t{1} << axis_size(axis)) - 1; }
inline std::uint32_t formula_values(int axis) {
  return all_values(axis) & ~((std::uint32_t{1} << named_values(axis)) - 1);
}

/// The values of its axis under which a literal holds that is a condition of the axis `of`.
std::uint32_t values_under(const AxisLiteral& literal, int of);

/// The value at that index.
const AxisValue& axis_value(int axis, int value);

/// Index of the axis's value of that name, or which is that formula, if there is one.
std::optional<int> find_value(int axis, std::string_view name);

/// Index of the value that is this formula, which may be new. Throws Error where the text is no
/// formula of the axis, or the axis takes none or no further one.
int formula_value(int axis, const std::string& text);

/// Whether the value is a formula, and none of the table.
template <class A>
bool is_formula(int value) {
  return value >= named_values(index_of<A>());
}

// The reverse of a value that orders by one name is none of them: predictions know it, spaces of
// hypotheses and files do not.

/// From this index on: no set of values has room for it.
inline constexpr int kReverse = 32;

/// Index of the value that orders the other way round; none where no formula says that, or another
/// value of the table does.
std::optional<int> reverse_of(int axis, int value);

namespace detail {
/// By index; reverse_of fills it.
inline std::array<std::map<int, Formula>, kAxes> reverse_formulas;
}  // namespace detail

/// The formula that a value is. Throws std::out_of_range if it is none.
inline const Formula& formula_of(int axis, int value) {
  if (value >= kReverse) return detail::reverse_formulas[axis].at(value);
  for (const TrialValue* trial = TrialValue::latest(); trial; trial = trial->before()) {
    if (trial->axis() == axis && trial->value() == value) return trial->formula();
  }
  return detail::given_formulas[axis].at(value - named_values(axis));
}
template <class A>
const Formula& formula_of(int value) {
  return formula_of(index_of<A>(), value);
}

/// Whether the value is a formula that reads the name.
template <class A>
bool formula_reads(int value, NameOf<A> name) {
  return is_formula<A>(value) && formula_of<A>(value).reads(name);
}

/// The names that are fleeting, a bit each.
constexpr std::uint32_t fleeting_names(const FormulaInfo& info) {
  std::uint32_t names = 0;
  for (std::size_t name = 0; name < info.names.size(); ++name) {
    if (info.names[name].is_fleeting) names |= 1u << name;
  }
  return names;
}
template <class A>
inline constexpr std::uint32_t kFleetingNames = fleeting_names(A::formula);

/// Whether the value is a formula that reads any of these.
template <class A>
bool reads_fleeting(int value) {
  return is_formula<A>(value) && (formula_of<A>(value).names & kFleetingNames<A>) != 0;
}

/// The names that any formula reads that was given, a bit each.
template <class A>
std::uint32_t names_read() {
  std::uint32_t names = 0;
  for (const Formula& formula : detail::given_formulas[index_of<A>()]) names |= formula.names;
  for (const TrialValue* trial = TrialValue::latest(); trial; trial = trial->before()) {
    if (trial->axis() == index_of<A>()) names |= trial->formula().names;
  }
  return names;
}
template <class A>
bool any_reads(NameOf<A> name) {
  return (names_read<A>() >> name & 1) != 0;
}
/// Or one that is fleeting.
template <class A>
bool any_reads_fleeting() {
  return (names_read<A>() & kFleetingNames<A>) != 0;
}

}  // namespace cuvier
