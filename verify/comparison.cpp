#include "verify/interpreter.h"

#include <fmt/format.h>

#include <algorithm>

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

namespace {

/// Where the blocks of the probe go; how their warps do does not always show.
std::vector<Step> placed(Interpreter& interpreter, const Probe& probe) {
  std::vector<Step> steps = interpreter.run(probe);
  for (Step& step : steps) {
    for (auto& blocks : step) {
      for (Seen& seen : blocks) seen.subpartitions.clear();
    }
  }
  return steps;
}

}  // namespace

std::string where_they_part(const Device& device, const std::vector<Mechanism>& hypotheses,
                            const std::vector<int>& order,
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
  std::vector<const Recording*> opened;
  std::ranges::copy_if(recordings, std::back_inserter(opened),
                       [](const Recording* each) { return each->opening != nullptr; });
  for (int session = 0; session < compared_sessions; ++session) {
    std::vector<Probe> probes = {drawn()};
    std::shared_ptr<const Opening> opening;
    if (opened.empty()) {
      probes.push_back(drawn());
    } else {
      opening = opened[random() % opened.size()]->opening;
      // A device frees blocks one by one, and each may let one in that waits.
      auto& script = probes.front().script;
      script.erase(std::ranges::find_if(script, &Action::releases_several), script.end());
    }
    std::vector<std::vector<Step>> outcomes;
    for (const Mechanism& hypothesis : hypotheses) {
      if (still) still();
      Interpreter interpreter(device, hypothesis, order, opening);
      std::vector<Step>& outcome = outcomes.emplace_back();
      for (const Probe& probe : probes) {
        const std::vector<Step> more = placed(interpreter, probe);
        outcome.insert(outcome.end(), more.begin(), more.end());
      }
      if (outcome == outcomes.front()) continue;
      return fmt::format("{}{}, with needs of other kernels", probes.front().name,
                         opening ? "" : " and then " + probes.back().name);
    }
  }
  return {};
}

}  // namespace cuvier::verify
