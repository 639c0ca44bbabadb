#include "probes/gpu/gpu_claim.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "probes/gpu/failure.h"
#include "tests/samples.h"

namespace cuvier::gpu {
namespace {

class Claim : public testing::Test {
 protected:
  ~Claim() override { std::filesystem::remove(path_); }

  std::string gpu_ = "test:" + std::to_string(::getpid());
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("cuvier-gpu-test-" + std::to_string(::getpid()) + ".json");
};

TEST_F(Claim, IsOneRunnersAtATime) {
  {
    const GpuClaim first(gpu_);
    try {
      const GpuClaim second(gpu_, std::chrono::milliseconds{10});
      FAIL() << "two runners on one GPU";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit_code(), exit_busy);
      EXPECT_NE(std::string(failure.what()).find(path_.string()), std::string::npos);
    }
    const GpuClaim other(gpu_ + "x");
    std::filesystem::remove(std::filesystem::temp_directory_path() /
                            ("cuvier-gpu-test-" + std::to_string(::getpid()) + "x.json"));
  }
  const GpuClaim next(gpu_);
}

/// One that was killed goes only once the driver has tidied up: longer than a few seconds.
TEST_F(Claim, HasPatienceWithARunnerThatWasKilled) {
  EXPECT_GE(GpuClaim::usual_patience, std::chrono::seconds{30});
}

TEST_F(Claim, KeepsTheGroupsOfTheSameDevice) {
  Device device = samples::device();
  Device asked = device;
  asked.gpc_of_sm = {0, 1, 0, 1};
  asked.max_cluster = 2;
  {
    const GpuClaim claim(gpu_);
    EXPECT_FALSE(claim.kept("GPU-1", device));
    claim.keep("GPU-1", asked);
  }
  const GpuClaim claim(gpu_);
  EXPECT_EQ(claim.kept("GPU-1", device), asked);
  EXPECT_FALSE(claim.kept("GPU-2", device)) << "another GPU of the kind in its place";
  device.sms = 6;
  EXPECT_FALSE(claim.kept("GPU-1", device));
}

TEST_F(Claim, BelievesNoFileThatCannotBeTrue) {
  for (const char* text : {"", "{", "[]", R"({"uuid":"GPU-1"})", "\xff"}) {
    std::ofstream(path_) << text;
    EXPECT_FALSE(GpuClaim(gpu_).kept("GPU-1", samples::device())) << text;
  }
}

}  // namespace
}  // namespace cuvier::gpu
