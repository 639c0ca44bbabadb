#include "solver/space/contradiction.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/law/planted.h"

namespace cuvier {
namespace {

/// Sessions of one probe each, as these would answer them.
std::vector<Session> sessions(const Device& device, const std::vector<Hypothesis>& answering,
                              Rng& rng) {
  std::vector<Session> sessions;
  for (const Hypothesis& hypothesis : answering) {
    Simulator simulator(device, hypothesis);
    Recording recording;
    recording.probe = random_probe(device, rng);
    recording.facts = placements(simulator, recording.probe);
    sessions.push_back({recording});
  }
  return sessions;
}

std::vector<const Session*> some_of(const std::vector<Session>& sessions,
                                    const std::set<std::size_t>& which) {
  std::vector<const Session*> some;
  for (const std::size_t i : which) some.push_back(&sessions[i]);
  return some;
}

/// Only those that tell something are in it, and they contradict each other without the rest.
TEST(Contradiction, IsOfThoseThatTellSomething) {
  const Device device = small_device(8);
  const Hypothesis algorithm_1;
  const Hypothesis other = hypothesis_from_text("selection=first_fit");
  const Assumptions assumptions = between(algorithm_1, hypothesis_from_text("queue=skip_ahead"));
  Rng rng(1);
  std::vector<Hypothesis> answering(40, algorithm_1);
  answering.push_back(other);
  int found = 0;
  for (int tries = 0; tries < 20; ++tries) {
    const std::vector<Session> all = sessions(device, answering, rng);
    std::set<std::size_t> every;
    for (std::size_t i = 0; i < all.size(); ++i) every.insert(i);
    const auto contradiction_of = [&](const std::set<std::size_t>& which) {
      return contradiction(device, assumptions, some_of(all, which));
    };
    const auto telling = contradiction_of(every);
    if (!telling) continue;
    ++found;
    EXPECT_TRUE(telling->contains(all.size() - 1));
    EXPECT_LT(telling->size(), 10u);
    EXPECT_TRUE(contradiction_of(*telling));
    std::set<std::size_t> agreeing = every;
    agreeing.erase(all.size() - 1);
    EXPECT_FALSE(contradiction_of(agreeing));
  }
  EXPECT_GT(found, 10);
}

}  // namespace
}  // namespace cuvier
