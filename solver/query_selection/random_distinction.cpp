#include "solver/query_selection/random_distinction.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "hypotheses/simulator.h"
#include "probes/family.h"

namespace cuvier {
namespace {

constexpr int kRounds = 3;
constexpr std::uint64_t kSeed = 1;

/// What hypotheses say of the same probes. One is compared with many: it is asked once, and only
/// as far as somebody was like it.
class Predictions {
 public:
  Predictions(const Device& device, std::vector<std::string> channels,
              const InitialObservation* opening)
      : device_(device), channels_(std::move(channels)), opening_(opening) {
    Rng rng(kSeed);
    for (int round = 0; round < kRounds; ++round) {
      for (const ProbeFamily& family : probe_families(device)) {
        probes_.push_back({family.draw(device, rng), family.name});
      }
    }
  }

  std::string told_apart(const Hypothesis& a, const Hypothesis& b) {
    Seen& under_a = seen_under(a);
    Seen& under_b = seen_under(b);
    for (std::size_t i = 0; i < probes_.size(); ++i) {
      if (next(under_a, i) != next(under_b, i)) {
        return fmt::format("a probe of family {} tells them apart", probes_[i].family);
      }
    }
    return "";
  }

 private:
  struct Drawn {
    Probe probe;
    std::string_view family;
  };
  struct Seen {
    Simulator simulator;
    std::vector<Observation> of;  ///< the first of the probes
  };

  Seen& seen_under(const Hypothesis& h) {
    const auto [known, added] = seen_.try_emplace(h, Simulator(device_, h));
    if (added) known->second.simulator.begin_session(opening_);
    return known->second;
  }

  const Observation& next(Seen& seen, std::size_t probe) {
    if (probe == seen.of.size()) {
      seen.of.push_back(seen_through(channels_, seen.simulator.run(probes_[probe].probe)));
    }
    return seen.of[probe];
  }

  const Device& device_;
  const std::vector<std::string> channels_;
  const InitialObservation* opening_;
  std::vector<Drawn> probes_;
  std::map<Hypothesis, Seen> seen_;
};

}  // namespace

ToldApart told_apart_by_families(const Device& device, std::vector<std::string> channels,
                                 const InitialObservation* opening) {
  const auto predictions = std::make_shared<Predictions>(device, std::move(channels), opening);
  return [predictions](const Hypothesis& a, const Hypothesis& b) {
    return predictions->told_apart(a, b);
  };
}

Classes classify(const Oracle& oracle, const std::vector<Hypothesis>& hypotheses,
                 const SmtLimits& limits) {
  const std::shared_ptr<const InitialObservation> opening = oracle.opening();
  return classify(oracle.device(), hypotheses, oracle.channels(), limits, kMostClasses,
                  opening.get(),
                  told_apart_by_families(oracle.device(), oracle.channels(), opening.get()));
}

}  // namespace cuvier
