#pragma once

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "probes/family.h"
#include "probes/oracle.h"

namespace cuvier {

/// How an oracle errs: placements swapped, or a block missing.
struct Noise {
  double of_runs = 0;    ///< this share of runs, each in its own way
  double of_probes = 0;  ///< this share of probes, each always in the same way
  std::uint64_t seed = 1;
};

/// One block missing, or two that changed places.
inline void spoil(Observation& observation, Rng& rng) {
  struct Placed {
    Started* started;
    std::size_t at;
    int& sm() const { return started->sm[at]; }
  };
  std::vector<Placed> all;
  for (Step& step : observation.steps) {
    for (Started& started : step.started) {
      for (std::size_t i = 0; i < started.sm.size(); ++i) all.push_back({&started, i});
    }
  }
  if (all.empty()) return;
  const Placed one = all[uniform(rng, 0, static_cast<int>(all.size()) - 1)];
  std::erase_if(all, [&](const Placed& other) { return other.sm() == one.sm(); });
  if (!all.empty() && uniform(rng, 0, 1) == 0) {
    std::swap(one.sm(), all[uniform(rng, 0, static_cast<int>(all.size()) - 1)].sm());
    return;
  }
  one.started->sm.erase(one.started->sm.begin() + static_cast<std::ptrdiff_t>(one.at));
  one.started->block.erase(one.started->block.begin() + static_cast<std::ptrdiff_t>(one.at));
  for (Step& step : observation.steps) {
    std::erase_if(step.started, [](const Started& started) { return started.block.empty(); });
  }
}

/// An oracle whose answers are sometimes wrong.
class NoisyOracle : public Oracle {
 public:
  NoisyOracle(Oracle& oracle, const Noise& noise)
      : oracle_(oracle), noise_(noise), rng_(noise.seed) {}

  const Device& device() const override { return oracle_.device(); }
  std::string description() const override { return oracle_.description() + " with noise"; }
  bool begin_session() override { return oracle_.begin_session(); }
  int session() const override { return oracle_.session(); }

  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers = oracle_.run(probe, repeat);
    for (Answer& answer : answers) {
      ++runs;
      Rng of_probe(hash_of(probe));
      if (chance(of_probe) < noise_.of_probes) spoil(*answer.observation, of_probe);
      if (chance(rng_) < noise_.of_runs) spoil(*answer.observation, rng_);
      answer.facts = facts_of(*answer.observation, probe);
    }
    return answers;
  }

  int runs = 0;

 private:
  static double chance(Rng& rng) { return static_cast<double>(rng() >> 11) * 0x1p-53; }

  std::uint64_t hash_of(Probe probe) const {
    probe.name.clear();
    return std::hash<std::string>{}(to_json(probe).dump()) ^ noise_.seed * 0x9E3779B97F4A7C15ull;
  }

  Oracle& oracle_;
  Noise noise_;
  Rng rng_;
};

}  // namespace cuvier
