// The law that holds prediction and the solver together: a hypothesis survives exactly if
// it predicts what was seen.

#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <set>

#include "solver/cancellation/task.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using Kind = Fact::Kind;

/// What an oracle might tell of one kernel in one step.
std::optional<Fact> told(const Observation& seen, const Probe& probe, int step, int kernel,
                         Kind kind) {
  static const Started none;
  const Started* started = &none;
  for (const Started& entry : seen.steps[step].started) {
    if (entry.kernel == kernel) started = &entry;
  }
  const int count = static_cast<int>(started->block.size());
  Fact fact{kind, step, kernel, {}, {}};
  switch (kind) {
    case Kind::sm:
      fact.values = started->sm;
      break;
    case Kind::sm_set:
      fact.values = started->sm;
      std::ranges::sort(fact.values);
      if (std::ranges::adjacent_find(fact.values) != fact.values.end()) return std::nullopt;
      break;
    case Kind::started:
      fact.values = {count};
      break;
    case Kind::starts:
      fact.values = {count > 0};
      break;
    case Kind::complete:
      fact.values = {count == probe.kernels[kernel].blocks};
      break;
    case Kind::warp_slot:
      fact.slots = started->warp_slot;
      break;
    case Kind::shared_config:
      return std::nullopt;
  }
  if (kind != Kind::started && kind != Kind::starts && kind != Kind::complete && count == 0) {
    return std::nullopt;
  }
  return fact;
}

/// Some of what there is to tell. Most steps tell where blocks went: a recording that says
/// little can be explained in more ways than there is time for.
std::vector<Fact> partial_facts(const Observation& seen, const Probe& probe, Rng& rng) {
  constexpr Kind kinds[] = {Kind::sm,     Kind::sm,       Kind::sm,      Kind::sm_set,
                            Kind::starts, Kind::complete, Kind::started, Kind::warp_slot};
  std::vector<Fact> facts;
  std::vector<bool> launched(probe.kernels.size());
  for (int step = 0; step < static_cast<int>(seen.steps.size()); ++step) {
    if (const auto kernel = probe.script[step].launch) {
      launched[*kernel] = true;
      if (uniform(rng, 0, 4) == 0) {
        const int bytes = seen.steps[step].shared_config.at(*kernel);
        facts.push_back({Kind::shared_config, -1, *kernel, {bytes}, {}});
      }
    }
    for (int kernel = 0; kernel < static_cast<int>(probe.kernels.size()); ++kernel) {
      if (!launched[kernel]) continue;
      const Kind kind = kinds[uniform(rng, 0, static_cast<int>(std::size(kinds)) - 1)];
      if (auto fact = told(seen, probe, step, kernel, kind)) facts.push_back(std::move(*fact));
    }
  }
  return facts;
}

/// What was told of a probe's outcome.
Recording recording_of(const Probe& probe, Simulator& simulator, bool partial, Rng& rng) {
  const Observation seen = simulator.run(probe);
  return {probe,
          partial ? partial_facts(seen, probe, rng) : facts_of(without_channels(seen), probe),
          false,
          {}};
}

/// A session with a planted mechanism: probes, and what was told of their outcomes.
std::vector<Recording> record(const Device& device, const Hypothesis& planted, int probes,
                              bool partial, Rng& rng) {
  Simulator simulator(device, planted);
  std::vector<Recording> recordings;
  for (int i = 0; i < probes; ++i) {
    recordings.push_back(recording_of(random_probe(device, rng), simulator, partial, rng));
  }
  recordings.front().fresh = true;
  return recordings;
}

/// Two sessions that ask the same over and over, the second in the end something else, which
/// shows how warps were placed as well.
std::vector<Recording> record_repeated(const Device& device, const Hypothesis& planted,
                                       const Probe& probe, Rng& rng) {
  std::vector<Recording> recordings;
  for (int session = 0; session < 2; ++session) {
    Simulator simulator(device, planted);
    const std::size_t first = recordings.size();
    for (int i = uniform(rng, 1, 10); i > 0; --i) {
      recordings.push_back(recording_of(probe, simulator, false, rng));
    }
    if (session == 1) {
      const Probe last = random_probe(device, rng);
      recordings.push_back({last, facts_of(simulator.run(last), last), false, {}});
    }
    recordings[first].fresh = true;
  }
  return recordings;
}

/// Moves a warp pointer by one.
Probe single_warp() { return {"single_warp", {samples::kernel("k", 1, 32)}, {{0, {}}}}; }

Hypothesis random_with_order(const Device& device, Rng& rng) {
  Hypothesis hypothesis = random_hypothesis(device, rng);
  hypothesis.set<TieBreak>(TieBreak::learned);
  learn_any_order(device, hypothesis, rng);
  return hypothesis;
}

class VersionSpaces : public ::testing::TestWithParam<bool> {};

TEST_P(VersionSpaces, ContainExactlyWhatPredictsWhatWasSeen) {
  Rng rng(GetParam() ? 11 : 12);
  std::set<std::pair<int, int>> values_tried;
  int members = 0;
  int others = 0;
  for (int pair = 0; pair < 800; ++pair) {
    const int sms = 2 * uniform(rng, 1, 4);
    const Device device = pair % 4 == 3 ? clustered_device(sms) : small_device(sms);
    const Hypothesis planted = random_named(device, rng);
    // Near the planted mechanism as well as far from it.
    const Hypothesis other = mix(planted, random_named(device, rng), pair % 2 == 0 ? 100 : 30, rng);
    const auto recordings = record(device, planted, uniform(rng, 1, 2), GetParam(), rng);
    VersionSpace space(device, between(planted, other));
    for (const Recording& recording : recordings) space.observe(recording);
    ASSERT_TRUE(space.contains(planted)) << "pair " << pair << ": " << describe(planted) << " on\n"
                                         << words(recordings);
    for (int i = 0; i < 12; ++i) {
      const Hypothesis asked = i == 0 ? other : mix(planted, other, i < 8 ? 10 : 50, rng);
      const bool agrees = explains(device, asked, recordings);
      ++(agrees ? members : others);
      ASSERT_EQ(space.contains(asked), agrees)
          << "pair " << pair << ": " << describe(asked) << " where " << describe(planted)
          << " was planted; " << words(recordings);
      for (int axis = 0; axis < kAxes; ++axis) values_tried.insert({axis, asked.values[axis]});
    }
  }
  EXPECT_GT(members, 1000);
  EXPECT_GT(others, 1000);
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int value = 0; value < axis_size(axis); ++value) {
      if (last_resorts(axis) >> value & 1) continue;  // held on their own
      EXPECT_TRUE(values_tried.contains({axis, value}))
          << axis_info(axis).name << "=" << axis_value(axis, value).name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, VersionSpaces, ::testing::Bool(), [](const auto& info) {
  return info.param ? "PartialFacts" : "FullObservations";
});

TEST(VersionSpace, OfRepeatedProbesIsWhatPredictsEachTime) {
  Rng rng(13);
  int members = 0;
  int others = 0;
  for (int pair = 0; pair < 400; ++pair) {
    const Device device = small_device(2 * uniform(rng, 1, 4));
    Hypothesis planted = random_named(device, rng);
    const bool by_pointer = pair % 2 == 0;  // its states come back every fourth time
    if (by_pointer) planted.set<PointerReset>(PointerReset::never);
    const Hypothesis other = mix(planted, random_named(device, rng), 50, rng);
    const Probe probe = by_pointer ? single_warp() : random_probe(device, rng);
    const auto recordings = record_repeated(device, planted, probe, rng);
    VersionSpace space(device, between(planted, other));
    for (const Recording& recording : recordings) space.observe(recording);
    for (int i = 0; i < 8; ++i) {
      const Hypothesis asked = mix(planted, other, i * 10, rng);
      const bool agrees = explains(device, asked, recordings);
      ++(agrees ? members : others);
      ASSERT_EQ(space.contains(asked), agrees)
          << "pair " << pair << ": " << describe(asked) << " where " << describe(planted)
          << " was planted; " << words(recordings);
    }
  }
  EXPECT_GT(members, 400);
  EXPECT_GT(others, 400);
}

/// A point with a random order: is it kept, and does every member explain what was seen?
void expect_order_kept(const Device& device, bool partial, int probes, bool alone, Rng& rng) {
  const Hypothesis planted = random_with_order(device, rng);
  const Hypothesis other = alone ? planted : random_with_order(device, rng);
  const auto recordings = record(device, planted, probes, partial, rng);
  VersionSpace space(device, between(planted, other));
  try {
    for (const Recording& recording : recordings) space.observe(recording);
  } catch (const GaveUp&) {
    ASSERT_TRUE(partial) << words(recordings);  // full observations are told apart
    return;
  }
  const std::string orders =
      fmt::format("{}, order {}, was planted on {}; saw\n{}", describe(planted),
                  fmt::join(planted.order, " "), device.name, words(recordings));
  ASSERT_TRUE(space.contains(planted)) << orders;
  for (const Hypothesis& member : space.draw(12, rng)) {
    EXPECT_TRUE(space.contains(member)) << describe(member) << " where " << orders;
    EXPECT_TRUE(explains(device, member, recordings)) << fmt::format(
        "{}, order {} where {}", describe(member), fmt::join(member.order, " "), orders);
  }
  // Of other orders, too, those are kept that explain it.
  for (int i = 0; i < 8; ++i) {
    Hypothesis asked = planted;
    std::swap(asked.order[uniform(rng, 0, device.sms - 1)],
              asked.order[uniform(rng, 0, device.sms - 1)]);
    EXPECT_EQ(space.contains(asked), explains(device, asked, recordings))
        << fmt::format("order {} where {}", fmt::join(asked.order, " "), orders);
  }
}

TEST_P(VersionSpaces, KeepTheOrdersThatExplainWhatWasSeen) {
  Rng rng(14);
  for (int point = 0; point < (GetParam() ? 60 : 150); ++point) {
    const Device device = small_device(2 * uniform(rng, 1, GetParam() ? 3 : 4));
    expect_order_kept(device, GetParam(), uniform(rng, 1, 3), point % 2 == 0, rng);
  }
}

TEST(VersionSpace, OfAllHypothesesShrinksToMembersThatExplainEverything) {
  Rng rng(21);
  for (int point = 0; point < 8; ++point) {
    const Device device = small_device(8);
    const Hypothesis planted = point == 0 ? Hypothesis{} : random_hypothesis(device, rng);
    const bool learned = planted.get<TieBreak>() == TieBreak::learned;
    VersionSpace space(device, Assumptions::all(device));
    std::vector<Recording> seen;
    double before = space.count().remaining;
    EXPECT_LE(before, space.count().initial);
    for (const Recording& recording : record(device, planted, 3, false, rng)) {
      space.observe(recording);
      seen.push_back(recording);
      ASSERT_FALSE(space.empty()) << describe(planted) << " on\n" << words(seen);
      // Orders to be learned come in, as many at once, where no named order is left.
      if (!learned) {
        EXPECT_LE(space.count().remaining, before);
      }
      before = space.count().remaining;
    }
    std::vector<Hypothesis> drawn = space.draw(24, rng);
    EXPECT_EQ(drawn.front(), space.simplest());
    for (const Hypothesis& member : drawn) {
      EXPECT_TRUE(space.contains(member)) << describe(member);
      EXPECT_TRUE(explains(device, member, seen))
          << describe(member) << " where " << describe(planted) << " was planted; " << words(seen);
    }
  }
}

TEST(VersionSpace, OfTwoSmsIsNotTooLargeToExplore) {
  // Two SMs are one TPC and one GPC: how groups are chosen shows nowhere, and must not
  // multiply the ways to explain what else is open.
  const Device device = small_device(2);
  const auto json = nlohmann::ordered_json::parse(
      R"({"type":"recording","name":"p1","kernels":{)"
      R"("k1":{"blocks":1,"threads":64,"registers":168,"shared":0},)"
      R"("k3":{"blocks":1,"threads":64,"registers":168,"shared":0},)"
      R"("k4":{"blocks":1,"threads":128,"registers":168,"shared":0},)"
      R"("k5":{"blocks":12,"threads":64,"registers":168,"shared":0}},)"
      R"("script":[{"launch":"k1"},{"launch":"k3"},{"launch":"k4"},{"launch":"k5"}],)"
      R"("facts":[{"step":0,"kernel":"k1","sm":[0]},{"step":1,"kernel":"k3","sm":[1]},)"
      R"({"step":2,"kernel":"k4","sm":[0]},{"step":3,"kernel":"k5","sm":[1,1,0,1]}]})");
  VersionSpace space(device, Assumptions::all(device));
  ASSERT_NO_THROW(space.observe(recording_from_json(json, device, "p1")));
  EXPECT_FALSE(space.empty());
}

/// Orders that come out as one on the device are one hypothesis before anything is asked.
TEST(VersionSpace, HasOneHypothesisOfOrdersThatAreOne) {
  Device device = clustered_device(8);
  device.gpc_of_sm = {0, 0, 0, 0, 1, 1, 1, 1};
  Assumptions orders = between({}, {});
  for (const int axis : {index_of<ClusterGpcOrder>(), index_of<TieBreak>()}) {
    orders.allowed[axis] = Assumptions::all(device).allowed[axis] & ~last_resorts(axis);
  }
  const VersionSpace space(device, orders);
  // tpc_interleaved, linear, odd first, reversed and gpc_round_robin: of the GPCs no other order.
  EXPECT_EQ(space.count().initial, 5);
  EXPECT_EQ(space.members(100).value().size(), 5u);
  Rng rng(1);
  EXPECT_EQ(space.draw(100, rng).size(), 5u);
  EXPECT_FALSE(space.open()[index_of<ClusterGpcOrder>()]);
  EXPECT_TRUE(space.open()[index_of<TieBreak>()]);
  EXPECT_TRUE(space.contains(hypothesis_from_text("cluster_gpc_order=largest_first")));
  orders.allowed[index_of<ClusterGpcOrder>()] = one_of(ClusterGpcOrder::largest_first);
  EXPECT_EQ(VersionSpace(device, orders).count().initial, 5);
}

TEST(VersionSpace, CountsItsMembersOneByOne) {
  Rng rng(22);
  const Device device = small_device(4);
  for (int point = 0; point < 200; ++point) {
    const Hypothesis planted = random_named(device, rng);
    Assumptions few = between(planted, planted);
    for (int i = 0; i < 7; ++i) {
      const int axis = uniform(rng, 0, kAxes - 1);
      if (axis != index_of<TieBreak>()) few.allowed[axis] |= 1;
    }
    VersionSpace space(device, few);
    const auto recordings = record(device, planted, 1, false, rng);
    space.observe(recordings[0]);
    std::set<std::string> distinct;
    std::vector<Hypothesis> all{planted};
    for (int axis = 0; axis < kAxes; ++axis) {
      if (few.allowed[axis] == 1u << planted.values[axis]) continue;
      for (std::size_t i = all.size(); i-- > 0;) {
        all.push_back(all[i]);
        all.back().values[axis] = 0;
      }
    }
    for (const Hypothesis& hypothesis : all) {
      if (!explains(device, hypothesis, recordings)) continue;
      // What an axis that does not matter is called by: its first allowed value.
      Hypothesis representative = hypothesis;
      for (int pass = 0; pass < kAxes; ++pass) {
        for (int axis = 0; axis < kAxes; ++axis) {
          if (matters(axis, representative)) continue;
          representative.values[axis] =
              static_cast<std::uint8_t>(std::countr_zero(few.allowed[axis]));
        }
      }
      distinct.insert(describe(representative));
    }
    EXPECT_EQ(space.count().remaining, static_cast<double>(distinct.size()))
        << describe(planted) << " on\n"
        << words(recordings);
  }
}

}  // namespace
}  // namespace cuvier
