#pragma once

#include <bit>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "solver/smt/circuit.h"
#include "solver/space/diagram_values.h"

namespace cuvier {

/// A condition on hypotheses: as a set, and as a literal of a circuit that says how it came about.
struct TabledBool {
  Lifted<bool> set;
  Circuit::Literal literal = 0;  ///< 0: not made yet, of a set that is a table

  /// As sets.
  bool operator==(const TabledBool& other) const { return set == other.set; }
  std::size_t hash() const { return set.hash(); }
};

/// Hypotheses that a path loses, since they do not show what was observed.
struct Contradicted {
  Ref set = 0;
  Circuit::Literal literal = 0;
  int recording = 0;
  int step = 0;
};

/// What outlives a recording.
struct Tables {
  explicit Tables(const Assumptions& assumptions) : axes(circuit, assumptions) {}

  Workspace workspace;
  Circuit circuit;
  AxisInputs axes;
  std::unordered_map<Ref, Circuit::Literal> literals;       ///< of sets that are tables
  std::map<std::pair<int, int>, Circuit::Literal> choices;  ///< by step, and in their order there
  std::vector<Contradicted> contradicted;
  std::unordered_set<Circuit::Literal> noted;
  int recording = -1;  ///< the one at hand
};

/// The scheduler's quantities for all hypotheses at once, as DiagramValues has them, and each
/// condition beside it as a circuit over the axes: what one SM answers is a table, one entry for
/// each combination of the axes that it rests on; how answers make a path is gates. The sets say
/// at a glance which paths anybody takes; of the circuit nothing is left out, so that a solver can
/// find that out again.
class TabledValues {
 public:
  using Int = DiagramValues::Int;
  using Bool = TabledBool;
  using Warps = DiagramValues::Warps;
  using Shared = DiagramValues::Shared;

  /// `care`: the hypotheses that will be asked about.
  TabledValues(Tables& tables, Lifted<bool> care)
      : tables_(tables), values_(tables.workspace, care, {tables.workspace.diagrams.yes()}) {}

  Warps idle_warps() const { return values_.idle_warps(); }
  Shared idle_shared() const { return values_.idle_shared(); }
  Int constant(int value) { return values_.constant(value); }
  SmsAtRest<Warps, Int> cared_for(SmsAtRest<Warps, Int> rest) {
    return values_.cared_for(std::move(rest));
  }

  Bool no() const { return {values_.no()}; }
  bool is_no(const Bool& a) const { return values_.is_no(a.set); }
  bool is_yes(const Bool& a) const { return values_.is_yes(a.set); }
  template <class T>
  bool same(const T& a, const T& b) const {
    return a == b;
  }
  // What follows from a path's conditions so far is not added to them.
  Bool both(const Bool& a, const Bool& b) {
    const Lifted<bool> set = values_.both(a.set, b.set);
    if (set == a.set) return a;
    if (is_table(a) && is_table(b)) return {set};
    return {set, tables_.circuit.both(literal(a), literal(b))};
  }
  Bool without(const Bool& a, const Bool& b) {
    const Lifted<bool> set = values_.without(a.set, b.set);
    if (set == a.set) return a;
    if (is_table(a) && is_table(b)) return {set};
    return {set, tables_.circuit.both(literal(a), -literal(b))};
  }
  Bool either(const Bool& a, const Bool& b) {
    const Lifted<bool> set = values_.either(a.set, b.set);
    if (is_table(a) && is_table(b)) return {set};
    return {set, -tables_.circuit.both(-literal(a), -literal(b))};
  }
  Bool has(int axis, int value) { return {values_.has(axis, value)}; }
  Bool equals(Int a, int value) { return {values_.equals(a, value)}; }
  Bool route_is(Warps warps, const std::vector<int>& route) {
    return {values_.route_is(warps, route)};
  }

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    return wrapped(values_.apply(rule, unwrapped(states)...));
  }
  Bool apply(const Both&, const Bool& a, const Bool& b) { return both(a, b); }
  Bool apply(const Either&, const Bool& a, const Bool& b) { return either(a, b); }

  /// What nobody controls goes one way or the other, the nth time in this step, for each of these
  /// hypotheses.
  std::vector<Bool> either_way(const Bool& those, int nth) {
    const auto [known, added] = tables_.choices.try_emplace({step_, nth});
    if (added) {
      known->second =
          tables_.circuit.input("choice " + std::to_string(tables_.recording + 1) + "." +
                                    std::to_string(step_ + 1) + "." + std::to_string(nth + 1),
                                0);
    }
    const Circuit::Literal choice = known->second;
    return {{those.set, tables_.circuit.both(literal(those), choice)},
            {those.set, tables_.circuit.both(literal(those), -choice)}};
  }

  void at_step(int step) { step_ = step; }

  /// What was observed contradicts these, if there are any.
  void contradicted(const Bool& those) {
    if (is_no(those) || !tables_.noted.insert(literal(those)).second) return;
    tables_.contradicted.push_back({those.set.ref, literal(those), tables_.recording, step_});
  }

 private:
  static const auto& unwrapped(const auto& state) { return state; }
  static Lifted<bool> unwrapped(const Bool& state) { return state.set; }
  static auto wrapped(const auto& state) { return state; }
  static Bool wrapped(const Lifted<bool>& table) { return {table}; }

  static bool is_table(const Bool& condition) { return condition.literal == 0; }
  Circuit::Literal literal(const Bool& condition) {
    return condition.literal != 0 ? condition.literal : literal_of(condition.set.ref);
  }

  Circuit::Literal literal_of(Ref set) {
    const Diagrams& diagrams = tables_.workspace.diagrams;
    if (diagrams.is_leaf(set)) {
      return diagrams.value(set) == 1 ? Circuit::kTrue : -Circuit::kTrue;
    }
    if (const auto known = tables_.literals.find(set); known != tables_.literals.end()) {
      return known->second;
    }
    const int axis = diagrams.axis_of(set);
    Circuit& circuit = tables_.circuit;
    std::vector<std::pair<Ref, Circuit::Literal>> by_child;  // what each is reached by
    for (int v = 0; v < axis_size(axis); ++v) {
      const Circuit::Literal is = tables_.axes.is(axis, v);
      const Ref child = diagrams.child(set, axis, v);
      const auto known =
          std::ranges::find(by_child, child, &std::pair<Ref, Circuit::Literal>::first);
      if (known == by_child.end()) {
        by_child.emplace_back(child, is);
      } else {
        known->second = -circuit.both(-known->second, -is);
      }
    }
    Circuit::Literal none = Circuit::kTrue;
    for (const auto& [child, when] : by_child) {
      none = circuit.both(none, -circuit.both(when, literal_of(child)));
    }
    return tables_.literals[set] = -none;
  }

  Tables& tables_;
  DiagramValues values_;
  int step_ = 0;
};

}  // namespace cuvier
