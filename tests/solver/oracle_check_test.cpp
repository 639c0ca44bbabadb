#include "solver/check/oracle_check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulated_oracle.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "solver/check/device_claims.h"
#include "tests/law/planted.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

/// A device that says other things of itself than are true.
class Boaster : public SimulatedOracle {
 public:
  Boaster(const Device& device, Device claimed)
      : SimulatedOracle("boaster", device, {}), claimed_(std::move(claimed)) {}
  const Device& device() const override { return claimed_; }

 private:
  Device claimed_;
};

std::vector<std::string> names_of_wrong(const OracleCheck& check) {
  std::vector<std::string> names;
  for (const LimitCheck& limit : check.limits) {
    if (!limit.holds()) names.push_back(limit.what());
  }
  return names;
}

class OracleChecked : public ::testing::Test {
 protected:
  OracleCheck check(Oracle& oracle) {
    Journal journal(folder_.path("journal" + std::to_string(++journals_)), oracle.device(), "test");
    return check_oracle(oracle, journal, 1, {});
  }

  std::vector<std::string> wrong(const Device& claimed) {
    Boaster oracle(device_, claimed);
    const OracleCheck checked = check(oracle);
    EXPECT_GT(checked.limits.size(), 8U);
    const std::vector<std::string> names = names_of_wrong(checked);
    EXPECT_EQ(checked.good(), names.empty() && checked.corrections.empty());
    return names;
  }

  /// "max_warps_per_sm 48", once all rows hold of the device that is so.
  std::vector<std::string> corrections(const Device& truth, const Device& claimed) {
    Boaster oracle(truth, claimed);
    const OracleCheck checked = check(oracle);
    EXPECT_THAT(names_of_wrong(checked), IsEmpty());
    EXPECT_FALSE(checked.good());
    for (const GranularityCheck& granularity : checked.granularities) {
      EXPECT_EQ(granularity.left.size(), 1U) << granularity.what;
    }
    std::vector<std::string> texts;
    for (const DeviceCorrection& each : checked.corrections) {
      texts.push_back(each.field + ' ' + std::to_string(each.value));
    }
    return texts;
  }

  const Device device_ = clustered_device(8);
  samples::Folder folder_;
  int journals_ = 0;
};

TEST_F(OracleChecked, WhatIsTrueHolds) { EXPECT_THAT(wrong(device_), IsEmpty()); }

/// Many rows are wrong of a device with one wrong fact.
TEST_F(OracleChecked, EachWrongFactIsNamedAlone) {
  Device few = device_;
  few.max_resident_kernels = 64;
  Device claimed = few;
  claimed.max_resident_kernels += 3;
  EXPECT_THAT(corrections(few, claimed), ElementsAre("max_resident_kernels 64"));
  claimed = device_;
  claimed.registers_per_sm *= 2;
  EXPECT_THAT(corrections(device_, claimed), ElementsAre("registers_per_sm 65536"));
  claimed = device_;
  claimed.max_blocks_per_sm /= 2;
  EXPECT_THAT(corrections(device_, claimed),
              ElementsAre(fmt::format("max_blocks_per_sm {}", device_.max_blocks_per_sm)));
  for (const int off : {-16, -device_.subpartitions, 16}) {
    claimed = device_;
    claimed.max_warps_per_sm += off;
    EXPECT_THAT(corrections(device_, claimed),
                ElementsAre(fmt::format("max_warps_per_sm {}", device_.max_warps_per_sm)))
        << off;
  }
  claimed = device_;
  ++claimed.max_blocks_per_sm;
  EXPECT_THAT(corrections(device_, claimed),
              ElementsAre(fmt::format("max_blocks_per_sm {}", device_.max_blocks_per_sm)));
}

TEST_F(OracleChecked, TwoWrongFactsAreNamedBoth) {
  Device few = device_;
  few.max_resident_kernels = 64;
  Device claimed = few;
  claimed.max_resident_kernels += 3;
  claimed.max_warps_per_sm += 16;
  EXPECT_THAT(corrections(few, claimed),
              UnorderedElementsAre("max_resident_kernels 64",
                                   fmt::format("max_warps_per_sm {}", device_.max_warps_per_sm)));
}

TEST_F(OracleChecked, WrongMapsAreNoticed) {
  Device claimed = device_;
  std::ranges::rotate(claimed.gpc_of_sm, claimed.gpc_of_sm.begin() + 1);
  EXPECT_THAT(wrong(claimed), ElementsAre(StartsWith("gpc_of_sm"), StartsWith("gpc_of_sm")));
  claimed = device_;
  claimed.tpc_of_sm = {0, 1, 0, 1, 2, 2, 3, 3};
  EXPECT_THAT(wrong(claimed), ElementsAre(StartsWith("TPCs")));
  claimed = device_;
  --claimed.sms;
  claimed.gpc_of_sm.pop_back();
  claimed.max_cluster = 0;
  EXPECT_THAT(wrong(claimed), Contains("block slots of an SM"));
  claimed = device_;
  ++claimed.sms;
  claimed.gpc_of_sm.push_back(0);
  EXPECT_THAT(wrong(claimed), Contains("SMs"));
}

TEST_F(OracleChecked, EachConfigurationOffByAGranuleIsNamed) {
  for (std::size_t i = 1; i < device_.shared_configs.size(); ++i) {
    for (const int off : {-1024, 1024}) {
      Device truth = device_;
      truth.shared_configs[i] += off;
      EXPECT_THAT(corrections(truth, device_),
                  ElementsAre(fmt::format("shared_configs[{}] {}", i, truth.shared_configs[i])));
    }
  }
}

/// Keeps to the protocol but for one thing.
class Odd : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;
  bool begin_session() override {
    ++sessions_;
    return sessions_end_ ? SimulatedOracle::begin_session() : true;
  }
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    if (answers_anything_ && probe.kernels[0].threads > device().max_threads_per_block) return {};
    std::vector<Answer> answers;
    for (int i = 0; i < repeat; ++i) {
      if (forgets_) SimulatedOracle::begin_session();
      answers.push_back(SimulatedOracle::run(probe, 1).front());
    }
    return answers;
  }
  int session() const override { return sessions_; }

  bool sessions_end_ = true;
  bool forgets_ = false;
  bool answers_anything_ = false;

 private:
  int sessions_ = 0;
};

TEST_F(OracleChecked, WhatTheProtocolAsksFor) {
  const auto conformance = [&](auto make_odd) {
    Odd oracle("odd", device_, hypothesis_from_text("selection=round_robin,cursor_reset=never"));
    make_odd(oracle);
    return check(oracle).conformance;
  };
  const Conformance right = conformance([](Odd&) {});
  EXPECT_TRUE(right.sessions);
  EXPECT_GT(right.compared, 10);
  EXPECT_THAT(right.differing, IsEmpty());
  EXPECT_TRUE(right.state);
  EXPECT_EQ(right.not_refused, "");
  EXPECT_FALSE(conformance([](Odd& odd) { odd.sessions_end_ = false; }).differing.empty());
  EXPECT_FALSE(conformance([](Odd& odd) { odd.forgets_ = true; }).state);
  EXPECT_EQ(conformance([](Odd& odd) { odd.answers_anything_ = true; }).not_refused,
            "was answered");
}

// A fact that a device file gets must be checked, or be said here not to be.
TEST_F(OracleChecked, EveryFieldOfADeviceFileIsChecked) {
  std::set<std::string> fields = {"name", "architecture",  // words
                                  "subpartitions",  // the scheduler is defined for no other number
                                  "max_cluster",    // by the largest clusters that are asked for
                                  "gpc_of_sm"};     // by clusters, on devices that have them
  Device device = device_;
  for (const bool mapped : {false, true}) {
    if (mapped) device.tpc_of_sm = {0, 0, 1, 1};
    for (const LimitCheck& claim : device_claims(device, {})) fields.insert(claim.field);
  }
  device.gpc_of_sm = {0, 0, 1, 1};
  device.max_cluster = 2;
  const Json file = to_json(device);
  for (const auto& [field, value] : file.items()) {
    EXPECT_TRUE(fields.contains(field)) << field;
  }
}

TEST_F(OracleChecked, WhatAnAxisWouldExplainIsSaidToBeOpen) {
  SimulatedOracle oracle("linear", device_, hypothesis_from_text("tie_break=linear"));
  const OracleCheck checked = check(oracle);
  EXPECT_THAT(checked.corrections, IsEmpty());
  EXPECT_THAT(names_of_wrong(checked), ElementsAre(StartsWith("TPCs")));
  const auto tpcs = std::ranges::find_if_not(checked.limits, &LimitCheck::holds);
  EXPECT_EQ(tpcs->field, "sms_per_tpc");
  EXPECT_THAT(tpcs->unless, Contains("tie_break=linear"));
}

TEST(OracleCheckedOn, EveryTruthfulDeviceWhateverItsGranularities) {
  samples::Folder folder;
  int journals = 0;
  for (const DeviceFile& built_in : known_devices()) {
    for (const std::string text : {"algorithm-1", "runtime_shared=0,shared_granularity=256",
                                   "register_granularity=512,runtime_shared=2048"}) {
      const Hypothesis truth = hypothesis_from_text(text);
      SimulatedOracle oracle("truth", built_in.device, truth);
      Journal journal(folder.path("journal" + std::to_string(++journals)), built_in.device,
                      "truth");
      const OracleCheck check = check_oracle(oracle, journal, 1, {});
      EXPECT_THAT(names_of_wrong(check), IsEmpty()) << built_in.device.name << ", " << text;
      for (const GranularityCheck& granularity : check.granularities) {
        EXPECT_TRUE(std::ranges::any_of(granularity.left,
                                        [&](const Hypothesis& left) {
                                          return std::ranges::all_of(
                                              granularity.axes, [&](int axis) {
                                                return left.values[axis] == truth.values[axis];
                                              });
                                        }))
            << built_in.device.name << ", " << granularity.what;
        EXPECT_EQ(granularity.left.size(), 1U) << built_in.device.name << ", " << granularity.what;
      }
    }
  }
}

}  // namespace
}  // namespace cuvier
