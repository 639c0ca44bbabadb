#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

class ClustersCommand : public ::testing::Test {
 protected:
  samples::Folder folder_;
};

TEST_F(ClustersCommand, CountsThemForEachKernel) {
  folder_.write("kernels.json",
                R"({"kernels":{"half":{"blocks":1,"threads":1024,"registers":32},)"
                R"("whole":{"blocks":1,"threads":256,"registers":64,"shared":218112}}})");
  const Ended ended = run_cuvier(folder_, "clusters --device h100 --kernel kernels.json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json kernels = parse_json(ended.out, "stdout")["kernels"];
  EXPECT_EQ(kernels["half"]["blocks_per_sm"], 2);
  EXPECT_EQ(kernels["half"]["clusters"][0]["most"], 264);
  const Json fours = kernels["whole"]["clusters"][2];
  EXPECT_EQ(fours["under_model"], 30);
  EXPECT_EQ(fours["sms_for"], 33);
  EXPECT_EQ(fours["idle_sms"].size(), 12u);
}

TEST_F(ClustersCommand, SaysWhatItNeeds) {
  const Ended without = run_cuvier(folder_, "clusters --device a100");
  EXPECT_EQ(without.exit_code, bad_input);
  EXPECT_EQ(without.err, "cuvier: NVIDIA A100: it launches no clusters\n");
  folder_.write("beside.json", R"({"kernels":{"a":{"blocks":1,"threads":64,"registers":32}},)"
                               R"("reserved_sms":4})");
  const Ended beside = run_cuvier(folder_, "clusters --device h100 --kernel beside.json");
  EXPECT_EQ(beside.exit_code, bad_input);
  EXPECT_THAT(beside.err, HasSubstr("leave out resident and reserved_sms"));
}

}  // namespace
}  // namespace cuvier
