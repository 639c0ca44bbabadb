// Formulas where the names of values may stand.

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FormulaCommands : public ::testing::Test {
 protected:
  FormulaCommands() {
    folder_.write("four.json", samples::device_text);
    folder_.write("probe.json", samples::probe_text);
  }

  /// An inference of four SMs that do this, among Algorithm 1 and what is assumed beside it: from
  /// few recordings, for what confirms a formula is slow and not what is tested here.
  Ended infer(const std::string& planted, const std::string& assumed,
              const std::string& options = "") {
    return infer_of_few(folder_, "out", "'sim:four.json," + planted + "'",
                        " --assume 'algorithm-1,selection=named," + assumed + "'" + options);
  }

  samples::Folder folder_;
};

TEST_F(FormulaCommands, APlantedFormulaIsFoundAmongTheNamedValues) {
  const Ended ended = infer("pointer_skip=next+(w>=8?1:0)", "pointer_skip=named,next+(w>=8?1:0)");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(folder_.read("out/model.json"),
              HasSubstr("\"pointer_skip\": \"next + (w >= 8 ? 1 : 0)\""));
  const Ended verified = run_cuvier(folder_, "verify out");
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_EQ(run_cuvier(folder_, "report out").exit_code, 0);
  EXPECT_THAT(folder_.read("out/report.html"), HasSubstr("next + (w "));
  const Ended predicted =
      run_cuvier(folder_, "predict --device four.json --model out/model.json probe.json --json");
  EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
  const Ended typed = run_cuvier(folder_,
                                 "predict --device four.json --model "
                                 "'pointer_skip=next + (w >= 8 ? 1 : 0)' probe.json --json");
  EXPECT_EQ(parse_json(predicted.out, "one")["steps"], parse_json(typed.out, "other")["steps"]);
  const Ended other =
      run_cuvier(folder_, "distinguish --device four.json out/model.json algorithm-1");
  EXPECT_EQ(other.exit_code, 0) << other.out << other.err;
}

TEST_F(FormulaCommands, WhatAPlantedFormulaDoesNotReadIsNotOpen) {
  const std::string rule = "dispatch_batch=left > 3 * sms";
  const Ended ended =
      infer(rule, "batch_margin=named,batch_lag=named,pairs_in_flight=named," + rule,
            " --assume '" + rule + "'");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  const Ended verified = run_cuvier(folder_, "verify out");
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

TEST_F(FormulaCommands, WithoutItNothingIsLeft) {
  const Ended ended = infer("pointer_skip=next+(w>=8?1:0)", "pointer_skip=named");
  EXPECT_EQ(ended.exit_code, 11) << ended.out;
}

TEST_F(FormulaCommands, ABadOneIsToldWithItsColumn) {
  const auto refused = [&](const std::string& formula) {
    const Ended ended =
        run_cuvier(folder_, "predict --device four.json --assume '" + formula + "' probe.json");
    EXPECT_EQ(ended.exit_code, 2);
    return ended.err;
  };
  EXPECT_EQ(refused("tie_break=sm +"),
            "cuvier: tie_break has no such formula: 'sm +', column 5: a number, a name, a function "
            "or ( may stand here\n");
  EXPECT_THAT(
      refused("pointer_skip=next + warps"),
      HasSubstr("'next + warps', column 8: nothing is called warps here; there are next, w, "
                "registers, bytes, p, and min, max, abs, power"));
  EXPECT_THAT(refused("cluster_wait=a + b"),
              HasSubstr("cluster_wait has no value \"a + b\"; it has holds, passed, "
                        "passed_on_lone_tpcs; it takes no"));
  EXPECT_THAT(refused("tie_break=gpc"), HasSubstr("tie_break=gpc needs gpc_of_sm"));
}

TEST_F(FormulaCommands, AxesSaysWhatTheyRead) {
  const Ended ended = run_cuvier(folder_, "axes --formula pointer_skip");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("warps of a block"), HasSubstr("next + (w mod 4 == 0 ? 1 : 0)")));
  EXPECT_EQ(run_cuvier(folder_, "axes --formula cluster_wait").exit_code, 2);
  const Ended json = run_cuvier(folder_, "axes --formula pointer_skip --json");
  EXPECT_EQ(parse_json(json.out, "axes").at("name"), "pointer_skip");
}

}  // namespace
}  // namespace cuvier
