#pragma once

#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// What the choice of an SM asks of the SMs under a hypothesis.
struct ChoiceAsks {
  bool room = false;
  bool usage = false;
};

ChoiceAsks asks_of_choice(const Device& device, const Hypothesis& hypothesis);

/// Why the choice of an SM may differ under two hypotheses whose SMs answer alike; none if it
/// cannot. Both choose among SMs of which nothing is known, from every position of the cursors;
/// who asks the same questions in the same order gets the same answers, and goes to the same SM.
std::optional<std::string> choice_differs(const Device& device, const Hypothesis& a,
                                          const Hypothesis& b);

/// Whether the SM chosen for a block is chosen for the next one of its kernel, too, if that fits
/// there: given that other SMs answer as before, and that its usage has not shrunk.
bool choice_stays(const Device& device, const Hypothesis& hypothesis);

}  // namespace cuvier
