#include "tests/law/smt_space.h"

#include <map>
#include <unordered_map>

#include "solver/cancellation/task.h"
#include "solver/smt/terms_domain.h"
#include "solver/space/strands.h"
#include "tests/law/symbolic.h"

namespace cuvier {
namespace {

/// A circuit as Z3 sees it, only as far as it is asked about: as expressions, all of it would have
/// to be walked again for each query.
class CircuitSolver {
 public:
  using Literal = Circuit::Literal;

  /// Of the inputs that exclude each other, which the circuit has by now, one holds.
  explicit CircuitSolver(const Circuit& circuit) : circuit_(circuit), solver_(context_) {
    constexpr unsigned most_milliseconds = 20'000;
    z3::params params(context_);
    params.set("timeout", most_milliseconds);
    solver_.set(params);
    std::map<int, std::vector<Literal>> groups;
    for (std::size_t node = 2; node < circuit.nodes().size(); ++node) {
      const int exclusive = circuit.nodes()[node].exclusive;
      if (exclusive != 0) groups[exclusive].push_back(static_cast<Literal>(node));
    }
    for (const auto& [exclusive, inputs] : groups) require_one_of(inputs);
  }

  bool satisfiable(Literal literal) {
    if (literal == -Circuit::kTrue) return false;
    z3::expr_vector assumed(context_);
    assumed.push_back(define(literal));
    const z3::check_result result = solver_.check(assumed);
    if (result == z3::unknown) {
      throw GaveUp("Z3 gave up on a placement: " + solver_.reason_unknown());
    }
    if (result == z3::sat) model_ = solver_.get_model();
    return result == z3::sat;
  }

  /// Whether the input holds in the model of the last literal found satisfiable.
  bool holds(Literal input) { return model_->eval(constant(input), true).is_true(); }

  std::string smt2(Literal literal) {
    const z3::expr holds = define(literal);
    solver_.push();
    solver_.add(holds);
    std::string text = solver_.to_smt2();
    solver_.pop();
    return text;
  }

 private:
  void require_one_of(const std::vector<Literal>& inputs) {
    z3::expr_vector some(context_);
    for (const Literal input : inputs) some.push_back(constant(input));
    solver_.add(z3::mk_or(some));
    for (unsigned i = 0; i < some.size(); ++i) {
      for (unsigned j = 0; j < i; ++j) solver_.add(!(some[i] && some[j]));
    }
  }

  z3::expr constant(Literal literal) {
    const Literal node = std::abs(literal);
    if (node == Circuit::kTrue) return context_.bool_val(literal > 0);
    const std::string& name = circuit_.nodes()[node].name;
    const z3::expr is =
        context_.bool_const(name.empty() ? ("n" + std::to_string(node)).c_str() : name.c_str());
    return literal > 0 ? is : !is;
  }

  /// Z3's constant for the literal, everything below it defined.
  z3::expr define(Literal literal) {
    defined_.resize(circuit_.nodes().size());
    std::vector<Literal> to_define{std::abs(literal)};
    while (!to_define.empty()) {
      const Literal node = to_define.back();
      to_define.pop_back();
      if (defined_[node]) continue;
      defined_[node] = true;
      const Circuit::Node& n = circuit_.nodes()[node];
      if (n.a == 0) continue;
      solver_.add(constant(node) == (constant(n.a) && constant(n.b)));
      to_define.push_back(std::abs(n.a));
      to_define.push_back(std::abs(n.b));
    }
    return constant(literal);
  }

  const Circuit& circuit_;
  z3::context context_;
  z3::solver solver_;
  std::optional<z3::model> model_;
  std::vector<bool> defined_;
};

/// The scheduler's quantities as Z3 sees them (what an Exploration works with).
class SymbolicValues {
 public:
  using Int = SymbolicInt;
  using Bool = SymbolicBool;
  using Warps = WarpFile<Symbolic>;
  using Shared = SharedMemory<Symbolic>;

  SymbolicValues(Circuit& circuit, const AxisInputs& axes, CircuitSolver& solver)
      : circuit_(circuit), axes_(axes), solver_(solver) {}

  Warps idle_warps() const { return {}; }
  Shared idle_shared() const { return {}; }
  Int constant(int value) const { return value; }

  Bool no() const { return false; }
  bool is_yes(const Bool& set) const { return set.is_true(); }
  Bool both(const Bool& a, const Bool& b) const { return a && b; }
  Bool either(const Bool& a, const Bool& b) const { return a || b; }
  Bool without(const Bool& a, const Bool& b) const { return a && !b; }
  Bool has(int axis, int value) const { return {circuit_, axes_.is(axis, value)}; }
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
    if (added) found->second = !solver_.satisfiable(set.literal());
    return found->second;
  }

  bool same(const Int& a, const Int& b) const { return a.same(b); }
  bool same(const Bool& a, const Bool& b) const { return a.same(b); }
  /// Not seen at a glance: strands stay apart.
  template <class T>
  bool same(const std::vector<T>&, const std::vector<T>&) const {
    return false;
  }

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) const {
    return evaluate(rule, Symbolic{circuit_, axes_}, states...);
  }

 private:
  Circuit& circuit_;
  const AxisInputs& axes_;
  CircuitSolver& solver_;
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
      : device(d),
        axes(circuit, without_last_resorts(a)),
        solver(circuit),
        values(circuit, axes, solver) {
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
  CircuitSolver solver;
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
    is = is && SymbolicBool(state_->circuit, state_->axes.is(axis, hypothesis.values[axis]));
  }
  return state_->solver.satisfiable(is.literal());
}

std::optional<Hypothesis> SmtSpace::example() const {
  if (!state_->solver.satisfiable(state_->condition().literal())) return std::nullopt;
  Hypothesis hypothesis;
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int v = 0; v < axis_size(axis); ++v) {
      if (state_->solver.holds(state_->axes.is(axis, v))) {
        hypothesis.values[axis] = static_cast<std::uint8_t>(v);
      }
    }
  }
  return hypothesis;
}

std::string SmtSpace::smt2() const { return state_->solver.smt2(state_->condition().literal()); }

}  // namespace cuvier
