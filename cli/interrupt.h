#pragma once

namespace cuvier {

/// From here on, Ctrl-C and SIGTERM ask to end in order; a second one ends the process.
void end_on_interrupt();

/// Whether that was asked for.
bool interrupted();

}  // namespace cuvier
