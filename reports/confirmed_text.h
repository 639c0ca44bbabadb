#pragma once

#include <string>

#include "solver/finding/confirmed.h"

namespace cuvier {

/// How much was asked beside what told the mechanism, and what kinds of launches were not.
std::string confirmed_text(const Confirmed& confirmed);

}  // namespace cuvier
