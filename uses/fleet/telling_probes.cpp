#include "uses/fleet/telling_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

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

using Rivals = std::vector<bool>;  ///< by rival

/// How many more there are with these.
int gain(const Rivals& more, const Rivals& so_far) {
  int count = 0;
  for (std::size_t i = 0; i < so_far.size(); ++i) count += more[i] && !so_far[i];
  return count;
}

void add(const Rivals& more, Rivals& so_far) {
  for (std::size_t i = 0; i < so_far.size(); ++i) so_far[i] = so_far[i] || more[i];
}

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
  std::vector<Rivals> tells;  // by probe
  for (const Recording& recording : left) {
    Rivals& told = tells.emplace_back();
    for (const Hypothesis& rival : golden.rivals) {
      const Observation seen = seen_through({}, predict(device, rival, recording.probe));
      told.push_back(facts_of(seen, recording.probe) != recording.facts);
    }
  }
  TellingProbes chosen{{}, {}, static_cast<int>(golden.rivals.size())};
  Rivals told(golden.rivals.size());
  const auto new_ones = [&](const Rivals& more) { return gain(more, told); };
  while (!tells.empty()) {
    const auto best = std::ranges::max_element(tells, {}, new_ones);
    if (new_ones(*best) == 0) break;
    add(*best, told);
    chosen.probes.push_back(left[best - tells.begin()].probe);
    chosen.tells.push_back(std::move(*best));
    left.erase(left.begin() + (best - tells.begin()));
    tells.erase(best);
  }
  return chosen;
}

Told ask_telling(Oracle& oracle, Journal& journal, const Hypothesis& model,
                 const TellingProbes& probes, double seconds, const Task& task) {
  const auto start = std::chrono::steady_clock::now();
  const auto is_over = [&] {
    return std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds);
  };
  Told told;
  Rivals rivals(probes.rivals);
  Asking asking(oracle, journal, model);
  const std::size_t count = probes.probes.size();
  for (std::size_t i = 0; i < count && !is_over(); ++i) {
    const Probe& probe = probes.probes[i];
    task.doing({fmt::format("asking {} of {}: {}", i + 1, count, probe.name), i, count, true});
    try {
      const Votes votes = asking.votes_on(probe);
      ++told.answered;
      add(probes.tells[i], rivals);
      if (votes.explained > 0 && votes.not_explained > 0) told.unrepeated.push_back(probe.name);
      if (!votes.contradict()) continue;
      told.contradicted_by = probe.name;
      break;
    } catch (const OracleRefusal&) {  // then it tells nothing
    }
  }
  told.rivals = static_cast<int>(std::ranges::count(rivals, true));
  return told;
}

}  // namespace cuvier
