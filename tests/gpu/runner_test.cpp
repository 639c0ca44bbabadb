#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

namespace {

constexpr int no_device = 4;

// The runner itself on a real device.
TEST(GpuRunner, PassesItsSelfTest) {
  if (!std::filesystem::exists(CUVIER_GPU_RUNNER)) GTEST_SKIP() << "cuvier-gpu is not built";
  const int status = std::system((std::string(CUVIER_GPU_RUNNER) + " --self-test").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == no_device) GTEST_SKIP() << "no GPU here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
