#include "verify/behaviour.h"

#include <fmt/format.h>

#include "verify/interpreter.h"

namespace cuvier::verify {
namespace {

using Sms = std::vector<std::vector<std::vector<int>>>;  // by step, kernel and block

Sms placed(Interpreter& interpreter, const Probe& probe) {
  Sms sms;
  for (const Step& step : interpreter.run(probe)) {
    auto& kernels = sms.emplace_back();
    for (const std::vector<Seen>& blocks : step) {
      kernels.emplace_back();
      for (const Seen& seen : blocks) kernels.back().push_back(seen.sm);
    }
  }
  return sms;
}

}  // namespace

std::string where_they_part(const Device& device, const std::vector<Mechanism>& hypotheses,
                            const std::vector<const Recording*>& recordings,
                            std::mt19937_64& random, const std::function<void()>& still) {
  if (recordings.empty()) return {};
  const auto any = [&]() -> const Probe& {
    return recordings[random() % recordings.size()]->probe;
  };
  const auto drawn = [&] {
    Probe probe = any();
    for (Kernel& kernel : probe.kernels) {
      const Probe& other = any();
      if (other.kernels.empty() || random() % 2 == 0) continue;
      Kernel varied = other.kernels[random() % other.kernels.size()];
      if (varied.cluster != kernel.cluster) continue;
      varied.name = kernel.name;
      varied.blocks = kernel.blocks;
      varied.stream = kernel.stream;
      if (illegal(varied, device).empty()) kernel = varied;
    }
    return probe;
  };
  for (int session = 0; session < compared_sessions; ++session) {
    const Probe first = drawn();
    const Probe second = drawn();
    std::vector<Sms> outcomes;
    for (const Mechanism& hypothesis : hypotheses) {
      if (still) still();
      Interpreter interpreter(device, hypothesis);
      outcomes.push_back(placed(interpreter, first));
      const Sms then = placed(interpreter, second);
      outcomes.back().insert(outcomes.back().end(), then.begin(), then.end());
      if (outcomes.back() == outcomes.front()) continue;
      return fmt::format("{} and then {}, with needs of other kernels", first.name, second.name);
    }
  }
  return {};
}

}  // namespace cuvier::verify
