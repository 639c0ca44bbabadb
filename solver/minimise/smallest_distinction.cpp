#include "solver/minimise/smallest_distinction.h"

#include "solver/cancellation/task.h"

namespace cuvier {

Minimality make_smaller(Distinction& distinction, const Device& device, const Hypothesis& a,
                        const Hypothesis& b, std::uint64_t seed, const Task& task) {
  if (distinction.likelihood) {
    const Measure open{false, "what happens is open: it is not made smaller"};
    return {open, open, open, open};
  }
  MinimiseOptions options;
  options.seed = seed;
  options.task = task;
  const Minimised minimised = minimise_between(distinction.probe, device, a, b, options);
  const std::string why = distinction.why + ", then made smaller";
  distinction = distinction_by(minimised.probe, device, a, b).value();
  distinction.why = why;
  if (!minimised.cut_short.empty()) throw Stopped{minimised.cut_short};
  return minimised.least;
}

}  // namespace cuvier
