#include "hypotheses/simulated_oracle.h"

#include "probes/error.h"

namespace cuvier {
namespace {

/// What a black box shows: where each block went, and nothing of why.
void strip(Observation& observation) {
  for (Step& step : observation.steps) {
    step.shared_config.clear();
    for (Started& started : step.started) started.warp_slot.clear();
  }
}

}  // namespace

SimulatedOracle::SimulatedOracle(std::string description, const Device& device,
                                 const Hypothesis& hypothesis, std::uint64_t seed)
    : description_(std::move(description)),
      device_(device),
      hypothesis_(hypothesis),
      choices_(seed) {
  simulator_.emplace(device_, hypothesis_);
}

bool SimulatedOracle::begin_session() {
  simulator_.emplace(device_, hypothesis_);
  ++session_;
  return true;
}

std::vector<Answer> SimulatedOracle::run(const Probe& probe, int repeat) {
  try {
    validate(probe, device(), probe.name);
  } catch (const Error& error) {
    throw OracleRefusal("invalid_probe", error.what());
  }
  std::vector<Answer> answers;
  for (int i = 0; i < repeat; ++i) {
    Observation observation = simulator_->run(probe, choices_);
    strip(observation);
    std::vector<Fact> facts = facts_of(observation, probe);
    answers.push_back({std::move(facts), std::move(observation)});
  }
  return answers;
}

}  // namespace cuvier
