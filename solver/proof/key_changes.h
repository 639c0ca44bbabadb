#pragma once

#include "hypotheses/axes/selection.h"

namespace cuvier {

/// Whether the selection is a formula of which a block has its SM's key shrink, or stay, and no
/// other SM's change: as far as the form of the formula tells.
bool keys_shrink_by_formula(Selection::Value selection);

}  // namespace cuvier
