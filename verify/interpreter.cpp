#include "verify/interpreter.h"

namespace cuvier::verify {

Interpreter::Interpreter(const Device& device, const Mechanism& mechanism, std::vector<int> learned,
                         std::shared_ptr<const Opening> opening)
    : left_(device, Space(mechanism), std::move(learned)), opening_(std::move(opening)) {}

std::vector<Step> Interpreter::run(const Probe& probe) {
  Recording of_nothing;
  of_nothing.probe = probe;
  of_nothing.known.resize(probe.script.size(), std::vector<Known>(probe.kernels.size()));
  of_nothing.opening = std::exchange(opening_, nullptr);
  of_nothing.fresh = of_nothing.opening != nullptr;
  std::vector<Step> shown;
  left_.explain(of_nothing, &shown);
  return shown;
}

}  // namespace cuvier::verify
