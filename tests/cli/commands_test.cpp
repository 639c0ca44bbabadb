// What the commands do, from outside.

#include <gmock/gmock.h>

#include "probes/fact.h"
#include "tests/cli/cuvier_test.h"
#include "tests/small_sms.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Commands : public CuvierTest {};

TEST_F(Commands, PredictGivesTheObservation) {
  folder_.write("probe.json", R"({"name":"p","kernels":{)"
                              R"("k1":{"blocks":5,"threads":32,"registers":32}},)"
                              R"("script":[{"launch":"k1"}]})");
  const Ended ended = run_cuvier(folder_, "predict --device four.json probe.json --json");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out, R"({"steps":[{"started":{"k1":{"block":[0,1,2,3,4],"sm":[0,2,1,3,0],)"
                       R"("warp_slot":[[0],[0],[0],[0],[1]]}},"shared_config":{"k1":102400}}],)"
                       R"("model":"algorithm-1","evidence":)"
                       "\"never checked on this GPU; contradicted on 3 others (NVIDIA A100, NVIDIA "
                       "GeForce RTX 2080 Ti, NVIDIA GeForce RTX 3090)\"}\n");
  EXPECT_EQ(
      json_of(
          "predict --device four.json --assume tie_break=linear probe.json")["steps"][0]["started"]
                                                                            ["k1"]["sm"]
                                                                                .dump(),
      "[0,1,2,3,0]");
  EXPECT_EQ(json_of("predict --device four.json --assume dfa --assume tie_break=linear_reversed "
                    "probe.json")["steps"][0]["started"]["k1"]["sm"]
                .dump(),
            "[3,3,3,3,3]");
  // SMs keep their order where some are left out.
  EXPECT_EQ(
      json_of("predict --device four.json --reserved-sms [2] probe.json")["steps"][0]["started"]
                                                                         ["k1"]["sm"]
                                                                             .dump(),
      "[0,1,3,0,1]");
  EXPECT_EQ(json_of("predict --device four.json --reserved-sms 3 probe.json")["steps"][0]["started"]
                                                                             ["k1"]["sm"]
                                                                                 .dump(),
            "[0,0,0,0,0]");
}

TEST_F(Commands, ProbesMayNameFunctionsOfTheCompilersReport) {
  folder_.write("report.txt",
                "Compiling entry function '_Z4gemmPf' for 'sm_86'\nUsed 168 registers\n");
  folder_.write("probe.json", R"({"name":"p","kernels":{)"
                              R"("k":{"blocks":16,"threads":384,"entry":"gemm"}},)"
                              R"("script":[{"launch":"k"}]})");
  const std::string reported = " probe.json --device four.json --kernel-report report.txt";
  EXPECT_EQ(json_of("predict" + reported)["waits"][0]["blocks"], 12);  // for registers
  EXPECT_EQ(json_of("explain --block k:3" + reported)["sm"], 3);
  EXPECT_EQ(json_of("explain --block k:4" + reported)["sm"], nullptr);
  const Ended without = run_cuvier(folder_, "predict probe.json --device four.json");
  EXPECT_EQ(without.exit_code, bad_input);
  EXPECT_THAT(without.err, HasSubstr("name it with --kernel-report FILE"));
}

TEST_F(Commands, PredictIsForPeopleWhereverItGoes) {
  folder_.write("probe.json", R"({"name":"p","kernels":{)"
                              R"("k1":{"blocks":5,"threads":32,"registers":32}},)"
                              R"("script":[{"launch":"k1"}]})");
  EXPECT_THAT(run_cuvier(folder_, "predict --device b200 probe.json").out,
              StartsWith("p on NVIDIA B200, under b200-as-recorded (explains"));
}

TEST_F(Commands, ExplainSaysWhatWouldMoveABlock) {
  // k1 fills SM 0 and 2; the release makes room on 2.
  folder_.write("probe.json", R"({"name":"p","kernels":{)"
                              R"("k1":{"blocks":4,"threads":1024,"registers":32},)"
                              R"("k2":{"blocks":2,"threads":1024,"registers":32}},)"
                              R"("script":[{"launch":"k1"},{"launch":"k2"},)"
                              R"({"release":[{"kernel":"k1","blocks":[1]}]}]})");
  const std::string asked = "explain --device four.json probe.json --assume algorithm-1 --block ";
  const Json json = json_of(asked + "k2:0");
  const Json seen = json_of("predict --device four.json probe.json --assume algorithm-1");
  EXPECT_EQ(json["step"], 2);
  EXPECT_EQ(json["sm"], seen["steps"][2]["started"]["k2"]["sm"][0]);
  EXPECT_EQ(json["beside"].dump(), "{}");
  // Without k1 it would not have had to wait, without the release it would for good.
  EXPECT_EQ(json["without_actions"].dump(),
            R"([{"action":0,"step":1,"sm":0},{"action":2,"step":null,"sm":null}])");
  const Json first = json_of(asked + "k1:1");
  EXPECT_THAT(first["other_answers"].dump(),
              HasSubstr(R"({"axis":"tie_break","value":"linear","step":0,"sm":1})"));
  const Ended never = run_cuvier(folder_, asked + "k2:1");
  EXPECT_EQ(never.exit_code, 0) << never.err;
  EXPECT_THAT(never.out, StartsWith("block 1 of k2 never starts\n"));
  EXPECT_THAT(never.out, HasSubstr("In the end k2 waits for room on an SM"));
  for (const auto& [block, words] :
       {std::pair{"k2", "must be KERNEL:N"},
        std::pair{"k2:2", "\"2\" is no block of k2; it has blocks 0 to 1"},
        std::pair{"k3:0", "the number of a block; there are k1, k2"},
        std::pair{"k2:x", "\"x\" is no block of k2; it has blocks 0 to 1"}}) {
    const Ended ended = run_cuvier(folder_, asked + block);
    EXPECT_EQ(ended.exit_code, bad_input);
    EXPECT_THAT(ended.err, HasSubstr(words));
  }
}

TEST_F(Commands, DevicesSayWhichModelIsKnownOfThem) {
  const std::string text = run_cuvier(folder_, "devices").out;
  EXPECT_THAT(text, HasSubstr("\nrtx3090: rtx3090-as-recorded (explains all 133 facts recorded of "
                              "this GPU)\n"));
  EXPECT_THAT(text,
              HasSubstr("\nv100: algorithm-1 (never checked on this GPU; contradicted on 3 "));
}

TEST_F(Commands, PredictAndRunWriteATimeline) {
  folder_.write("probe.json", R"({"name":"p","kernels":{)"
                              R"("k1":{"blocks":5,"threads":32,"registers":32}},)"
                              R"("script":[{"launch":"k1"}]})");
  json_of("predict --device four.json probe.json --trace predicted.json");
  const Json trace = parse_json(folder_.read("predicted.json"), "predicted.json");
  int blocks = 0;
  for (const Json& event : trace["traceEvents"]) blocks += event.contains("cat") ? 1 : 0;
  EXPECT_EQ(blocks, 5);
  json_of("run --oracle sim:four.json probe.json --trace seen.json");
  EXPECT_EQ(folder_.read("seen.json"), folder_.read("predicted.json"));
  EXPECT_EQ(
      run_cuvier(folder_, "predict --device four.json probe.json --trace no/t.json").exit_code, 2);
}

TEST_F(Commands, PredictAgreesWithTheTableOfThePaper) {
  const RecordingSet set = read_recordings(table2);
  for (const Recording& recording : set.recordings) {
    folder_.write("case.json", to_json(recording.probe).dump());
    const Json json = json_of("predict --device rtx3090 case.json");
    const Observation observation =
        observation_from_json(json, recording.probe, set.device, "stdout");
    for (const Fact& fact : recording.facts) {
      EXPECT_TRUE(agrees(fact, observation, recording.probe))
          << recording.name() << ": " << describe(fact, recording.probe);
    }
  }
}

TEST_F(Commands, RunAsksTheOracle) {
  folder_.write("probe.json", samples::probe_text);
  const Json json = json_of("run --oracle sim:four.json,round-robin probe.json");
  EXPECT_EQ(json["steps"][0].dump(), R"({"started":{"k2":{"block":[0,1,2,3],"sm":[0,2,1,3]}}})");
}

TEST_F(Commands, RunTellsTheFactsOfARecording) {
  const RecordingSet set = read_recordings(table2);
  folder_.write("case.json", to_json(set.recordings[0].probe).dump());
  const Json json = json_of("run --oracle recording:" + table2 + " case.json");
  EXPECT_EQ(json["facts"].size(), set.recordings[0].facts.size());
}

TEST_F(Commands, CheckNamesTheFactsThatAHypothesisGetsWrong) {
  EXPECT_EQ(run_cuvier(folder_, "check " + table2 + " --assume algorithm-1").exit_code, 0);
  const Ended ended = run_cuvier(folder_, "check " + table2 + " --assume algorithm-1-as-printed");
  EXPECT_EQ(ended.exit_code, refuted);
  EXPECT_THAT(ended.out, HasSubstr("refuted: it gets 2 of 41 facts wrong"));
  EXPECT_THAT(ended.out, HasSubstr("  2     k3      starts on SMs {1}  starts on SMs {0}\n"));

  const Json json = json_of("check " + table2 + " --assume algorithm-1-as-printed", refuted);
  ASSERT_EQ(json["mismatches"].size(), 2U);
  EXPECT_EQ(json["mismatches"][0]["recording"], "case-1.2");
  EXPECT_EQ(json["mismatches"][1]["recording"], "case-1.3");
  EXPECT_EQ(json["mismatches"][0]["step"], 2);
  EXPECT_EQ(json["mismatches"][0]["kernel"], "k3");
}

TEST_F(Commands, CheckSaysWhichValuesSurvive) {
  const Json json =
      json_of("check " + table2 + " --assume tie_break=tpc_interleaved,linear", ambiguous);
  EXPECT_EQ(json["status"], "ambiguous");
  EXPECT_EQ(json["mechanism"]["selection"], "most_room");
  EXPECT_EQ(json["surviving"]["warp_placement"].dump(), R"(["strict_round_robin"])");
  EXPECT_GT(json["open"].size(), 0U);
  EXPECT_GT(json["hypotheses"]["initial"], json["hypotheses"]["remaining"]);
}

TEST_F(Commands, InferWritesJournalAndModelAndResumes) {
  // So little is open, on SMs so small, that it is a matter of moments.
  folder_.write("four.json", small_sms_text(4));
  const std::string infer =
      "infer --oracle sim:four.json,selection=first_fit --out out "
      "--assume algorithm-1,selection=first_fit";
  const Ended first = run_cuvier(folder_, infer);
  EXPECT_EQ(first.exit_code, 0) << first.err << first.out;
  EXPECT_THAT(first.out, HasSubstr("seed 1\n"));
  EXPECT_THAT(first.out, HasSubstr("\nidentified: "));
  EXPECT_THAT(first.out, Not(HasSubstr("\r")));

  const Json model = parse_json(folder_.read("out/model.json"), "model.json");
  EXPECT_EQ(model["schema"], 1);
  EXPECT_EQ(model["status"], "identified");
  EXPECT_EQ(model["mechanism"]["selection"], "first_fit");
  EXPECT_EQ(model["hypotheses"]["remaining"], 1);
  const RecordingSet journal = read_recordings(folder_.path("out/journal.jsonl"));
  EXPECT_EQ(model["probes"], journal.recordings.size());

  const Ended again = run_cuvier(folder_, infer);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("add --resume to go on from there"));

  const Ended resumed = run_cuvier(folder_, infer + " --resume --seed 5");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("seed 5\n"));
  // What told nothing is counted, not listed; quietly, what told something is not either.
  EXPECT_THAT(resumed.out, ContainsRegex("\n     [0-9]+ probes more told nothing new\n"));
  EXPECT_THAT(resumed.out, Not(HasSubstr(" +0.0 bits")));
  EXPECT_THAT(resumed.out, HasSubstr(" bits "));
  const Ended quiet = run_cuvier(folder_, infer + " --resume --quiet");
  EXPECT_THAT(quiet.out, AllOf(Not(HasSubstr(" told nothing new")), HasSubstr("\nidentified: ")));
  EXPECT_THAT(quiet.out, Not(ContainsRegex("\n +1 +.[0-9.]+ bits")));
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(read_recordings(folder_.path("out/journal.jsonl")).recordings.size(),
            journal.recordings.size());

  EXPECT_EQ(run_cuvier(folder_, "check out/journal.jsonl --model out/model.json").exit_code, 0);
  EXPECT_EQ(run_cuvier(folder_, "check out/journal.jsonl --model algorithm-1").exit_code, 11);
}

TEST_F(Commands, InferStopsCleanlyWhenItIsInterrupted) {
  const Ended ended = run_interrupted(folder_, "infer --oracle sim:rtx3090 --out out",
                                      "grep -q recording out/journal.jsonl");
  EXPECT_EQ(ended.exit_code, ambiguous) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("ambiguous: interrupted"));
  EXPECT_EQ(parse_json(folder_.read("out/model.json"), "model.json")["status"], "ambiguous");
}

TEST_F(Commands, CheckEndsEarlyWithWhatIsKnown) {
  const Ended ended =
      run_cuvier(folder_, "check " CUVIER_SOURCE_DIR "/corpus/table2.jsonl --time-limit 1e-9");
  EXPECT_EQ(ended.exit_code, ambiguous);
  EXPECT_THAT(ended.out, HasSubstr("allowed are spent: 0 of 10 recordings looked at"));
}

TEST_F(Commands, ListsAreJsonToo) {
  EXPECT_GT(json_of("axes")["axes"].size(), 20U);
  EXPECT_EQ(json_of("axes")["count"]["hypotheses"].get<double>(),
            parse_json(run_cuvier(folder_, "check " CUVIER_SOURCE_DIR
                                           "/corpus/table2.jsonl --json --time-limit 1e-9")
                           .out,
                       "stdout")["hypotheses"]["initial"]
                .get<double>());
  EXPECT_EQ(json_of("devices")["rtx3090"]["sms"], 82);
}

}  // namespace
}  // namespace cuvier
