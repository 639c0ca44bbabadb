#include "hypotheses/simulated_oracle.h"

#include "probes/error.h"

namespace cuvier {

SimulatedOracle::SimulatedOracle(std::string description, const Device& device,
                                 const Hypothesis& hypothesis, std::uint64_t seed)
    : description_(std::move(description)), simulator_(device, hypothesis), choices_(seed) {}

bool SimulatedOracle::begin_session() {
  simulator_.begin_session();
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
    Observation observation = seen_through({}, simulator_.run(probe, &choices_));
    std::vector<Fact> facts = facts_of(observation, probe);
    answers.push_back({std::move(facts), std::move(observation)});
  }
  return answers;
}

}  // namespace cuvier
