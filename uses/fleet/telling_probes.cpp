#include "uses/fleet/telling_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "hypotheses/simulator.h"
#include "solver/finding/mismatches.h"
#include "uses/kit/golden.h"

namespace cuvier {
namespace {

/// An answer that contradicts the model counts where it does so twice of three times.
constexpr int kEnoughVotes = 2;

/// How often the model explained what was answered to a probe, and how often not.
struct Votes {
  int explained = 0;
  int not_explained = 0;

  bool contradict() const { return not_explained >= kEnoughVotes; }
  bool settled() const {
    return contradict() || explained >= kEnoughVotes || (explained > 0 && not_explained == 0);
  }
};

class Asking {
 public:
  Asking(Oracle& oracle, Journal& journal, const Hypothesis& model)
      : oracle_(oracle), journal_(journal), model_(model) {}

  Votes votes_on(const Probe& probe) {
    Votes votes;
    for (const Recording& recording : journal_.recorded().recordings) {
      if (same_question(recording.probe, probe)) count(recording, votes);
    }
    while (!votes.settled()) {
      oracle_.begin_session();
      Answer answer = std::move(oracle_.run(probe, 1).front());
      count(journal_.append(probe, std::move(answer), true, oracle_.opening(),
                            {{"why", "whether it is as the fleet's model"}}),
            votes);
    }
    return votes;
  }

 private:
  void count(const Recording& recording, Votes& votes) const {
    const RecordingSet alone{"", oracle_.device(), {recording}};
    ++(mismatches(alone, model_).empty() ? votes.explained : votes.not_explained);
  }

  Oracle& oracle_;
  Journal& journal_;
  const Hypothesis& model_;
};

}  // namespace

TellingProbes telling_probes(const Device& device, const Hypothesis& model, std::uint64_t seed) {
  const Golden golden = golden_probes(device, model, seed);
  std::vector<Recording> left = golden.set.recordings;
  std::vector<std::vector<bool>> tells;  // by probe, by rival
  for (const Recording& recording : left) {
    std::vector<bool>& told = tells.emplace_back();
    for (const Hypothesis& rival : golden.rivals) {
      const Observation seen = seen_through({}, predict(device, rival, recording.probe));
      told.push_back(facts_of(seen, recording.probe) != recording.facts);
    }
  }
  TellingProbes chosen{{}, {}, static_cast<int>(golden.rivals.size())};
  std::vector<bool> told(golden.rivals.size());
  const auto gain = [&](const std::vector<bool>& more) {
    int count = 0;
    for (std::size_t i = 0; i < told.size(); ++i) count += more[i] && !told[i];
    return count;
  };
  while (!tells.empty()) {
    const auto best = std::ranges::max_element(tells, {}, gain);
    if (gain(*best) == 0) break;
    for (std::size_t i = 0; i < told.size(); ++i) told[i] = told[i] || (*best)[i];
    chosen.probes.push_back(left[best - tells.begin()].probe);
    chosen.told.push_back(static_cast<int>(std::ranges::count(told, true)));
    left.erase(left.begin() + (best - tells.begin()));
    tells.erase(best);
  }
  return chosen;
}

Told ask_telling(Oracle& oracle, Journal& journal, const Hypothesis& model,
                 const std::vector<Probe>& probes, double seconds, const Task& task) {
  const auto start = std::chrono::steady_clock::now();
  const auto is_over = [&] {
    return std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds);
  };
  Told told;
  Asking asking(oracle, journal, model);
  for (const Probe& probe : probes) {
    if (is_over()) break;
    task.doing({fmt::format("asking {} of {}: {}", told.asked + 1, probes.size(), probe.name),
                told.asked, probes.size(), true});
    ++told.asked;
    try {
      const Votes votes = asking.votes_on(probe);
      if (votes.explained > 0 && votes.not_explained > 0) told.unrepeated.push_back(probe.name);
      if (!votes.contradict()) continue;
      told.contradicted_by = probe.name;
      break;
    } catch (const OracleRefusal&) {  // then it tells nothing
    }
  }
  return told;
}

}  // namespace cuvier
