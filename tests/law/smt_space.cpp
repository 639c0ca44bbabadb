#include "tests/law/smt_space.h"

#include <unordered_map>

#include "solver/smt/symbolic.h"
#include "solver/space/strands.h"

namespace cuvier {
namespace {

/// The scheduler's quantities as Z3 sees them (what an Exploration works with).
class SymbolicValues {
 public:
  using Int = SymbolicInt;
  using Bool = SymbolicBool;
  using Warps = WarpFile<Symbolic>;
  using Shared = SharedMemory<Symbolic>;

  SymbolicValues(Circuit& circuit, const AxisInputs& axes) : circuit_(circuit), axes_(axes) {}

  Warps idle_warps() const { return {}; }
  Shared idle_shared() const { return {}; }
  Int constant(int value) const { return value; }

  Bool no() const { return false; }
  bool is_yes(const Bool& set) const { return set.is_true(); }
  Bool both(const Bool& a, const Bool& b) const { return a && b; }
  Bool either(const Bool& a, const Bool& b) const { return a || b; }
  Bool without(const Bool& a, const Bool& b) const { return a && !b; }
  Bool has(int axis, int value) const { return axes_.is(axis, value); }
  Bool equals(const Int& a, int value) const { return a == value; }
  Bool route_is(const Warps& warps, const std::vector<int>& route) const {
    Bool all = warps.last_route.size() == route.size();
    for (std::size_t i = 0; i < route.size() && possible(all); ++i) {
      all = all && warps.last_route[i] == route[i];
    }
    return all;
  }

  /// Whether no hypothesis is in the set.
  bool is_no(const Bool& set) {
    if (set.is_true() || set.is_false()) return set.is_false();
    const auto [found, added] = empty_.try_emplace(set.literal(), false);
    if (added) found->second = !circuit_.satisfiable(set.literal());
    return found->second;
  }

  bool same(const Int& a, const Int& b) const { return a.same(b); }
  bool same(const Bool& a, const Bool& b) const { return a.same(b); }
  /// Not seen at a glance: strands stay apart.
  bool same(const std::vector<Warps>&, const std::vector<Warps>&) const { return false; }

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) const {
    return evaluate(rule, Symbolic{axes_}, states...);
  }

 private:
  Circuit& circuit_;
  const AxisInputs& axes_;
  std::unordered_map<Circuit::Literal, bool> empty_;
};

/// Orders cannot be learned here; other last resorts are considered where nothing else may be.
Assumptions without_last_resorts(Assumptions assumptions) {
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::uint32_t others = assumptions.allowed[axis] & ~last_resorts(axis);
    if (others != 0 || axis == index_of<TieBreak>()) assumptions.allowed[axis] = others;
  }
  return assumptions;
}

}  // namespace

struct SmtSpace::State {
  State(const Device& d, const Assumptions& a)
      : device(d), axes(circuit, without_last_resorts(a)), values(circuit, axes) {
    strands.push_back({true, {}, {}, Precedences(d.sms)});
  }

  /// That some strand explains everything.
  SymbolicBool condition() const {
    SymbolicBool any = false;
    for (const auto& strand : strands) any = any || strand.set;
    return any;
  }

  Device device;
  Circuit circuit;
  AxisInputs axes;
  SymbolicValues values;
  std::vector<Strand<SymbolicValues>> strands;
};

SmtSpace::SmtSpace(const Device& device, const Assumptions& assumptions)
    : state_(std::make_unique<State>(device, assumptions)) {}
SmtSpace::~SmtSpace() = default;

void SmtSpace::observe(const Recording& recording) {
  state_->strands = explain(recording, state_->device, state_->values, state_->strands);
}

bool SmtSpace::admits(const Hypothesis& hypothesis) const {
  SymbolicBool is = state_->condition();
  for (int axis = 0; axis < kAxes; ++axis) {
    is = is && state_->axes.is(axis, hypothesis.values[axis]);
  }
  return state_->circuit.satisfiable(is.literal());
}

std::optional<Hypothesis> SmtSpace::example() const {
  if (!state_->circuit.satisfiable(state_->condition().literal())) return std::nullopt;
  Hypothesis hypothesis;
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int v = 0; v < axis_size(axis); ++v) {
      const SymbolicBool& is = state_->axes.is(axis, v);
      if (state_->circuit.holds(is.literal())) {
        hypothesis.values[axis] = static_cast<std::uint8_t>(v);
      }
    }
  }
  return hypothesis;
}

std::string SmtSpace::smt2() const { return state_->circuit.smt2(state_->condition().literal()); }

}  // namespace cuvier
