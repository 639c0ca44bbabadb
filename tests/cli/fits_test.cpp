// Whether kernels fit, and what waits for what, from outside.

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/cli/cuvier_test.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

const std::string workers =
    R"("workers":{"blocks":128,"threads":256,"registers":64,"shared":218112})";

class FitsCommand : public CuvierTest {
 protected:
  FitsCommand() {
    folder_.write("loose.json", R"({"kernels":{)" + workers +
                                    R"(,"schedulers":{"blocks":80,"threads":32,"registers":32,)"
                                    R"("shared":16384}}})");
    folder_.write("packed.json", R"({"kernels":{)" + workers +
                                     R"(,"schedulers":{"blocks":20,"threads":128,"registers":32,)"
                                     R"("shared":16384}}})");
  }
};

TEST_F(FitsCommand, StrandedWorkersAreShownAndCanBeRun) {
  const Json json = json_of("fits loose.json --device b200 --probe stranding.json", refuted);
  EXPECT_EQ(json["verdict"], "unsafe");
  EXPECT_EQ(json["order"].dump(), R"(["schedulers","workers"])");
  EXPECT_EQ(json["stranded"].dump(), R"({"workers":60})");
  EXPECT_EQ(json["running"]["workers"], 68);
  EXPECT_EQ(json["waits"][0]["for"], "room");
  EXPECT_EQ(json["safe_order"].dump(), R"(["workers","schedulers"])");
  const Json seen = json_of("run --oracle sim:b200 stranding.json", 0);
  EXPECT_EQ(seen["steps"][1]["started"]["workers"]["block"].size(), 68u);
  EXPECT_EQ(seen["waits"][0]["blocks"], 60);
  EXPECT_EQ(seen["waits_under"], "algorithm-1");
}

/// Algorithm 1 strands blocks here, and an RTX 3090 was not seen to do what that rests on.
TEST_F(FitsCommand, OffersLessSharedMemoryWhereNoneAtAllDoesNotHelp) {
  EXPECT_THAT(
      run_cuvier(folder_, "fits loose.json --device b200").out,
      HasSubstr("13,312 bytes of shared memory in a block of schedulers instead of 16,384"));
}

TEST_F(FitsCommand, AsksWhatExplainsTheRecordingsOfTheGpu) {
  folder_.write("small.json", R"({"kernels":{"a":{"blocks":96,"threads":256,"registers":32},)"
                              R"("b":{"blocks":20,"threads":64,"registers":32}}})");
  const Json json = json_of("fits small.json --device rtx3090", 0);
  EXPECT_EQ(json["verdict"], "under_model");
  EXPECT_EQ(json["models"].dump(),
            R"([{"model":"rtx3090-as-recorded",)"
            R"("evidence":"explains all 133 facts recorded of this GPU","verdict":"safe"}])");
  EXPECT_FALSE(json.contains("proof"));  // what is not always so was not proved
  const Json told = json_of("fits small.json --device rtx3090 --model algorithm-1", refuted);
  EXPECT_THAT(told["models"][0]["evidence"].get<std::string>(),
              HasSubstr("contradicted on this GPU: wrong in 30 of 133"));
}

TEST_F(FitsCommand, SaysWhereModelsPart) {
  folder_.write("small.json", R"({"kernels":{"a":{"blocks":96,"threads":256,"registers":32},)"
                              R"("b":{"blocks":20,"threads":64,"registers":32}}})");
  const Json json = json_of("fits small.json --device v100", refuted);
  EXPECT_EQ(json["verdict"], "unsafe");
  std::vector<std::string> said;
  for (const Json& model : json["models"]) {
    said.push_back(model["model"].get<std::string>() + " " + model["verdict"].get<std::string>());
    EXPECT_THAT(model["evidence"].get<std::string>(), HasSubstr("never checked on this GPU"));
  }
  EXPECT_THAT(said,
              ::testing::ElementsAre("algorithm-1 unsafe", "a100-as-recorded safe",
                                     "rtx2080ti-as-recorded unsafe", "rtx3090-as-recorded safe"));
  EXPECT_EQ(json["model"], "algorithm-1");
}

/// A context comes with 1,024 bytes of stack.
TEST_F(FitsCommand, ASmallStackFrameStrandsNobody) {
  folder_.write("frames.json", R"({"kernels":{"a":{"blocks":4,"threads":64,"registers":32,)"
                               R"("local":16},"b":{"blocks":4,"threads":64,"registers":32},)"
                               R"("c":{"blocks":4,"threads":64,"registers":32,"local":1024}}})");
  EXPECT_EQ(json_of("fits frames.json --device rtx3090", 0)["verdict"], "always");
  folder_.write("large.json", R"({"kernels":{"a":{"blocks":4,"threads":64,"registers":32,)"
                              R"("local":1025},"b":{"blocks":4,"threads":64,"registers":32}}})");
  EXPECT_EQ(json_of("fits large.json --device rtx3090", refuted)["verdict"], "unsafe");
}

TEST_F(FitsCommand, ProofsAreWrittenForOtherSolvers) {
  EXPECT_EQ(json_of("fits packed.json --device b200 --smt2 proof.smt2", 0)["verdict"], "always");
  EXPECT_THAT(folder_.read("proof.smt2"), HasSubstr("(set-logic QF_LIA)"));
}

TEST_F(FitsCommand, WhatRunsOtherwiseThanTheModelHasItIsNotExplained) {
  json_of("fits loose.json --device b200 --probe stranding.json", refuted);
  const Json seen = json_of("run --oracle sim:b200 --model dfa stranding.json", 0);
  EXPECT_EQ(seen["predicted_otherwise_from"], 0);
  EXPECT_FALSE(seen.contains("waits"));
}

TEST_F(FitsCommand, IsUndecidedWhereThereAreTooManyOrders) {
  std::string kernels;
  for (int k = 0; k < 9; ++k) {
    kernels += (k > 0 ? ",\"k" : "\"k") + std::to_string(k) + R"(":{"blocks":1,"threads":)" +
               std::to_string(32 * (k + 1)) + R"(,"registers":32,"local":)" +
               std::to_string(2048 * k) + "}";
  }
  folder_.write("many.json", R"({"kernels":{)" + kernels + "}}");
  EXPECT_EQ(
      json_of("fits many.json --device t4 --assume local_memory=ignored", undecided)["verdict"],
      "undecided");
}

TEST_F(FitsCommand, TellsWhatIsWrongInOneLine) {
  folder_.write("wide.json", R"({"kernels":{"a":{"blocks":1,"threads":2048,"registers":32}}})");
  folder_.write("none.json", R"({"kernels":{}})");
  for (const auto& [arguments, words] :
       {std::pair{"fits wide.json --device b200", "wide.json: kernels.a.threads: 2048 is over"},
        std::pair{"fits none.json --device b200", "none.json: kernels: is empty"},
        std::pair{"fits nowhere.json --device b200", "nowhere.json"},
        std::pair{"fits loose.json --device b20", "\"b20\""},
        std::pair{"fits loose.json --device b200 --kernel-report loose.json",
                  "loose.json: says nothing of kernels"}}) {
    const Ended ended = run_cuvier(folder_, arguments);
    EXPECT_EQ(ended.exit_code, bad_input) << arguments;
    EXPECT_THAT(ended.err, HasSubstr(words));
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  }
}

/// 20 blocks leave 128 SMs to 128 workers, wherever they are; 21 do not.
TEST_F(FitsCommand, AnswersBesideWhatIsResident) {
  const auto written = [&](int blocks) {
    folder_.write("beside.json", R"({"kernels":{)" + workers +
                                     R"(},"resident":{"comm":{"blocks":)" + std::to_string(blocks) +
                                     R"(,"threads":512,"registers":32,"shared":102400}}})");
    return "beside.json";
  };
  const std::string asked = "fits beside.json --device b200 --probe stranding.json";
  written(20);
  EXPECT_EQ(json_of(asked, 0)["verdict"], "always");
  written(21);
  const Json json = json_of(asked, refuted);
  EXPECT_EQ(json["verdict"], "unsafe");
  EXPECT_EQ(json["stranded"]["workers"], 1);
  EXPECT_EQ(json["resident_on"]["comm"].size(), 21u);
  EXPECT_EQ(json["changes"][0]["change"], "127 blocks of workers instead of 128");
  EXPECT_FALSE(json.contains("probe"));  // none can say where blocks are already
  EXPECT_THAT(run_cuvier(folder_, asked).err, HasSubstr("so no file was written"));
}

TEST_F(FitsCommand, LeavesReservedSmsAlone) {
  const auto asked = [&](const std::string& reserved) {
    folder_.write("left.json",
                  R"({"kernels":{)" + workers + R"(},"reserved_sms":)" + reserved + "}");
    return std::string("fits left.json --device b200");
  };
  EXPECT_EQ(json_of(asked("20"), 0)["verdict"], "always");
  EXPECT_EQ(json_of(asked("[0,1,2,3]"), 0)["verdict"], "always");
  EXPECT_EQ(json_of(asked("21"), refuted)["verdict"], "never");
  EXPECT_THAT(run_cuvier(folder_, asked("148")).err,
              HasSubstr("left.json: reserved_sms: leaves none of the 148 SMs"));
  EXPECT_THAT(run_cuvier(folder_, asked("[148]")).err, HasSubstr("has SM 0 to 147"));
  EXPECT_THAT(run_cuvier(folder_, asked("[1,1]")).err, HasSubstr("names an SM twice"));
}

TEST_F(FitsCommand, SaysWhatTheDriverDoesOfACooperativeLaunch) {
  const auto written = [&](int blocks) {
    folder_.write("coop.json", R"({"kernels":{"a":{"blocks":)" + std::to_string(blocks) +
                                   R"(,"threads":1024,"registers":64,"cooperative":true},)"
                                   R"("b":{"blocks":1,"threads":64,"registers":32}}})");
    return std::string("fits coop.json --device h200");
  };
  const Json refused_one = json_of(written(133), refuted);
  EXPECT_EQ(refused_one["verdict"], "never");
  EXPECT_EQ(refused_one["refused"].dump(), R"(["a"])");
  const Json accepted = json_of(written(132), refuted);
  EXPECT_EQ(accepted["verdict"], "never");
  EXPECT_FALSE(accepted.contains("refused"));
}

/// The second waits until the first has ended, and a third may be what that waits for.
TEST_F(FitsCommand, AnswersForGraphsAndDependentLaunches) {
  const auto written = [&](const std::string& edge, const std::string& third) {
    const std::string filling = R"({"blocks":132,"threads":1024,"registers":64)";
    folder_.write("graph.json", R"({"kernels":{"a":)" + filling + R"(},"b":)" + filling + edge +
                                    R"(["a"]})" + third + "}}");
    return std::string("fits graph.json --device h200");
  };
  EXPECT_EQ(json_of(written(R"(,"after":)", ""), 0)["verdict"], "always");
  EXPECT_EQ(json_of(written(R"(,"programmatic_after":)", ""), 0)["verdict"], "under_model");
  const Json json = json_of(written(R"(,"after":)", R"(,"c":{"blocks":1,"threads":64,)"
                                                    R"("registers":32,"after":["a"]})"),
                            refuted);
  EXPECT_EQ(json["verdict"], "never");
  EXPECT_EQ(json["order"].dump(), R"(["a","b","c"])");
  EXPECT_EQ(json["ends"].dump(), R"({"a":1})");
  EXPECT_EQ(json["running"].dump(), R"({"b":132,"c":0})");
  EXPECT_EQ(json["probe"]["script"][1]["release"][0], "a");
}

TEST_F(FitsCommand, ChecksInABuild) {
  folder_.write("lines.json",
                "{\"kernels\":{\n\"schedulers\":{\"blocks\":80,\"threads\":32,"
                "\"registers\":32,\"shared\":16384},\n" +
                    workers + "}}");
  const Ended ended =
      run_cuvier(folder_, "fits lines.json --device b200 --check --sarif fits.sarif");
  EXPECT_EQ(ended.exit_code, refuted);
  EXPECT_EQ(ended.out,
            "lines.json: unsafe on NVIDIA B200: launched in this order: schedulers, then workers: "
            "60 of 128 blocks of workers wait\n");
  const Json result = parse_json(folder_.read("fits.sarif"), "fits.sarif")["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "fits/unsafe");
  EXPECT_EQ(result["level"], "error");
  const Json place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "lines.json");
  EXPECT_EQ(place["region"]["startLine"], 3);
  EXPECT_THAT(result["message"]["text"].get<std::string>(),
              HasSubstr("20 blocks of schedulers instead of 80"));

  const Ended safe =
      run_cuvier(folder_, "fits packed.json --device b200 --check --sarif fits.sarif");
  EXPECT_EQ(safe.exit_code, 0);
  EXPECT_THAT(safe.out, ::testing::StartsWith("packed.json: always on NVIDIA B200: "));
  EXPECT_EQ(parse_json(folder_.read("fits.sarif"), "fits.sarif")["runs"][0]["results"].dump(),
            "[]");
}

TEST_F(FitsCommand, TellsProgramsAllOfIt) {
  const Json json = json_of("fits loose.json --device b200 --check", refuted);
  EXPECT_EQ(json["verdict"], "unsafe");
  EXPECT_FALSE(json["changes"].empty());
}

TEST_F(FitsCommand, AnswersForAllThatAnInferenceLeft) {
  folder_.write("four.json", samples::device_text);
  ASSERT_EQ(run_cuvier(folder_, "infer --oracle sim:four.json --out f --max-probes 3").exit_code,
            10);
  folder_.write("few.json", R"({"kernels":{"a":{"blocks":4,"threads":64,"registers":32},)"
                            R"("b":{"blocks":3,"threads":32,"registers":32}}})");
  const Ended ended = run_cuvier(folder_, "fits few.json --survivors f --json");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  const Json json = parse_json(ended.out, "stdout");
  const Json model = parse_json(folder_.read("f/model.json"), "model");
  EXPECT_EQ(json["survivors"]["hypotheses"], model["hypotheses"]["remaining"]);
  EXPECT_EQ(json["survivors"]["safe"], json["survivors"]["hypotheses"]);
  const auto expect_error = [&](const std::string& arguments, const std::string& message) {
    const Ended bad = run_cuvier(folder_, "fits few.json " + arguments);
    EXPECT_EQ(bad.exit_code, 2) << arguments;
    EXPECT_THAT(bad.err, HasSubstr(message));
  };
  expect_error("", "--device is required, unless --survivors is given");
  expect_error("--survivors f --device h200", "--device h200: is not that of f/model.json");
  expect_error("--survivors nowhere", "nowhere/model.json: cannot be opened");
  expect_error("--survivors f --model bfa", "--model");
  folder_.write("f/model.json", samples::with(folder_.read("f/model.json"), "\"surviving\": {",
                                              "\"surviving\": {\"guess\": [\"x\"],"));
  expect_error("--survivors f", "f/model.json: surviving.guess: ");
}

}  // namespace
}  // namespace cuvier
