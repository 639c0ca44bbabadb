#include "solver/constraints/refutations.h"

#include <cstddef>
#include <utility>

#include "solver/constraints/tabled_values.h"
#include "solver/space/hypothesis_sets.h"
#include "solver/space/strands.h"

namespace cuvier {
namespace {

/// In one assertion: a solver takes longer over many that go back to the same definitions.
std::string any_of(const std::vector<std::string>& terms) {
  if (terms.size() == 1) return terms[0];
  std::string text = "(or";
  for (const std::string& term : terms) text += "\n  " + term;
  return text + ")";
}

}  // namespace

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
    tables.choices.clear();
    names.push_back(recording.name());
    TabledValues values(tables, left());
    auto from = strands;
    for (auto& strand : from) strand.rest = values.cared_for(std::move(strand.rest));
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

  /// The values that nobody has who is left, and whoever has one of them.
  std::pair<std::vector<RefutedValues::Value>, Ref> refuted_values() const {
    Diagrams& diagrams = tables.workspace.diagrams;
    const Ref left_now = left().ref;
    std::vector<RefutedValues::Value> values;
    Ref having = diagrams.no();
    for (int axis = 0; axis < kAxes; ++axis) {
      for (int v = 0; v < axis_size(axis); ++v) {
        const Ref with = diagrams.literal(axis, 1u << v);
        if (!assumptions.allows(axis, v)) continue;
        if (diagrams.both(left_now, with) != diagrams.no()) continue;
        values.push_back({axis, v});
        having = diagrams.either(having, with);
      }
    }
    return {std::move(values), diagrams.both(all.ref, having)};
  }

  RefutedValues refuted() const {
    const auto [values, having] = refuted_values();
    if (values.empty()) return {};
    Diagrams& diagrams = tables.workspace.diagrams;
    std::vector<const Contradicted*> contradicted;
    std::vector<Circuit::Literal> literals;
    for (const Contradicted& each : tables.contradicted) {
      if (diagrams.both(having, each.set) == diagrams.no()) continue;
      contradicted.push_back(&each);
      literals.push_back(each.literal);
    }
    for (const RefutedValues::Value& each : values) {
      literals.push_back(tables.axes.is(each.axis, each.value));
    }
    const auto [definitions, written] = tables.circuit.written(literals);
    std::string text = "(set-logic QF_UF)\n" + definitions;
    std::size_t next = 0;
    while (next < contradicted.size()) {
      const std::string at = place(*contradicted[next]);
      std::vector<std::string> paths;
      while (next < contradicted.size() && place(*contradicted[next]) == at) {
        paths.push_back(written[next++]);
      }
      text += "; " + at + ": who takes one of these paths does not show what was seen\n" +
              "(assert (not " + any_of(paths) + "))\n";
    }
    text += "; whoever has one of these values\n(assert " +
            any_of({written.begin() + static_cast<std::ptrdiff_t>(next), written.end()}) +
            ")\n(check-sat)\n";
    return {values, text};
  }

  std::string place(const Contradicted& of) const {
    return names[of.recording] + ", step " + std::to_string(of.step);
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

SurvivingValues Refutations::surviving() const {
  return surviving_in(state_->tables.workspace.diagrams, state_->left().ref);
}

const Tables& Refutations::tables() const { return state_->tables; }

RefutedValues Refutations::refuted() const { return state_->refuted(); }

}  // namespace cuvier
