#include "solver/constraints/refutations.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "solver/constraints/tabled_values.h"
#include "solver/space/hypothesis_sets.h"
#include "solver/space/strands.h"

namespace cuvier {
struct Refutations::State {
  State(const Device& d, const Assumptions& a) : device(d), assumptions(a), tables(assumptions) {
    all = {set_of(tables.workspace.diagrams, assumptions)};
    strands.push_back({{all, Circuit::kTrue}, {}, {}, Precedences(d.sms)});
  }

  Lifted<bool> left() const {
    Diagrams& diagrams = tables.workspace.diagrams;
    Ref some = diagrams.no();
    for (const auto& strand : strands) some = diagrams.either(some, strand.set.set.ref);
    return {some};
  }

  void observe(const Recording& recording) {
    ++tables.recording;
    tables.moments.clear();
    names.push_back(recording.name());
    TabledValues values(tables, left());
    auto from = strands;
    for (auto& strand : from) {
      for (auto& file : strand.warp_files) file = values.cared_for(file);
    }
    const std::size_t before = tables.contradicted.size();
    try {
      strands = explain(recording, device, values, from);
    } catch (const GaveUp&) {
      for (std::size_t i = before; i < tables.contradicted.size(); ++i) {
        tables.noted.erase(tables.contradicted[i].literal);
      }
      tables.contradicted.resize(before);
      throw;
    }
  }

  Circuit::Literal input(const Refutation::Value& of) const {
    return tables.axes.is(of.axis, of.value).literal();
  }

  /// That those of the set have none of what is refuted, whoever has the value.
  Refutation refutation(Ref set, const Refutation::Value& of,
                        const std::vector<Refutation::Value>& known) const {
    Diagrams& diagrams = tables.workspace.diagrams;
    std::vector<const Contradicted*> contradicted;
    std::vector<Circuit::Literal> literals{input(of)};
    for (const Contradicted& each : tables.contradicted) {
      if (diagrams.both(set, each.set) == diagrams.no()) continue;
      contradicted.push_back(&each);
      literals.push_back(each.literal);
    }
    std::vector<Circuit::Literal> given;
    for (const Refutation::Value& each : known) given.push_back(-input(each));
    const Circuit::Written written = tables.circuit.written(literals, given);
    Refutation refutation{of, 0, "(set-logic QF_UF)\n" + written.definitions};
    std::string& text = refutation.smt2;
    std::string last;
    for (std::size_t i = 0; i < contradicted.size(); ++i) {
      const Contradicted& each = *contradicted[i];
      const std::string place = "; " + names[each.recording] + ", step " +
                                std::to_string(each.step) +
                                ": who takes one of these paths does not show what was seen\n";
      if (std::exchange(last, place) != place) {
        text += place;
        ++refutation.steps;
      }
      text += "(assert (not " + written.literals[i + 1] + "))\n";
    }
    text += "; whoever has the value\n(assert " + written.literals[0] + ")\n(check-sat)\n";
    return refutation;
  }

  /// Values that nobody has who is left, those first that fewest paths are about.
  std::vector<Refutation::Value> refuted() const {
    Diagrams& diagrams = tables.workspace.diagrams;
    const Ref left_now = left().ref;
    std::vector<std::pair<std::ptrdiff_t, Refutation::Value>> refuted;
    for (int axis = 0; axis < kAxes; ++axis) {
      for (int v = 0; v < axis_size(axis); ++v) {
        const Ref with = diagrams.literal(axis, 1u << v);
        if (!assumptions.allows(axis, v)) continue;
        if (diagrams.both(left_now, with) != diagrams.no()) continue;
        const auto paths =
            std::ranges::count_if(tables.contradicted, [&](const Contradicted& each) {
              return diagrams.both(each.set, with) != diagrams.no();
            });
        refuted.emplace_back(paths, Refutation::Value{axis, v});
      }
    }
    std::ranges::stable_sort(refuted, {}, [](const auto& each) { return each.first; });
    std::vector<Refutation::Value> values;
    for (const auto& [paths, value] : refuted) values.push_back(value);
    return values;
  }

  std::vector<Refutation> list() const {
    Diagrams& diagrams = tables.workspace.diagrams;
    std::vector<Refutation> list;
    std::vector<Refutation::Value> known;
    Ref set = all.ref;
    for (const Refutation::Value& value : refuted()) {
      const Ref with = diagrams.literal(value.axis, 1u << value.value);
      if (diagrams.both(set, with) != diagrams.no()) {
        list.push_back(refutation(diagrams.both(set, with), value, known));
      }
      known.push_back(value);
      set = diagrams.without(set, with);
    }
    return list;
  }

  Device device;
  Assumptions assumptions;
  mutable Tables tables;
  Lifted<bool> all;
  std::vector<Strand<TabledValues>> strands;
  std::vector<std::string> names;
};

Refutations::Refutations(const Device& device, const Assumptions& assumptions)
    : state_(std::make_unique<State>(device, assumptions)) {}
Refutations::~Refutations() = default;

void Refutations::observe(const Recording& recording) { state_->observe(recording); }

bool Refutations::leaves_any() const {
  return state_->left().ref != state_->tables.workspace.diagrams.no();
}

bool Refutations::admits(const Hypothesis& hypothesis) const {
  const Tables& tables = state_->tables;
  std::vector<Circuit::Literal> has;
  for (int axis = 0; axis < kAxes; ++axis) {
    const int value = hypothesis.values[axis];
    if (!state_->assumptions.allows(axis, value)) return false;
    has.push_back(tables.axes.is(axis, value).literal());
  }
  const std::vector<bool> holds = tables.circuit.evaluated(has);
  return std::ranges::none_of(tables.contradicted, [&](const Contradicted& each) {
    return holds[std::abs(each.literal)] == (each.literal > 0);
  });
}

std::vector<Refutation> Refutations::list() const { return state_->list(); }

}  // namespace cuvier
