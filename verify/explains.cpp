#include "verify/explains.h"

#include <algorithm>
#include <memory>

#include "verify/interpreter.h"

namespace cuvier::verify {
namespace {

bool explains(Interpreter& interpreter, const Recording& recording) {
  const Probe& probe = recording.probe;
  const std::vector<Step> steps = interpreter.run(probe);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    for (std::size_t k = 0; k < probe.kernels.size(); ++k) {
      const std::vector<Seen>& seen = steps[step][k];
      const int started = static_cast<int>(seen.size());
      std::vector<int> sms;
      std::vector<std::vector<int>> routes;
      for (const Seen& each : seen) sms.push_back(each.sm), routes.push_back(each.subpartitions);
      std::vector<int> set = sms;
      std::ranges::sort(set);
      const Known& known = recording.known[step][k];
      std::vector<std::vector<int>> seen_routes = known.slots.value_or(routes);
      for (auto& slots : seen_routes) slots = subpartitions_of(slots);
      if (known.sms.value_or(sms) != sms || known.sm_set.value_or(set) != set ||
          known.started.value_or(started) != started ||
          known.starts.value_or(started > 0) != (started > 0) ||
          known.complete.value_or(started == probe.kernels[k].blocks) !=
              (started == probe.kernels[k].blocks) ||
          seen_routes != routes) {
        return false;
      }
    }
  }
  return std::ranges::all_of(probe.script, [&](const Action& action) {
    return action.launch < 0 || !recording.configs[action.launch] ||
           *recording.configs[action.launch] ==
               interpreter.preferred_config(probe.kernels[action.launch]);
  });
}

}  // namespace

bool explains(const Device& device, const Mechanism& hypothesis, const std::vector<int>& order,
              const std::vector<const Recording*>& recordings, int most_wrong,
              const std::function<void()>& still) {
  std::unique_ptr<Interpreter> interpreter;
  int wrong = 0;
  for (const Recording* recording : recordings) {
    if (still) still();
    if (recording->fresh) {
      interpreter = std::make_unique<Interpreter>(device, hypothesis, order);
      if (recording->opening) interpreter->open(*recording->opening);
    }
    if (!explains(*interpreter, *recording) && ++wrong > most_wrong) return false;
  }
  return true;
}

}  // namespace cuvier::verify
