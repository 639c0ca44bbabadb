// Every command's core runs on any device that the reader accepts: of one SM or one TPC, with few
// slots, with shared memory that one block can take whole or with none, with one configuration.

#include <gtest/gtest.h>

#include <chrono>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "solver/audit/audit.h"
#include "solver/cancellation/task.h"
#include "solver/check/check.h"
#include "solver/check/validation.h"
#include "solver/minimise/minimise.h"
#include "tests/law/odd_device.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

const Task silent;

class OddDevice : public ::testing::TestWithParam<int> {
 protected:
  OddDevice() {
    options_.seconds = 0.05;
    options_.limits.seconds = 0.2;
  }

  Rng rng_{static_cast<std::uint64_t>(GetParam())};
  Device device_ = odd_device(rng_);
  ComparisonOptions options_;
  samples::Folder folder_;
};

TEST_P(OddDevice, IsRead) {
  EXPECT_EQ(device_from_json(parse_json(to_json(device_).dump(), "d"), "d"), device_);
}

TEST_P(OddDevice, EveryFamilyDrawsLegalProbesThatAreAnswered) {
  for (int i = 0; i < 40; ++i) {
    const Hypothesis hypothesis = random_hypothesis(device_, rng_);
    for (const ProbeFamily& family : probe_families(device_)) {
      Probe probe = family.draw(device_, rng_);
      ASSERT_NO_THROW(validate(probe, device_, std::string(family.name)));
      EXPECT_EQ(predict(device_, hypothesis, probe).steps.size(), probe.script.size());
      for (int times = 0; times < 3; ++times) probe = mutate(probe, device_, rng_);
      ASSERT_NO_THROW(validate(probe, device_, "mutated"));
    }
  }
}

TEST_P(OddDevice, HypothesesAreToldApartByASmallProbe) {
  const Hypothesis base = GetParam() % 2 == 0 ? Hypothesis{} : random_hypothesis(device_, rng_);
  const std::vector<Hypothesis> changes = single_axis_changes(device_, base, rng_);
  int told_apart = 0;
  for (int times = 0; times < 3 || (told_apart == 0 && times < 30); ++times) {
    const Hypothesis& changed = changes[uniform(rng_, 0, static_cast<int>(changes.size()) - 1)];
    if (auto found = compare(device_, base, changed, options_).distinction) {
      make_smaller(*found, device_, base, changed, options_.seed, silent);
      EXPECT_TRUE(distinction_by(found->probe, device_, base, changed));
      EXPECT_NO_THROW(probe_from_json(to_json(found->probe), "small"));
      ++told_apart;
    }
  }
  EXPECT_GT(told_apart, 0);
}

TEST_P(OddDevice, ModelsAreValidatedAndTheirContradictionsMadeSmall) {
  SimulatedOracle oracle("odd", device_, random_hypothesis(device_, rng_));
  Journal journal(folder_.path("validation"), device_, "odd");
  ValidationOptions options;
  options.sequences = 20;
  options.minimise = true;
  options.most_questions = 200;
  EXPECT_EQ(validate_model(oracle, journal, {}, options).asked(), options.sequences);
}

TEST_P(OddDevice, IsInferredCheckedAndAudited) {
  Assumptions few = Assumptions::all(device_);
  few.restrict_by("algorithm-1");
  few.allowed[index_of<Queue>()] = one_of(Queue::fifo, Queue::skip_ahead);
  few.allowed[index_of<Priority>()] = one_of(Priority::respected, Priority::ignored);
  SimulatedOracle oracle("odd", device_, {});
  InferenceOptions options;
  options.max_probes = 3;
  options.limits = options_.limits;
  options.time_limit_s = 0.3;
  {
    Journal journal(folder_.path("out"), device_, "odd");
    const Finding finding = infer(oracle, journal, few, options, {});
    EXPECT_NE(finding.verdict, Verdict::refuted) << finding.reason;
  }
  const RecordingSet set = read_recordings(folder_.path("out/journal.jsonl"));
  EXPECT_NE(check({set}, few, silent).verdict, Verdict::refuted);
  if (set.recordings.empty()) return;
  Hypothesis other;
  other.set<Queue>(Queue::skip_ahead);
  const auto start = std::chrono::steady_clock::now();
  const Task task([&](const std::string&) {
    return std::chrono::steady_clock::now() - start > std::chrono::seconds(1) ? "late" : "";
  });
  const Audit found = audit({set}, other, few, options_, task);
  EXPECT_EQ(found.recordings, static_cast<int>(set.recordings.size()));
}

/// More devices than there is time to ask.
TEST(OddDevices, HaveLegalProbesOfAllFamilies) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Device device = odd_device(rng);
    for (const ProbeFamily& family : all_probe_families(device)) {
      for (int i = 0; i < 5; ++i) {
        const Probe probe = mutate(family.draw(device, rng), device, rng);
        ASSERT_NO_THROW(validate(probe, device, std::string(family.name)));
      }
    }
    for (const Probe& probe : limit_probes(device)) {
      ASSERT_NO_THROW(validate(probe, device, probe.name));
    }
    for (const Probe& probe : sweep_probes(device)) {
      ASSERT_NO_THROW(validate(probe, device, probe.name));
    }
  }
}

class BuiltInDevice : public ::testing::TestWithParam<std::string> {};

// `bench/pages.sh` compares all pairs on all devices; here, of each device one pair, and one
// whose probes come near blocks that take all shared memory.
TEST_P(BuiltInDevice, TellsNeighboursApartByASmallProbe) {
  const Device device = find_device(GetParam());
  Rng rng(1);
  const std::vector<Hypothesis> changes = single_axis_changes(device, {}, rng);
  std::vector<std::pair<Hypothesis, Hypothesis>> pairs{
      {{}, changes[uniform(rng, 0, static_cast<int>(changes.size()) - 1)]}};
  if (device.max_shared_per_block == device.largest_config() && device.sms < 80) {
    pairs.push_back({hypothesis_from_text("shared_room=total_free"),
                     hypothesis_from_text("shared_room=every_interval")});
  }
  for (const auto& [a, b] : pairs) {
    Comparison comparison = compare(device, a, b, {});
    ASSERT_TRUE(comparison.distinction || comparison.proof);
    if (auto& found = comparison.distinction) {
      make_smaller(*found, device, a, b, 1, silent);
      EXPECT_TRUE(distinction_by(found->probe, device, a, b));
    }
  }
}

std::vector<std::string> built_in() {
  std::vector<std::string> names;
  for (const DeviceFile& known : known_devices()) names.push_back(known.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Each, BuiltInDevice, ::testing::ValuesIn(built_in()),
                         [](const auto& device) { return device.param; });

INSTANTIATE_TEST_SUITE_P(Random, OddDevice, ::testing::Range(0, 8));

}  // namespace
}  // namespace cuvier
