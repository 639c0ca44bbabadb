#include "uses/fits/survivors.h"

#include "hypotheses/simulator.h"
#include "solver/space/hypothesis_sets.h"

namespace cuvier {
Survivors::Survivors(const Device& device, const Assumptions& assumptions, std::vector<int> order,
                     std::vector<Session> sessions, const Task& task)
    : task_(task),
      explanations_(device, assumptions, order, std::move(sessions), task_),
      order_(std::move(order)),
      open_(explanations_.all_of(explanations_.assumed())),
      safe_(explanations_.diagrams().no()),
      all_(distinct_in(open_)) {}

double Survivors::distinct_in(Ref set) const {
  Diagrams& diagrams = explanations_.diagrams();
  return diagrams.count(distinct(diagrams, FirstOrders(explanations_.device()), set));
}

/// Those of which a probe may have several outcomes.
Ref Survivors::left_to_chance() {
  Diagrams& diagrams = explanations_.diagrams();
  Ref set = diagrams.no();
  for (int axis = 0; axis < kAxes; ++axis) {
    std::uint32_t several = 0;
    for (int v = 0; v < axis_size(axis); ++v) {
      if (axis_value(axis, v).several_outcomes) several |= 1u << v;
    }
    if (several == 0) continue;
    set = diagrams.either(
        set, diagrams.both(mattering(diagrams, axis), diagrams.literal(axis, several)));
  }
  return set;
}

/// The hypothesis alone.
Ref Survivors::only(const Hypothesis& hypothesis) {
  Diagrams& diagrams = explanations_.diagrams();
  Ref set = diagrams.yes();
  for (int axis = 0; axis < kAxes; ++axis) {
    set = diagrams.both(set, diagrams.literal(axis, 1u << hypothesis.values[axis]));
  }
  return set;
}

std::optional<Hypothesis> Survivors::next() {
  Diagrams& diagrams = explanations_.diagrams();
  if (open_ == diagrams.no()) return std::nullopt;
  latest_ = nearest(diagrams, open_, Hypothesis{});
  if (latest_.get<TieBreak>() == TieBreak::learned) latest_.order = order_;
  open_ = diagrams.without(open_, only(latest_));
  ++behaviours_;
  return latest_;
}

void Survivors::all_orders_are_safe(const std::vector<Order>& orders,
                                    const std::vector<Kernel>& kernels) {
  Diagrams& diagrams = explanations_.diagrams();
  // Who explains what was seen by chance may do otherwise the next time.
  Ref alike = diagrams.without(open_, left_to_chance());
  for (const Order& order : orders) {
    task_.doing("{:.0f} of {:.0f} hypotheses are safe; looking for those that place blocks like {}",
                count().safe, all_, describe(latest_));
    if (!order.is_settled()) {
      alike = diagrams.no();  // no probe shows it, so nothing can be compared
      break;
    }
    const Probe probe = probe_of(order, kernels, "order");
    const Observation seen = predict(explanations_.device(), latest_, probe);
    const Recording recording{.probe = probe, .facts = facts_of(seen, probe), .where = {}};
    alike = explanations_.explaining({recording}, alike);
  }
  // Who places blocks alike strands none either.
  open_ = diagrams.without(open_, alike);
  safe_ = diagrams.either(safe_, diagrams.either(alike, only(latest_)));
}

}  // namespace cuvier
