#include "solver/check/oracle_check.h"

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
    if (!limit.holds()) names.push_back(limit.what);
  }
  return names;
}

class OracleChecked : public ::testing::Test {
 protected:
  std::vector<std::string> wrong(const Device& claimed) {
    Boaster oracle(device_, claimed);
    Journal journal(folder_.path("journal" + std::to_string(++journals_)), claimed, "boaster");
    const OracleCheck check = check_oracle(oracle, journal, 1, [](const std::string&) {});
    EXPECT_GT(check.limits.size(), 8U);
    const std::vector<std::string> names = names_of_wrong(check);
    EXPECT_EQ(check.good(), names.empty());
    return names;
  }

  const Device device_ = clustered_device(8);
  samples::Folder folder_;
  int journals_ = 0;
};

TEST_F(OracleChecked, WhatIsTrueHolds) { EXPECT_THAT(wrong(device_), IsEmpty()); }

TEST_F(OracleChecked, EachWrongFactIsNoticed) {
  Device claimed = device_;
  claimed.max_resident_kernels += 3;
  EXPECT_THAT(wrong(claimed), ElementsAre("resident kernels"));
  claimed = device_;
  claimed.registers_per_sm *= 2;
  EXPECT_THAT(wrong(claimed), ElementsAre("registers of an SM"));
  claimed = device_;
  claimed.max_blocks_per_sm /= 2;
  EXPECT_THAT(wrong(claimed), ElementsAre("block slots of an SM", "warp slots of an SM"));
  claimed = device_;
  std::ranges::rotate(claimed.gpc_of_sm, claimed.gpc_of_sm.begin() + 1);
  EXPECT_THAT(wrong(claimed), ElementsAre(StartsWith("gpc_of_sm"), StartsWith("gpc_of_sm")));
}

TEST_F(OracleChecked, FactsThatAreOffByOneAreNoticed) {
  Device claimed = device_;
  ++claimed.max_blocks_per_sm;
  EXPECT_THAT(wrong(claimed), ElementsAre("block slots of an SM"));
  claimed = device_;
  claimed.max_warps_per_sm -= claimed.subpartitions;
  EXPECT_THAT(wrong(claimed), Contains("warp slots of an SM"));
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

TEST_F(OracleChecked, EachConfigurationOffByAGranuleIsNoticed) {
  for (std::size_t i = 1; i < device_.shared_configs.size(); ++i) {
    for (const int off : {-1024, 1024}) {
      Device truth = device_;
      truth.shared_configs[i] += off;
      Boaster oracle(truth, device_);
      Journal journal(folder_.path("journal" + std::to_string(++journals_)), device_, "boaster");
      const OracleCheck check = check_oracle(oracle, journal, 1, [](const std::string&) {});
      EXPECT_THAT(names_of_wrong(check),
                  Contains("shared-memory configuration of " +
                           std::to_string(device_.shared_configs[i]) + " bytes"))
          << off;
    }
  }
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
    for (const DeviceClaim& claim : device_claims(device, {})) fields.insert(claim.field);
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
  Journal journal(folder_.path("journal"), device_, "linear");
  const OracleCheck check = check_oracle(oracle, journal, 1, [](const std::string&) {});
  EXPECT_THAT(names_of_wrong(check), ElementsAre(StartsWith("TPCs")));
  const auto tpcs = std::ranges::find_if_not(check.limits, &LimitCheck::holds);
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
      const OracleCheck check = check_oracle(oracle, journal, 1, [](const std::string&) {});
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
