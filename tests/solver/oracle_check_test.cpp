#include "solver/check/oracle_check.h"

#include <gmock/gmock.h>

#include "hypotheses/simulated_oracle.h"
#include "tests/law/planted.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

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

class OracleChecked : public ::testing::Test {
 protected:
  std::vector<std::string> wrong(const Device& claimed) {
    Boaster oracle(device_, claimed);
    Journal journal(folder_.path("journal" + std::to_string(++journals_)), claimed, "boaster");
    const OracleCheck check = check_oracle(oracle, journal, 1, [](const std::string&) {});
    EXPECT_GT(check.limits.size(), 8U);
    std::vector<std::string> names;
    for (const LimitCheck& limit : check.limits) {
      if (!limit.holds()) names.push_back(limit.what);
    }
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
  EXPECT_THAT(wrong(claimed), ElementsAre("block slots of an SM"));
  claimed = device_;
  std::ranges::rotate(claimed.gpc_of_sm, claimed.gpc_of_sm.begin() + 1);
  EXPECT_THAT(wrong(claimed), ElementsAre(StartsWith("gpc_of_sm"), StartsWith("gpc_of_sm")));
}

}  // namespace
}  // namespace cuvier
