// One scheduler, three readings: integers predict, decision diagrams prune, Z3 constrains.
// What they say of a hypothesis and a recording is the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/constraints/refutations.h"
#include "solver/finding/mismatches.h"
#include "solver/smt/smt_query.h"
#include "tests/law/admits.h"
#include "tests/law/drawn.h"
#include "tests/law/odd_formulas.h"
#include "tests/law/smt_space.h"
#include "tests/law/used_device.h"
#include "tests/law/wide_probes.h"

namespace cuvier {
namespace {

/// One or two TPCs with few slots: everything within an SM shows on it, and ties among SMs.
Device reduced_device(int sms) {
  Device device = small_device(sms);
  device.max_blocks_per_sm = 4;
  device.max_warps_per_sm = 16;
  return device;
}

/// The same with GPCs of SMs 0 1 4 5 and 2 3, where clusters can be launched.
Device clustered_reduced_device() {
  Device device = reduced_device(6);
  device.gpc_of_sm = {0, 0, 1, 1, 0, 0};
  device.max_cluster = 4;
  return device;
}

constexpr int most_reduced_local = 128;

/// Half of the kernels in clusters, where the device launches them.
void put_in_clusters(Kernel& kernel, const Device& device, Rng& rng) {
  if (device.largest_cluster() == 0 || uniform(rng, 0, 1) == 0) return;
  kernel.cluster = uniform(rng, 1, device.largest_cluster());
  kernel.blocks = *kernel.cluster * uniform(rng, 1, 4 / *kernel.cluster);
}

/// Few small blocks: merging every branch of the scheduler grows with the warps placed.
Probe reduced_probe(const Device& device, Rng& rng, int most_warps = 4, int most_blocks = 3) {
  constexpr int registers[] = {32, 40, 96, 128, 168, 255};
  constexpr int shared[] = {0, 1, 8000, 16384, 33000, 50000};
  Probe probe{"reduced", {}, {}};
  const int kernels = uniform(rng, 2, 4);
  for (int k = 0; k < kernels; ++k) {
    Kernel kernel;
    kernel.name = fmt::format("k{}", k);
    kernel.blocks = uniform(rng, 1, most_blocks);
    kernel.threads = 32 * uniform(rng, 1, most_warps);
    kernel.registers = registers[uniform(rng, 0, 5)];
    kernel.shared = shared[uniform(rng, 0, 5)];
    kernel.local = uniform(rng, 0, 3) ? 0 : uniform(rng, 0, 2) * most_reduced_local / 2;
    kernel.priority = uniform(rng, 0, 3) ? 0 : -1;
    put_in_clusters(kernel, device, rng);
    probe.kernels.push_back(kernel);
    probe.script.push_back({k, {}});
    if (k > 0 && uniform(rng, 0, 1)) {
      probe.script.push_back({std::nullopt, {{uniform(rng, 0, k - 1), {}}}});
    }
  }
  return probe;
}

/// Everything fixed to the hypothesis's values but these axes.
Assumptions open_axes(const Device& device, const Hypothesis& hypothesis,
                      const std::vector<int>& axes) {
  Assumptions assumptions = Assumptions::all(device);
  give_odd_formulas();
  for (int axis = 0; axis < kAxes; ++axis) {
    assumptions.allowed[axis] |= formula_values(axis);
    assumptions.allowed[axis] &= ~last_resorts(axis);
    if (std::ranges::find(axes, axis) == axes.end()) {
      assumptions.allowed[axis] = 1u << hypothesis.values[axis];
    }
  }
  return assumptions;
}

/// It is refuted, and holds, of every value that the diagrams leave nobody with.
void expect_refuted_alike(const Refutations& refutations, const VersionSpace& diagrams,
                          const Assumptions& open) {
  std::set<std::pair<int, int>> refuted;
  const RefutedValues found = refutations.refuted();
  for (const auto& [axis, value] : found.values) refuted.emplace(axis, value);
  if (!refuted.empty()) {
    EXPECT_EQ(ask_z3(found.smt2).kind, SmtAnswer::Kind::unsat) << found.smt2;
  }
  const SurvivingValues surviving = diagrams.surviving();
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int v = 0; v < axis_size(axis); ++v) {
      const bool left = std::ranges::count(surviving[axis], v) > 0;
      EXPECT_EQ(refuted.contains({axis, v}), open.allows(axis, v) && !left)
          << axis_info(axis).name << '=' << axis_value(axis, v).name;
    }
  }
}

/// A session of a planted mechanism is read alike under every value of the axis. `used`: it begins
/// where others left the device, with an opening.
void expect_read_alike(int axis, bool used) {
  // Where each warp goes is open: merged, that doubles with each warp, and with each address.
  const bool routes_open = axis == index_of<WarpPlacement>() || axis == index_of<PointerSkip>();
  const int trials = drawn(routes_open ? 4 : 6);
  for (int trial = 0, seed = 1000 * axis; trial < trials; ++seed) {
    ASSERT_LT(seed, 1000 * axis + 20 * trials) << "too few openings";
    Rng rng(seed);
    const bool of_clusters = axis_info(axis).part == Part::clusters;
    const Device device =
        of_clusters ? clustered_reduced_device() : reduced_device(trial % 2 ? 4 : 2);
    Hypothesis planted = random_named(device, rng);
    if (routes_open) planted.set<RegisterLayout>(RegisterLayout::renamed);
    Assumptions open = open_axes(device, planted, {axis});
    if (axis == index_of<WarpPlacement>()) {
      // Formulas and all named values at once would be too much to merge.
      const std::uint32_t planted_value = 1u << planted.get<WarpPlacement>();
      open.allowed[axis] &=
          trial % 2 ? planted_value | formula_values(axis) : ~formula_values(axis);
    }
    SmtSpace constraints(device, open);
    Refutations refutations(device, open);
    VersionSpace diagrams(device, open);
    Simulator truth(device, planted);
    std::shared_ptr<const InitialObservation> opening;
    if (used) {
      for (int i = 0; i < 3; ++i) truth.run(reduced_probe(device, rng));
      opening = opening_by(truth, full_grid(device, most_reduced_local));
      if (!opening) continue;
    }
    ++trial;
    std::vector<Recording> session;
    for (int i = 0; i < 2; ++i) {
      const Probe probe =
          routes_open ? reduced_probe(device, rng, 2, 2) : reduced_probe(device, rng);
      std::vector<std::string> channels;
      if (used) channels.emplace_back("warp_slot");
      const Observation seen = seen_through(channels, truth.run(probe));
      session.push_back({probe, facts_of(seen, probe), i == 0, "planted"});
      if (i == 0) session.back().opening = opening;
      constraints.observe(session.back());
      refutations.observe(session.back());
      diagrams.observe(session.back());
    }
    expect_refuted_alike(refutations, diagrams, open);
    for (int v = 0; v < axis_size(axis); ++v) {
      if (!open.allows(axis, v)) continue;
      const Hypothesis other = planted.with(axis, v);
      const bool agrees = explains(device, other, session);
      EXPECT_EQ(diagrams.contains(other), agrees) << describe(other);
      EXPECT_EQ(constraints.admits(other), agrees) << describe(other);
      EXPECT_EQ(admits(refutations, other), agrees) << describe(other);
    }
    const auto example = constraints.example();
    ASSERT_TRUE(example.has_value());
    EXPECT_TRUE(diagrams.contains(*example)) << describe(*example);
  }
}

class EachAxis : public ::testing::TestWithParam<int> {};

TEST_P(EachAxis, IsReadAlikeByIntegersDiagramsAndZ3) { expect_read_alike(GetParam(), false); }

TEST_P(EachAxis, IsReadAlikeAfterAnOpening) { expect_read_alike(GetParam(), true); }

INSTANTIATE_TEST_SUITE_P(Readings, EachAxis, ::testing::Range(0, kAxes),
                         [](const auto& info) { return std::string(axis_info(info.param).name); });

TEST(Readings, AgreeWithSeveralAxesOpen) {
  for (int seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    const Device device = reduced_device(2);
    Hypothesis planted = random_named(device, rng);
    // Merged over several axes, free intervals grow beyond use: these are held on their own above.
    planted.set<RegisterLayout>(RegisterLayout::renamed);
    planted.set<SharedPlacement>(SharedPlacement::fragmented);
    const Assumptions open =
        open_axes(device, planted,
                  {uniform(rng, 0, index_of<RegisterGranularity>()), index_of<ConfigScope>(),
                   index_of<ConfigGate>(), uniform(rng, index_of<RoomWarps>(), kAxes - 1)});
    const Probe probe = reduced_probe(device, rng);
    const Recording recording{
        probe, facts_of(without_channels(predict(device, planted, probe)), probe), true, "planted"};
    SmtSpace constraints(device, open);
    VersionSpace diagrams(device, open);
    Refutations refutations(device, open);
    constraints.observe(recording);
    refutations.observe(recording);
    diagrams.observe(recording);
    expect_refuted_alike(refutations, diagrams, open);
    for (int i = 0; i < 40; ++i) {
      Hypothesis other = planted;
      for (int axis = 0; axis < kAxes; ++axis) {
        const int v = uniform(rng, 0, axis_size(axis) - 1);
        if (open.allows(axis, v)) other.values[axis] = static_cast<std::uint8_t>(v);
      }
      EXPECT_EQ(constraints.admits(other), diagrams.contains(other)) << describe(other);
      EXPECT_EQ(admits(refutations, other), diagrams.contains(other)) << describe(other);
    }
  }
}

// Of random devices and wide probes: the SMs fill up, and kernels wait for each other.
TEST(Readings, OfOddFormulasAgreeWhereKernelsWait) {
  give_odd_formulas();
  int explained = 0;
  int refuted = 0;
  for (const OddFormula& odd : odd_formulas()) {
    const int axis = *find_axis(odd.axis);
    Rng rng(static_cast<std::uint64_t>(&odd - odd_formulas().data()));
    for (int session = 0; session < 12; ++session) {
      const Device device = session % 2 == 0 ? clustered_device(8) : small_device(4);
      const int value = formula_value(axis, odd.text);
      if (!available(device, axis, value)) continue;
      const Hypothesis planted = random_named(device, rng).with(axis, value);
      const Assumptions open = open_axes(device, planted, {axis});
      VersionSpace space(device, open);
      Simulator truth(device, planted);
      std::vector<Recording> recordings;
      for (int i = 0; i < 2; ++i) {
        const Probe probe = wide_probe(device, rng);
        recordings.push_back({probe, placements(truth, probe), i == 0, "planted"});
        space.observe(recordings.back());
      }
      for (int v = 0; v < axis_size(axis); ++v) {
        const Hypothesis other = planted.with(axis, v);
        if (!open.allows(axis, v)) continue;
        const bool agrees = explains(device, other, recordings);
        ++(agrees ? explained : refuted);
        EXPECT_EQ(space.contains(other), agrees)
            << describe(other) << " where " << describe(planted) << " was planted";
      }
    }
  }
  EXPECT_GT(explained, 300);
  EXPECT_GT(refuted, 300);
}

// Of the whole space, and one hypothesis at a time: by prediction, which knows no constraints.
TEST(Readings, WhoeverIsRefutedIsSeenToBeWrong) {
  for (int seed = 1; seed <= 10; ++seed) {
    Rng rng(seed);
    const Device device = reduced_device(4);
    const Hypothesis planted = random_named(device, rng);
    Assumptions all = Assumptions::all(device);
    for (int axis = 0; axis < kAxes; ++axis) all.allowed[axis] &= ~last_resorts(axis);
    if (!all.allows(index_of<PairsInFlight>(), planted.get<PairsInFlight>())) continue;
    RecordingSet seen{"planted", device, {}};
    Simulator truth(device, planted);
    Refutations refutations(device, all);
    for (int i = 0; i < 3; ++i) {
      const Probe probe = reduced_probe(device, rng);
      seen.recordings.push_back(
          {probe, facts_of(without_channels(truth.run(probe)), probe), i == 0, "planted"});
      refutations.observe(seen.recordings.back());
    }
    EXPECT_TRUE(admits(refutations, planted));
    for (int i = 0; i < 100; ++i) {
      Hypothesis other = planted;
      const int most = i % 2 == 0 ? 2 : kAxes;  // some nearly explain everything
      for (int n = 0; n < most; ++n) {
        const int axis = uniform(rng, 0, kAxes - 1);
        const int v = uniform(rng, 0, axis_size(axis) - 1);
        if (all.allows(axis, v)) other.values[axis] = static_cast<std::uint8_t>(v);
      }
      EXPECT_EQ(admits(refutations, other), mismatches(seen, other).empty()) << describe(other);
    }
    const std::string smt2 = refutations.refuted().smt2;
    ASSERT_FALSE(smt2.empty());
    EXPECT_EQ(ask_z3(smt2).kind, SmtAnswer::Kind::unsat);
    // It is the values that nobody has, and not that the constraints contradict each other.
    const std::string last = "; whoever has one of these values\n";
    const std::string rest = smt2.substr(0, smt2.find(last)) + "(check-sat)\n";
    EXPECT_EQ(ask_z3(rest).kind, SmtAnswer::Kind::sat);
  }
}

TEST(Readings, ConstraintsAreSmtLib) {
  const Device device = reduced_device(2);
  const Hypothesis planted;
  SmtSpace constraints(device, open_axes(device, planted, {index_of<TieBreak>()}));
  Rng rng(1);
  const Probe probe = reduced_probe(device, rng);
  constraints.observe(
      {probe, facts_of(without_channels(predict(device, planted, probe)), probe), true, "planted"});
  const std::string text = constraints.smt2();
  EXPECT_NE(text.find("tie_break=tpc_interleaved"), std::string::npos) << text;
  EXPECT_NE(text.find("(check-sat)"), std::string::npos) << text;
}

}  // namespace
}  // namespace cuvier
