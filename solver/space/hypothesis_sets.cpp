#include "solver/space/hypothesis_sets.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "hypotheses/values_of_proofs.h"

namespace cuvier {
namespace {

/// How unlike a base the members of a set are, at least.
class Unlikeness {
 public:
  Unlikeness(const Diagrams& diagrams, const Hypothesis& base) : diagrams_(diagrams), base_(base) {}

  double of(Ref set) {
    if (diagrams_.is_leaf(set)) return diagrams_.value(set) == 1 ? 0 : INFINITY;
    if (const auto found = least_.find(set); found != least_.end()) return found->second;
    const int axis = diagrams_.axis_of(set);
    double least = INFINITY;
    for (int v = 0; v < axis_size(axis); ++v) least = std::min(least, through(set, axis, v));
    return least_[set] = least;
  }

  double through(Ref set, int axis, int value) {
    const double own = value == base_.values[axis] ? 0 : 1000 + value;
    return own + of(diagrams_.child(set, axis, value));
  }

 private:
  const Diagrams& diagrams_;
  const Hypothesis& base_;
  std::unordered_map<Ref, double> least_;
};

}  // namespace

Ref set_of(Diagrams& diagrams, const Assumptions& assumptions) {
  Ref set = diagrams.yes();
  for (int axis = 0; axis < kAxes; ++axis) {
    set = diagrams.both(set, diagrams.literal(axis, assumptions.allowed[axis]));
  }
  return set;
}

std::vector<Assumptions> parts_of(const Assumptions& assumptions) {
  std::vector<Assumptions> parts(1, assumptions);
  Assumptions plain = assumptions;
  for (int axis = kAxes; axis-- > 0;) {
    const std::uint32_t resorts = last_resorts(axis);
    if (resorts == 0) continue;
    plain.allowed[axis] &= ~resorts;
    std::vector<std::uint32_t> choices{~resorts | of_lone_tpcs(axis)};
    for (int v = axis_size(axis); v-- > 0;) {
      if ((resorts & ~of_lone_tpcs(axis)) >> v & 1) choices.push_back(1u << v);
    }
    const std::vector<Assumptions> whole = std::exchange(parts, {});
    for (const std::uint32_t choice : choices) {
      for (Assumptions part : whole) {
        part.allowed[axis] &= choice;
        parts.push_back(part);
      }
    }
  }
  if (parts.front().allowed != plain.allowed) parts.insert(parts.begin(), plain);
  return parts;
}

Ref mattering(Diagrams& diagrams, int axis) {
  const Relevance conditions = axis_info(axis).matters_when;
  if (conditions.empty()) return diagrams.yes();
  Ref matters = diagrams.no();
  for (int other = 0; other < kAxes; ++other) {
    const std::uint32_t outside = all_values(other) & ~values_of_proofs()[other];
    if (outside != 0) matters = diagrams.either(matters, diagrams.literal(other, outside));
  }
  for (const auto& conjunction : conditions) {
    Ref all = diagrams.yes();
    for (const AxisLiteral& literal : conjunction) {
      all = diagrams.both(all,
                          diagrams.literal(*find_axis(literal.axis), values_under(literal, axis)));
    }
    matters = diagrams.either(matters, all);
  }
  return matters;
}

Ref distinct(Diagrams& diagrams, const FirstOrders& orders, Ref set) {
  for (int axis = 0; axis < kAxes; ++axis) {
    std::vector<int> signature;  // for itself, or for one that is not in the set
    for (const int v : values_in(diagrams, set, axis)) {
      const auto same = [&](int other) { return orders.of(axis, other) == orders.of(axis, v); };
      if (std::ranges::none_of(signature, same)) {
        signature.push_back(v);
      } else {
        set = diagrams.without(set, diagrams.literal(axis, 1u << v));
      }
    }
  }
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::vector<int> values = values_in(diagrams, set, axis);
    if (values.size() < 2) continue;
    set = diagrams.both(set, diagrams.either(mattering(diagrams, axis),
                                             diagrams.literal(axis, 1u << values.front())));
  }
  return set;
}

std::vector<int> values_in(Diagrams& diagrams, Ref set, int axis) {
  std::vector<int> values;
  for (int v = 0; v < axis_size(axis); ++v) {
    if (diagrams.both(set, diagrams.literal(axis, 1u << v)) != diagrams.no()) values.push_back(v);
  }
  return values;
}

SurvivingValues surviving_in(Diagrams& diagrams, Ref set) {
  SurvivingValues surviving;
  for (int axis = 0; axis < kAxes; ++axis) surviving[axis] = values_in(diagrams, set, axis);
  return surviving;
}

Hypothesis nearest(const Diagrams& diagrams, Ref set, const Hypothesis& base) {
  Unlikeness unlikeness(diagrams, base);
  Hypothesis nearest{base.values, {}};
  while (!diagrams.is_leaf(set)) {
    const int axis = diagrams.axis_of(set);
    int best = 0;
    for (int v = 1; v < axis_size(axis); ++v) {
      if (unlikeness.through(set, axis, v) < unlikeness.through(set, axis, best)) best = v;
    }
    nearest.values[axis] = static_cast<std::uint8_t>(best);
    set = diagrams.child(set, axis, best);
  }
  return nearest;
}

std::vector<Hypothesis> members_of(const Diagrams& diagrams, Ref set) {
  std::vector<Hypothesis> members;
  Hypothesis h;
  const auto list = [&](const auto& self, Ref rest, int axis) -> void {
    if (rest == diagrams.no()) return;
    if (axis == kAxes) {
      members.push_back(h);
      return;
    }
    for (int v = 0; v < axis_size(axis); ++v) {
      h.values[axis] = static_cast<std::uint8_t>(v);
      self(self, diagrams.child(rest, axis, v), axis + 1);
    }
  };
  list(list, set, 0);
  return members;
}

}  // namespace cuvier
