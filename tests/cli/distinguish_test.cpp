// `cuvier distinguish`, from outside.

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"
#include "tests/small_sms.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Distinguish : public ::testing::Test {
 protected:
  Distinguish() { folder_.write("four.json", samples::device_text); }

  Ended run(const std::string& arguments) {
    return run_cuvier(folder_, "distinguish --device four.json " + arguments);
  }
  Json predicted(const std::string& hypothesis) {
    const Ended ended = run_cuvier(
        folder_, "predict --device four.json --assume " + hypothesis + " probe.json --json");
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return parse_json(ended.out, "stdout");
  }
  static void expect_same_sms(const Json& seen, const Json& predicted) {
    ASSERT_EQ(seen["steps"].size(), predicted["steps"].size());
    for (std::size_t s = 0; s < seen["steps"].size(); ++s) {
      const Json& started = predicted["steps"][s]["started"];
      ASSERT_EQ(seen["steps"][s]["started"].size(), started.size());
      for (const auto& [kernel, entry] : started.items()) {
        EXPECT_EQ(seen["steps"][s]["started"][kernel]["sm"], entry["sm"]);
      }
    }
  }

  samples::Folder folder_;
};

TEST_F(Distinguish, ShowsBothPredictionsAndWhereTheyPart) {
  const Ended ended = run("algorithm-1 tie_break=linear --minimize");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("different: step 0, block 1 of k1: SM 2 under A, SM 1 under B"));
  EXPECT_THAT(ended.out, HasSubstr("  A: algorithm-1\n"
                                   "  B: tie_break=linear (the rest as in algorithm-1)\n"));
  EXPECT_THAT(ended.out, HasSubstr("<- they part"));
}

TEST_F(Distinguish, WritesAProbeThatPredictReads) {
  const Ended ended = run("round-robin bfa --out probe.json --json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json json = parse_json(ended.out, "stdout");
  EXPECT_EQ(json["result"], "different");
  EXPECT_EQ(json["a"]["mechanism"]["selection"], "round_robin");
  EXPECT_EQ(json["probe"], parse_json(folder_.read("probe.json"), "probe.json"));
  expect_same_sms(json["observation_a"], predicted("round-robin"));
  expect_same_sms(json["observation_b"], predicted("bfa"));
  const Json& parting = json["parting"];
  EXPECT_NE(parting["sm_a"], parting["sm_b"]);
  EXPECT_EQ(parting["step"].get<std::size_t>() + 1, json["probe"]["script"].size());
}

TEST_F(Distinguish, NeedsNoProofThatAHypothesisIsItself) {
  const Ended same = run("bfa bfa");
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_THAT(same.out, StartsWith("equivalent: A and B are the same hypothesis\n"));
  EXPECT_THAT(same.out, Not(HasSubstr("induction")));
  EXPECT_THAT(run("bfa bfa,batch_lag=2").out,
              StartsWith("equivalent: A and B differ only in batch_lag, which changes nothing"));
}

TEST_F(Distinguish, ReadsModels) {
  folder_.write("model.json", R"({"schema":1,"mechanism":{"selection":"first_fit"}})");
  const Ended ended = run("algorithm-1 model.json --json");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(parse_json(ended.out, "stdout")["b"]["mechanism"]["selection"], "first_fit");
}

TEST_F(Distinguish, WritesACatalogueOfAllNeighboursOfWhichOneFails) {
  const std::string taken = "out/catalogue/shared_placement-fragmented.json";
  folder_.write("four.json", small_sms_text(4));
  // Its place is taken while the first pairs are compared: before, the folder would be refused.
  const Ended ended = run_script(
      folder_, "(for i in $(seq 1200); do mkdir " + taken +
                   " 2>/dev/null && break; sleep 0.01; done) & " CUVIER_BINARY
                   " distinguish --device four.json round-robin --all-pairs out/catalogue "
                   "--time-limit 0.05");
  EXPECT_EQ(ended.exit_code, bad_input);
  EXPECT_THAT(ended.err,
              HasSubstr("shared_placement=fragmented: " + taken + ": cannot be written"));
  EXPECT_THAT(ended.err, HasSubstr("pairs failed; out/catalogue/table.md has the others"));
  EXPECT_THAT(ended.out, HasSubstr("table: out/catalogue/table.md"));
  const Json table = parse_json(folder_.read("out/catalogue/table.json"), "table.json");
  EXPECT_EQ(table["base"], "selection=round_robin");
  int different = 0;
  for (const Json& row : table["rows"]) {
    EXPECT_NE(row["change"], "shared_placement=fragmented");
    if (row["result"] != "different") continue;
    ++different;
    std::string name = row["change"];
    name.replace(name.find('='), 1, "-");
    EXPECT_EQ(parse_json(folder_.read("out/catalogue/" + name + ".json"), name), row["probe"]);
    EXPECT_THAT(folder_.read("out/catalogue/table.md"), HasSubstr("(" + name + ".json)"));
  }
  EXPECT_GT(different, 40);
  EXPECT_LE(static_cast<std::size_t>(different), table["rows"].size());
}

TEST_F(Distinguish, KeepsThePairsOfACatalogueThatIsInterrupted) {
  const Ended ended = run_interrupted(folder_, "distinguish --device four.json --all-pairs out",
                                      "test -e out/table.md");
  EXPECT_EQ(ended.exit_code, 10) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(" pairs compared\n"));
  EXPECT_THAT(ended.out, HasSubstr("table: out/table.md"));
}

TEST_F(Distinguish, ShowsWhatWasFoundWhereItIsInterrupted) {
  // On so many SMs it takes seconds to make a probe small.
  folder_.write("many.json", samples::with(samples::device_text, R"("sms":4)", R"("sms":512)"));
  const Ended ended = run_interrupted(
      folder_,
      "distinguish algorithm-1 register_layout=contiguous --device many.json --minimize "
      "--out probe.json --json");
  EXPECT_EQ(ended.exit_code, 10) << ended.err;
  const Json json = parse_json(ended.out, "stdout");
  EXPECT_EQ(json["result"], "different");
  EXPECT_EQ(json["cut_short"], "interrupted");
  EXPECT_FALSE(json.contains("one_minimal"));
  EXPECT_GT(json["seconds"], 1) << "making it smaller takes time, too";
  EXPECT_EQ(json["probe"], parse_json(folder_.read("probe.json"), "probe.json"));
}

TEST_F(Distinguish, ComplainsOfBadInput) {
  const auto complaint = [&](const std::string& arguments) {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.exit_code, bad_input) << arguments;
    return ended.err;
  };
  EXPECT_THAT(complaint("algorithm-1"), HasSubstr("needs two hypotheses, A and B"));
  EXPECT_THAT(complaint("algorithm-1 nobody"), HasSubstr("no hypothesis is called \"nobody\""));
  EXPECT_THAT(complaint("selection=foo algorithm-1"),
              AllOf(HasSubstr("selection has no value \"foo\"; it has most_room, round_robin, "),
                    HasSubstr(", or a formula")));
  EXPECT_THAT(complaint("algorithm-1 tie_break=gpc_major"), HasSubstr("needs gpc_of_sm"));
  EXPECT_THAT(complaint("algorithm-1 missing.json"), HasSubstr("missing.json"));
  EXPECT_THAT(complaint("algorithm-1 bfa --out no/such/folder.json"),
              HasSubstr("cannot be written"));
  EXPECT_THAT(complaint("algorithm-1 bfa --all-pairs out"), HasSubstr("excludes"));
  folder_.write("file", "");
  EXPECT_THAT(complaint("--all-pairs file/out"), HasSubstr("name another folder"));
  folder_.write("notes/table.md", "mine");
  EXPECT_EQ(complaint("--all-pairs notes"), "cuvier: notes: is there already; name another\n");
  EXPECT_EQ(folder_.read("notes/table.md"), "mine");
}

}  // namespace
}  // namespace cuvier
