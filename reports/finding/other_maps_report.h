#pragma once

#include "reports/document/page.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// Maps of the device under which a named order explains everything: the first in full, how many
/// others there are, and what would settle it. There must be one.
Section other_maps_section(const Finding& finding);

}  // namespace cuvier
