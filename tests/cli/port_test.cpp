#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/cuvier_run.h"
#include "tests/small_sms.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PortCommand : public ::testing::Test {
 protected:
  PortCommand() { folder_.write("small.json", small_sms_text(8)); }

  Ended port(const std::string& oracle, const std::string& more = "") {
    return run_cuvier(folder_, "port --oracle " + oracle + " --out p -n 20 " + more);
  }

  samples::Folder folder_;
};

TEST_F(PortCommand, GoesTheWholeRoad) {
  const Ended ended =
      port("sim:small.json,selection=fewest_warps",
           "--assume algorithm-1,bfa,dfa,selection=fewest_warps --baseline bfa --baseline dfa");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  const std::string report = folder_.read("p/report.md");
  EXPECT_THAT(report, AllOf(HasSubstr("**identified: "), HasSubstr("Unlike Algorithm 1: `"),
                            HasSubstr("| `selection` | `fewest_warps` |"),
                            HasSubstr("| `dfa` | different |"),
                            HasSubstr("agreed: all of 20 sequences"), HasSubstr("as documented")));
  EXPECT_EQ(report.find("| `selection` |"), report.rfind("| `selection` |"));
  EXPECT_EQ(
      run_cuvier(folder_, "predict --device p/device.json p/differences/2-dfa.json").exit_code, 0);
  EXPECT_EQ(run_cuvier(folder_, "verify p/inference").exit_code, 0);
  EXPECT_EQ(run_cuvier(folder_, "report p").out, "p/inference/report.html\n");
  EXPECT_EQ(run_cuvier(folder_, "report p --format json").out,
            run_cuvier(folder_, "report p/inference --format json").out);
}

TEST_F(PortCommand, KeepsAProbeForEachBaseline) {
  std::string baselines;
  for (const std::string name : {"bfa", "dfa"}) {
    std::filesystem::create_directory(folder_.path(name));
    baselines += " --baseline " + name + "/model.json";
    run_cuvier(folder_, "export " + name + " --device small.json --format json --out " + name +
                            "/model.json");
  }
  const Ended ended = port("sim:small.json", "--stage differences --assume algorithm-1" +
                                                 baselines + " --baseline selection=warps/2");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  for (const std::string file : {"1-model.json", "2-model.json", "3-2.json"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.path("p/differences/" + file))) << file;
  }
}

TEST_F(PortCommand, AnInterruptOfTheLastStageIsNoEnd) {
  const Ended ended = run_interrupted(
      folder_,
      "port --oracle sim:small.json --out p --assume algorithm-1 --stage validation -n 50000",
      "grep -q '4 of 4' stdout.txt");
  EXPECT_EQ(ended.exit_code, ambiguous) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("4 of 4"));
}

TEST_F(PortCommand, AsksNothingOfAnInferenceTwice) {
  const std::string few = "--assume algorithm-1,bfa --baseline bfa";
  ASSERT_EQ(port("sim:small.json", few).exit_code, 0);
  const std::string journal = folder_.read("p/inference/journal.jsonl");
  ASSERT_EQ(port("sim:small.json", few).exit_code, 0);
  EXPECT_EQ(folder_.read("p/inference/journal.jsonl"), journal);
  EXPECT_THAT(folder_.read("p/validation-2/journal.jsonl"), HasSubstr("recording"));
}

TEST_F(PortCommand, StagesCanBeRunAlone) {
  ASSERT_EQ(port("sim:small.json", "--stage oracle").exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("p/inference")));
  const Ended ended = port("sim:small.json", "--stage validation --assume algorithm-1,bfa");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("4 of 4: "), Not(HasSubstr("3 of 4: "))));
  EXPECT_TRUE(std::filesystem::exists(folder_.path("p/validation/journal.jsonl")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("p/report.md")));
  EXPECT_EQ(port("sim:small.json", "--stage nothing").exit_code, 2);
}

TEST_F(PortCommand, GoesOnWithTheDeviceAsItWasCorrected) {
  std::ifstream file(CUVIER_SOURCE_DIR "/docs/howto/oracle.py");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  folder_.write("oracle.py",
                samples::with(text, R"("max_warps_per_sm": 48)", R"("max_warps_per_sm": 64)"));
  const Ended checked = port("'exec:python3 oracle.py'", "--stage oracle");
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, AllOf(HasSubstr("correct max_warps_per_sm: 48 instead of 64"),
                                 HasSubstr("rest on device.json with what was corrected")));
  EXPECT_THAT(folder_.read("p/device.json"), HasSubstr("\"max_warps_per_sm\": 48"));
  run_interrupted(folder_,
                  "port --oracle 'exec:python3 oracle.py' --out p --stage inference "
                  "--assume algorithm-1",
                  "test -s p/inference/journal.jsonl");
  EXPECT_THAT(folder_.read("p/inference/journal.jsonl"), HasSubstr("\"max_warps_per_sm\":48"));
}

TEST_F(PortCommand, LeavesTheFolderOfAnotherGpuAlone) {
  const std::string stage = "--assume algorithm-1 --stage ";
  ASSERT_EQ(port("sim:small.json", stage + "oracle").exit_code, 0);
  run_interrupted(folder_, "port --oracle sim:small.json --out p " + stage + "inference",
                  "grep -q recording p/inference/journal.jsonl");
  const std::string device = folder_.read("p/device.json");
  folder_.write("other.json", samples::with(small_sms_text(8), "four SMs", "other SMs"));
  folder_.write("more.json", small_sms_text(12));
  for (const auto& [oracle, why] :
       {std::pair("sim:other.json", "name is \"four SMs\" there and \"other SMs\" here"),
        std::pair("sim:small.json,bfa", "holds answers of sim:small.json, not of sim:small.json,"),
        std::pair("'exec:" CUVIER_STAND_IN " more.json'", "sms is 8 in p/inference/journal")}) {
    const Ended ended = port(oracle, stage + "oracle");
    EXPECT_EQ(ended.exit_code, bad_input) << oracle << ended.out;
    EXPECT_THAT(ended.err, HasSubstr(why));
    EXPECT_EQ(folder_.read("p/device.json"), device);
  }
  folder_.write("p/device.json", small_sms_text(12));
  EXPECT_THAT(port("sim:small.json", stage + "inference").err,
              HasSubstr("p/device.json: sms is 8 in p/inference/journal.jsonl and 12 here; put "
                        "back the device"));
}

TEST_F(PortCommand, OfWhatNobodyThoughtOfEndsWithALead) {
  const Ended ended =
      port("sim:small.json,selection=fewest_warps", "--assume algorithm-1 --repeat 2");
  EXPECT_EQ(ended.exit_code, 11) << ended.out << ended.err;
  EXPECT_THAT(folder_.read("p/report.md"),
              AllOf(HasSubstr("## A lead"), HasSubstr("These probes clash: "),
                    HasSubstr("hypotheses/axes.h"), HasSubstr("## To contribute")));
}

TEST_F(PortCommand, GoesOnWithARuleThatNobodyWroteDown) {
  const Ended ended =
      port("sim:small.json,selection=warps+blocks", "--assume algorithm-1 --stage inference");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(folder_.read("p/inference/model.json"), HasSubstr("\"selection\": \""));
  EXPECT_THAT(folder_.read("p/inference/invention.html"), HasSubstr("What was invented"));
}

TEST_F(PortCommand, GoesOnWithTheMapThatClustersLeave) {
  const auto twelve_sms = [](const std::string& more) {
    return samples::with(small_sms_text(12), R"("max_resident_kernels":128)",
                         R"("max_resident_kernels":128,"max_cluster":4)" + more);
  };
  folder_.write("true.json", twelve_sms(R"(,"gpc_of_sm":[0,0,1,1,0,0,1,1,0,0,1,1])"));
  std::filesystem::create_directory(folder_.path("p"));
  folder_.write("p/device.json", twelve_sms(""));
  const Ended ended = port("sim:true.json,tie_break=gpc_major",
                           "--assume algorithm-1,tie_break=named --stage inference");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("clusters leave this one: it is in device.json now"));
  EXPECT_THAT(folder_.read("p/inference-by-map/model.json"),
              HasSubstr("\"tie_break\": \"gpc_major\""));
  EXPECT_EQ(run_cuvier(folder_, "report p").out, "p/inference-by-map/report.html\n");
}

TEST_F(PortCommand, BadArgumentsAreToldBeforeAnythingIsAsked) {
  const Ended ended = port("sim:small.json", "--baseline nobody");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("nobody"));
  EXPECT_THAT(ended.out, Not(HasSubstr("1 of 4")));
}

}  // namespace
}  // namespace cuvier
