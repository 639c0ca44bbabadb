#include "cli/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace cuvier {
namespace {

volatile std::sig_atomic_t asked_to_end = 0;

}  // namespace

void end_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { asked_to_end = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  if (asked_to_end != 0) return;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

bool interrupted() { return asked_to_end != 0; }

}  // namespace cuvier
