#pragma once

#include "hypotheses/assumptions.h"
#include "hypotheses/first_orders.h"
#include "solver/space/diagram.h"
#include "solver/space/survivors.h"

namespace cuvier {

/// The hypotheses that are assumed, as a set.
Ref set_of(Diagrams& diagrams, const Assumptions& assumptions);

/// The parts of what is assumed, in the order in which they are considered, each where nothing else
/// is left: without any last resort (AxisValue); then also with all those that need lone TPCs, from
/// there on; then with one, with several axes' at last. Of an axis the last in its table goes first.
std::vector<Assumptions> parts_of(const Assumptions& assumptions);

/// Those under which the axis matters (AxisInfo::matters_when).
Ref mattering(Diagrams& diagrams, int axis);

/// One of each class of members that differ only in axes that do not matter, or in orders that are
/// one. Their number is the number of hypotheses, wherever one is told.
Ref distinct(Diagrams& diagrams, const FirstOrders& orders, Ref set);

/// The values that the axis has in the set.
std::vector<int> values_in(Diagrams& diagrams, Ref set, int axis);
SurvivingValues surviving_in(Diagrams& diagrams, Ref set);

/// The member that is most like `base`: with the fewest values that are not its own, then the
/// earliest in the tables. There must be one. Orders of SMs are not in a set: it has none.
Hypothesis nearest(const Diagrams& diagrams, Ref set, const Hypothesis& base);

/// All of a set, in the order of the table.
std::vector<Hypothesis> members_of(const Diagrams& diagrams, Ref set);

}  // namespace cuvier
