#include "solver/query_selection/random_distinction.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "hypotheses/simulator.h"
#include "probes/family.h"

namespace cuvier {
namespace {

constexpr int kRounds = 3;
constexpr std::uint64_t kSeed = 1;

}  // namespace

ToldApart told_apart_by_families(const Device& device, std::vector<std::string> channels,
                                 const InitialObservation* opening) {
  return [&device, channels = std::move(channels), opening](const Hypothesis& a,
                                                            const Hypothesis& b) -> std::string {
    Simulator under_a(device, a);
    Simulator under_b(device, b);
    for (Simulator* simulator : {&under_a, &under_b}) simulator->begin_session(opening);
    Rng rng(kSeed);
    for (int round = 0; round < kRounds; ++round) {
      for (const ProbeFamily& family : probe_families(device)) {
        const Probe probe = family.draw(device, rng);
        if (!(seen_through(channels, under_a.run(probe)) ==
              seen_through(channels, under_b.run(probe)))) {
          return fmt::format("a probe of family {} tells them apart", family.name);
        }
      }
    }
    return "";
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
