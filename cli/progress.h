#pragma once

#include <functional>
#include <string>

#include "cli/terminal.h"

namespace cuvier {

/// For long work to call with what it does: shows that, and throws CutShort once Ctrl-C was
/// pressed or so many seconds are spent (0: any number). The terminal must outlive it.
std::function<void(const std::string&)> limited_progress(Terminal& terminal,
                                                         double time_limit_s = 0);

}  // namespace cuvier
