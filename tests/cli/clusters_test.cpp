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
  const Ended ended = run_cuvier(folder_, "clusters --device h100 --kernel kernels.json --json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json kernels = parse_json(ended.out, "stdout")["kernels"];
  EXPECT_EQ(kernels["half"]["blocks_per_sm"], 2);
  EXPECT_EQ(kernels["half"]["clusters"][0]["most"], 264);
  const Json fours = kernels["whole"]["clusters"][3];
  EXPECT_EQ(fours["blocks"], 4);
  EXPECT_EQ(fours["under_model"], 30);
  EXPECT_EQ(fours["sms_for"], 33);
  EXPECT_EQ(fours["idle_sms"].size(), 12u);
}

TEST_F(ClustersCommand, TakesWhatTheCompilerReports) {
  folder_.write("report.txt",
                "Compiling entry function '_Z4gemmPf' for 'sm_90'\nUsed 64 registers\n");
  folder_.write("kernels.json", R"({"kernels":{"a":{"blocks":1,"threads":1024,"entry":"gemm"}}})");
  const Ended ended = run_cuvier(
      folder_, "clusters --device h100 --kernel kernels.json --kernel-report report.txt --json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(parse_json(ended.out, "stdout")["kernels"]["a"]["blocks_per_sm"], 1);
}

TEST_F(ClustersCommand, GoByTheModel) {
  const Ended ended =
      run_cuvier(folder_, "clusters --device h100 --model cluster_sharing=tpc_apart --json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json json = parse_json(ended.out, "stdout");
  EXPECT_EQ(json["model"], "cluster_sharing=tpc_apart");
  EXPECT_EQ(json["kernels"]["a block that fills an SM"]["clusters"][4]["under_model"], 14);
}

/// On the other, GPCs of 18 SMs lose 2 each.
TEST_F(ClustersCommand, SaysTheLeastAndTheMostOfSeveralDies) {
  Json die = parse_json(read_file(CUVIER_SOURCE_DIR "/hypotheses/devices/h100.json"), "h100");
  die["name"] = "another";
  die["gpc_of_sm"] = Json::array();
  int gpc = 0;
  for (const int sms : {18, 18, 18, 18, 18, 18, 16, 2, 2, 2, 2}) {
    for (int sm = 0; sm < sms; ++sm) die["gpc_of_sm"].push_back(gpc);
    ++gpc;
  }
  folder_.write("die.json", die.dump());
  const Ended ended = run_cuvier(folder_, "clusters --device h100 --die die.json --json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json sizes =
      parse_json(ended.out, "stdout")["kernels"]["a block that fills an SM"]["on_dies"];
  EXPECT_EQ(sizes[0].dump(), R"({"blocks":1,"least":132,"most":132})");
  EXPECT_EQ(sizes[2].dump(), R"({"blocks":3,"least":39,"most":41})");
  EXPECT_EQ(sizes[3].dump(), R"({"blocks":4,"least":28,"most":30})");
  const Ended other = run_cuvier(folder_, "clusters --device h100 --die b200");
  EXPECT_EQ(other.exit_code, bad_input);
  EXPECT_THAT(other.err, HasSubstr("--die b200: is no die of NVIDIA H100 SXM"));
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
