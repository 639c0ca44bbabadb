// Which outcomes a hypothesis that drifts has, held against docs/reference/scheduler.md read once
// more.

#include <gtest/gtest.h>

#include "hypotheses/readings/choices.h"
#include "solver/finding/mismatches.h"
#include "tests/law/drift_by_the_page.h"
#include "tests/law/planted.h"
#include "verify/explanations.h"

namespace cuvier {
namespace {

using by_the_page::Outcomes;
using by_the_page::Setting;

Setting random_setting(Rng& rng) {
  Setting s;
  s.sms = uniform(rng, 1, 6);
  s.slots = uniform(rng, 0, 2) == 0 ? uniform(rng, 3, 7) : 16;
  s.margin = uniform(rng, 0, 8);
  s.lag = uniform(rng, 0, 2);
  s.from_two = uniform(rng, 0, 1) == 1;
  s.policy = static_cast<Setting::Policy>(uniform(rng, 0, 2));
  s.blocks = std::min(2 * s.sms + uniform(rng, 1, 16), 2 * s.slots * s.sms);
  return s;
}

std::string words(const Setting& s, const std::vector<int>& sms) {
  return fmt::format("{} SMs, {} slots, {} blocks, margin {}, lag {}, from {}, policy {}: {}",
                     s.sms, s.slots, s.blocks, s.margin, s.lag, s.from_two ? 2 : 1,
                     static_cast<int>(s.policy), fmt::join(sms, " "));
}

/// Small grids have few choices.
class FrequentMoments : public Choices {
 public:
  explicit FrequentMoments(std::uint64_t seed) : rng_(seed) {}
  bool another_joins(const Choice&) override { return uniform(rng_, 1, 4) == 1; }
  bool counts_late(const Choice&) override { return uniform(rng_, 1, 2) == 1; }

 private:
  Rng rng_;
};

/// The same to the product.
class Product {
 public:
  explicit Product(const Setting& s) : device_(small_device(s.sms)) {
    device_.max_blocks_per_sm = s.slots;
    hypothesis_.set<DispatchBatch>(DispatchBatch::pair);
    hypothesis_.set<PairsInFlight>(s.from_two ? PairsInFlight::drifting_from_two
                                              : PairsInFlight::drifting);
    hypothesis_.set<TieBreak>(TieBreak::linear);
    hypothesis_.set<Selection>(s.policy == Setting::fewest_blocks ? Selection::fewest_blocks
                               : s.policy == Setting::round_robin ? Selection::round_robin
                                                                  : Selection::first_fit);
    const auto value_of = [](int axis, int number) {
      return static_cast<std::uint8_t>(find_value(axis, std::to_string(number)).value());
    };
    for (const auto& [axis, number] :
         {std::pair(index_of<BatchMargin>(), s.margin), std::pair(index_of<BatchLag>(), s.lag),
          std::pair(index_of<RuntimeShared>(), 0)}) {
      hypothesis_.values[axis] = value_of(axis, number);
    }
    probe_.kernels.push_back({"k1", s.blocks, 32, 32, 0, 0, 0, {}});
    probe_.script.push_back({0, {}});
    if (s.blocks > s.sms * s.slots) probe_.script.push_back({std::nullopt, {{0, {}}}});
  }

  std::vector<int> draw(std::uint64_t seed) const {
    FrequentMoments choices(seed);
    std::vector<int> sms;
    for (const Step& step : Simulator(device_, hypothesis_).run(probe_, &choices).steps) {
      for (const Started& s : step.started) sms.insert(sms.end(), s.sm.begin(), s.sm.end());
    }
    return sms;
  }

  /// Whether the space of this hypothesis is left with it, and whether prediction comes to it.
  bool space_has(const std::vector<int>& sms) const {
    VersionSpace space(device_, between(hypothesis_, hypothesis_));
    space.observe(recording_of(sms));
    return !space.empty();
  }
  bool predicts(const std::vector<int>& sms) const {
    return mismatches({"", device_, {recording_of(sms)}}, hypothesis_).empty();
  }

  /// Whether the checker is left with it, which shares nothing with either (verify/).
  bool checker_has(const std::vector<int>& sms) const {
    const auto as_read = [](const auto& of) {
      return verify::parse_json(to_json(of).dump(), "law");
    };
    const verify::Device device = verify::device_from({as_read(device_), "law"});
    verify::Space space(device);
    for (int axis = 0; axis < kAxes; ++axis) {
      const std::string value(axis_value(axis, hypothesis_.values[axis]).name);
      space.restrict_to(fmt::format("{}={}", axis_info(axis).name, value), "law");
      space.consider(verify::find_axis(axis_info(axis).name), value);
    }
    const verify::Json json = as_read(probe_);
    verify::Field fields(json, "law");
    verify::Recording recording;
    recording.probe = verify::probe_from(fields, device);
    recording.known.resize(probe_.script.size(), std::vector<verify::Known>(1));
    for (const Fact& fact : recording_of(sms).facts) {
      recording.known[fact.step][0].sms = {fact.values.begin(), fact.values.end()};
    }
    return !verify::Explanations(verify::Left(device, space, {}, {}), {&recording}, 0).nothing();
  }

 private:
  Recording recording_of(const std::vector<int>& sms) const {
    const auto first = std::min<std::size_t>(sms.size(), device_.sms * device_.max_blocks_per_sm);
    std::vector<Fact> facts = {{Fact::Kind::sm, 0, 0, {sms.begin(), sms.begin() + first}, {}}};
    if (first < sms.size()) {
      facts.push_back({Fact::Kind::sm, 1, 0, {sms.begin() + first, sms.end()}, {}});
    }
    return {probe_, facts, true, "seen"};
  }

  Device device_;
  Hypothesis hypothesis_;
  Probe probe_{"grid", {}, {}};
};

/// The second pick may have joined the first before its last block, though nothing shows that; so
/// the third may count late.
TEST(DriftMembership, AJoinCountsFromWhenItMayHaveHappened) {
  const std::vector<int> seen = {0, 0, 1, 0, 1, 0, 1, 1};
  EXPECT_TRUE(Outcomes({}).have(seen));
  EXPECT_TRUE(Product({}).space_has(seen));
  EXPECT_TRUE(Product({}).predicts(seen));
}

TEST(DriftMembership, EveryOutcomeOfThePageIsExplained) {
  for (int seed = 0; seed < 1500; ++seed) {
    Rng rng(seed);
    const Setting setting = random_setting(rng);
    Outcomes outcomes(setting);
    const std::vector<int> seen = outcomes.draw(rng, uniform(rng, 1, 8));
    ASSERT_TRUE(outcomes.have(seen));
    EXPECT_TRUE(Product(setting).space_has(seen)) << words(setting, seen);
    EXPECT_TRUE(Product(setting).predicts(seen)) << words(setting, seen);
    EXPECT_TRUE(Product(setting).checker_has(seen)) << words(setting, seen);
  }
}

TEST(DriftMembership, WhatThePageDoesNotAllowIsRefuted) {
  int refuted = 0;
  for (int seed = 0; seed < 1500; ++seed) {
    Rng rng(seed);
    const Setting setting = random_setting(rng);
    Outcomes outcomes(setting);
    std::vector<int> seen = outcomes.draw(rng, uniform(rng, 1, 8));
    // Almost as drawn: the late blocks are those that differ most.
    const int last = setting.blocks - 1;
    const int from = std::max(0, last - 8);
    for (int swaps = uniform(rng, 1, 2); swaps > 0; --swaps) {
      std::swap(seen[uniform(rng, from, last)], seen[uniform(rng, from, last)]);
    }
    const bool is_one = outcomes.have(seen);
    refuted += !is_one;
    EXPECT_EQ(Product(setting).space_has(seen), is_one) << words(setting, seen);
    EXPECT_EQ(Product(setting).predicts(seen), is_one) << words(setting, seen);
    EXPECT_EQ(Product(setting).checker_has(seen), is_one) << words(setting, seen);
  }
  EXPECT_GT(refuted, 300);
}

TEST(DriftMembership, WhatIsDrawnIsAnOutcomeOfThePage) {
  for (int seed = 0; seed < 1500; ++seed) {
    Rng rng(seed);
    const Setting setting = random_setting(rng);
    const std::vector<int> drawn = Product(setting).draw(seed);
    EXPECT_TRUE(Outcomes(setting).have(drawn)) << words(setting, drawn);
  }
}

}  // namespace
}  // namespace cuvier
