#include <fmt/format.h>
#include <gmock/gmock.h>

#include "hypotheses/devices.h"
#include "hypotheses/scheduler/topology.h"
#include "probes/family.h"
#include "probes/json_fields.h"
#include "solver/smt/smt_query.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ExportCommand : public ::testing::Test {
 protected:
  ExportCommand() { folder_.write("four.json", samples::device_text); }

  std::string exported(const std::string& arguments) {
    const Ended ended = run_cuvier(folder_, "export " + arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return ended.out;
  }

  /// What cvc5 says of it, where that is installed.
  void expect_of_cvc5(const std::string& smt2, SmtAnswer::Kind kind) {
    if (std::system("command -v cvc5 >/dev/null") != 0) return;
    folder_.write("query.smt2", smt2);
    const SmtAnswer answer = ask_program({"cvc5", "--lang", "smt2"}, folder_.path("query.smt2"));
    EXPECT_EQ(answer.kind, kind) << answer.reason;
  }

  samples::Folder folder_;
};

TEST_F(ExportCommand, NeedsTheDeviceOfAModelThatIsOfAny) {
  const Ended ended = run_cuvier(folder_, "export bfa --format json");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("say of which with --device"));
}

TEST_F(ExportCommand, OfPlainFactsIsAModelToo) {
  const Json facts = parse_json(exported("bfa --device four.json --format json"), "facts");
  EXPECT_EQ(facts["order"].dump(), "[0,2,1,3]");
  EXPECT_EQ(facts["tpcs"].dump(), "[[0,1],[2,3]]");
  EXPECT_EQ(facts["meanings"]["selection"]["answer"],
            "the SM with the fewest resident warps (breadth first, BFA)");
  folder_.write("facts.json", facts.dump());
  folder_.write("probe.json", samples::probe_text);
  EXPECT_EQ(run_cuvier(folder_, "predict --device four.json --model facts.json probe.json").out,
            run_cuvier(folder_, "predict --device four.json --assume bfa probe.json").out);
  // It carries its device.
  EXPECT_EQ(exported("facts.json --format cpp"), exported("bfa --device four.json --format cpp"));
}

TEST_F(ExportCommand, WritesAFile) {
  exported("bfa --device four.json --format cpp --out bfa.h");
  EXPECT_THAT(folder_.read("bfa.h"),
              AllOf(HasSubstr("// selection: fewest_warps"), HasSubstr("class Gpu"),
                    HasSubstr("Where blocks go on four SMs, under selection=fewest_warps")));
}

/// Most room first, ties in the TPCs' order: of random SMs the one that is asserted, and no other.
TEST_F(ExportCommand, StatesTheNextSm) {
  const std::string pick = exported("algorithm-1 --device rtx3090 --format smt2");
  const Device device = find_device("rtx3090");
  const std::vector<int> order = named_order(device, TieBreak::tpc_interleaved);
  Rng rng(3);
  for (int round = 0; round < 3; ++round) {
    std::string state;
    int expected = -1;
    int most = -1;
    for (const int sm : order) {
      const int room = uniform(rng, 0, 3);
      const bool fits = uniform(rng, 0, round) > 0;
      state += fmt::format("(assert (= room.{} (- {}))) (assert {})\n", sm, room,
                           fits ? fmt::format("fits.{}", sm) : fmt::format("(not fits.{})", sm));
      if (!fits || room <= most) continue;
      most = room;
      expected = sm;
    }
    const std::string query = pick + state + "(check-sat)\n";
    const SmtAnswer answer = ask_z3(query);
    ASSERT_EQ(answer.kind, SmtAnswer::Kind::sat) << answer.reason;
    const std::string other = pick + state +
                              (expected < 0 ? "(assert (not (= next (- 1))))"
                                            : fmt::format("(assert (not (= next {})))", expected)) +
                              "(check-sat)\n";
    EXPECT_EQ(ask_z3(other).kind, SmtAnswer::Kind::unsat);
    expect_of_cvc5(query, SmtAnswer::Kind::sat);
    expect_of_cvc5(other, SmtAnswer::Kind::unsat);
  }
}

/// That somebody is first among 82 that are compared with each other took Z3 more than nine
/// minutes.
TEST_F(ExportCommand, AnswersAtOnceWhetherAFittingSmWaits) {
  for (const char* const model :
       {"algorithm-1 --device rtx3090", "round-robin --device rtx3090",
        "gpgpu-sim --device rtx3090", "selection=fewest_warps,hierarchy=gpc --device h200"}) {
    const std::string pick = exported(std::string(model) + " --format smt2");
    const SmtAnswer answer = ask_z3(pick + "(assert (and fits.0 (= next (- 1))))\n(check-sat)\n",
                                    {.seconds = 30, .task = {}});
    EXPECT_EQ(answer.kind, SmtAnswer::Kind::unsat) << model << ": " << answer.reason;
  }
}

/// Of four SMs the one that is next whatever else is so; -1: none of them is. -2 where that is
/// open.
int only_next(const std::string& query) {
  EXPECT_EQ(ask_z3(query + "(check-sat)\n").kind, SmtAnswer::Kind::sat);
  for (const int sm : {-1, 0, 1, 2, 3}) {
    const std::string is = sm < 0 ? "(- 1)" : std::to_string(sm);
    const std::string other = query + "(assert (not (= next " + is + ")))\n(check-sat)\n";
    if (ask_z3(other).kind == SmtAnswer::Kind::unsat) return sm;
  }
  return -2;
}

/// TPCs in turn, and SMs within a TPC in turn.
TEST_F(ExportCommand, StatesCursors) {
  const std::string pick = exported("gpgpu-sim --device four.json --format smt2");
  const auto next = [&](const std::string& state) {
    const std::string query = pick + "(assert (and " + state + "))\n";
    expect_of_cvc5(query + "(check-sat)\n", SmtAnswer::Kind::sat);
    return only_next(query);
  };
  const std::string all = "fits.0 fits.1 fits.2 fits.3 ";
  EXPECT_EQ(next(all + "(= cursor.group (- 1)) (= cursor.0 (- 1))"), 0);
  EXPECT_EQ(next(all + "(= cursor.group 0) (= cursor.1 (- 1))"), 2);
  EXPECT_EQ(next(all + "(= cursor.group 0) (= cursor.1 2)"), 3);
  EXPECT_EQ(next(all + "(= cursor.group 1) (= cursor.0 1)"), 0);
  EXPECT_EQ(next("(not fits.0) fits.1 fits.2 fits.3 (= cursor.group 1) (= cursor.0 1)"), 1);
  EXPECT_EQ(next("(not fits.0) (not fits.1) (not fits.2) (not fits.3)"), -1);
}

TEST_F(ExportCommand, StatesWhatFollowsABlock) {
  const std::string pick = exported("bcs --device four.json --format smt2");
  const auto next = [&](const std::string& state) {
    return only_next(pick +
                     "(assert (and fits.0 fits.1 (not fits.2) fits.3 (= room.0 (- 1)) "
                     "(= room.1 (- 1)) (= room.3 (- 5)) " +
                     state + "))\n");
  };
  EXPECT_EQ(next("(= mate (- 1))"), 3);
  EXPECT_EQ(next("(= mate 1)"), 1);
  EXPECT_EQ(next("(= mate 2)"), 3);
}

TEST_F(ExportCommand, RefusesToStateWhatAGroupRemembers) {
  const Ended ended = run_cuvier(
      folder_, "export hierarchy=tpc,group_turn=each_sm_once --device four.json --format smt2");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("group_turn=each_sm_once"));
}

}  // namespace
}  // namespace cuvier
