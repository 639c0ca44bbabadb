#include "cli/progress.h"

#include <fmt/format.h>

#include <chrono>

#include "cli/interrupt.h"
#include "solver/ending/cut_short.h"

namespace cuvier {

std::function<void(const std::string&)> limited_progress(Terminal& terminal, double time_limit_s) {
  end_on_interrupt();
  const auto start = std::chrono::steady_clock::now();
  return [&terminal, time_limit_s, start](const std::string& doing) {
    if (interrupted()) throw CutShort{"interrupted"};
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (time_limit_s > 0 && spent.count() >= time_limit_s) {
      throw CutShort{fmt::format("the {} s allowed are spent", time_limit_s)};
    }
    terminal.status(doing);
  };
}

}  // namespace cuvier
