#include "solver/invention/on_trial.h"

#include <algorithm>
#include <utility>

#include "hypotheses/simulator.h"
#include "solver/finding/alike_answers.h"
#include "solver/invention/explains.h"

namespace cuvier {

OnTrial::OnTrial(const Proposal& proposal)
    : value_(proposal.axis, parse_formula(*axis_info(proposal.axis).formula, proposal.formula)),
      mechanism_(proposal.hypothesis.with(proposal.axis, value_.value())) {}

bool explains(const Device& device, const Proposal& proposal, const Recording& recording) {
  const OnTrial trial(proposal);
  return explains(predict(device, trial.mechanism(), recording.probe), recording);
}

std::optional<Probe> telling_apart(const Device& device, const std::vector<Proposal>& proposals,
                                   const std::vector<Probe>& probes,
                                   const std::vector<std::string>& channels) {
  std::optional<OnTrial> trial;  // there is room for one at a time
  std::size_t of = proposals.size();
  return telling_apart(proposals.size(), probes, [&](std::size_t i, const Probe& probe) {
    if (of != i) {
      trial.reset();
      trial.emplace(proposals[of = i]);
    }
    return seen_through(channels, predict(device, trial->mechanism(), probe));
  });
}

std::optional<Probe> telling_apart(
    std::size_t candidates, const std::vector<Probe>& probes,
    const std::function<Observation(std::size_t, const Probe&)>& predict) {
  std::vector<AlikeAnswers> answers(probes.size());
  for (std::size_t candidate = 0; candidate < candidates; ++candidate) {
    for (std::size_t i = 0; i < probes.size(); ++i) {
      answers[i].add(predict(candidate, probes[i]));
    }
  }
  const auto best = std::ranges::min_element(answers, {}, &AlikeAnswers::most);
  if (best == answers.end() || best->most() == candidates) return std::nullopt;
  return probes[best - answers.begin()];
}

}  // namespace cuvier
