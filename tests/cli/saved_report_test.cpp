// `cuvier report` of what other commands said with --json.

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SavedReport : public ::testing::Test {
 protected:
  SavedReport() {
    folder_.write("four.json", samples::device_text);
    folder_.write("load.json", R"({"kernels":{"a":{"blocks":8,"threads":1024,"registers":32,)"
                               R"("block_ms":10},"b":{"blocks":1,"threads":32,"registers":32,)"
                               R"("block_ms":5}}})");
  }

  void save(const std::string& command, int exit_code = 0) {
    const Ended ended = run_cuvier(folder_, command + " --json >saved.json");
    ASSERT_EQ(ended.exit_code, exit_code) << ended.err;
  }
  Ended report(const std::string& arguments) { return run_cuvier(folder_, "report " + arguments); }

  /// As a page, and as it was.
  std::string markdown_of_saved() {
    EXPECT_EQ(report("saved.json").out, "saved.html\n");
    EXPECT_THAT(folder_.read("saved.html"),
                AllOf(StartsWith("<!doctype html>"), HasSubstr(R"("sections":[)")));
    EXPECT_EQ(parse_json(report("saved.json --format json").out, "report"),
              parse_json(folder_.read("saved.json"), "saved"));
    return report("saved.json --format markdown").out;
  }

  samples::Folder folder_;
};

TEST_F(SavedReport, OfAComparison) {
  save("distinguish algorithm-1 round-robin --device four.json --minimize");
  EXPECT_THAT(
      markdown_of_saved(),
      AllOf(HasSubstr("**different: "),
            HasSubstr("| `selection` | which eligible SM gets the block | the SM with room "),
            HasSubstr("\\<- they part"), HasSubstr("## How small it is")));
  save("distinguish algorithm-1 batch_lag=0 --device four.json");
  EXPECT_THAT(markdown_of_saved(), HasSubstr("**equivalent: A and B differ only in batch\\_lag"));
}

TEST_F(SavedReport, OfASimulation) {
  save("simulate load.json --device four.json --policy algorithm-1 --policy queue=skip_ahead");
  EXPECT_THAT(markdown_of_saved(), AllOf(HasSubstr("| algorithm-1 | "), HasSubstr("| b | 1 |")));
}

TEST_F(SavedReport, OfAnAuditIsThePageThatItWrites) {
  run_cuvier(folder_, "validate --model algorithm-1 --oracle sim:four.json -n 4 --out seen");
  save(
      "audit seen/journal.jsonl --assume algorithm-1,selection=most_room,first_fit --page page.md");
  EXPECT_EQ(markdown_of_saved(), folder_.read("page.md"));
}

TEST_F(SavedReport, GoesWhereOneSays) {
  save("distinguish algorithm-1 round-robin --device four.json");
  const Ended ended = report("saved.json --format markdown --out page.md");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(folder_.read("page.md"), report("saved.json --format markdown").out);
}

TEST_F(SavedReport, OfRecordingsIsATrace) {
  run_cuvier(folder_, "validate --model algorithm-1 --oracle sim:four.json -n 2 --out seen");
  const Ended ended = report("seen/journal.jsonl --format trace");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_FALSE(parse_json(ended.out, "trace")["traceEvents"].empty());
  EXPECT_EQ(report("seen/journal.jsonl --format trace --out t.json").exit_code, 0);
  EXPECT_EQ(folder_.read("t.json"), ended.out);
}

TEST_F(SavedReport, OfAValidationIsInItsFolder) {
  const Ended ended = run_cuvier(folder_,
                                 "validate --model algorithm-1 --oracle "
                                 "sim:four.json,selection=first_fit --minimize -n 20 --out seen");
  ASSERT_EQ(ended.exit_code, 11) << ended.err;
  EXPECT_EQ(report("seen").out, "seen/report.html\n");
  EXPECT_THAT(report("seen --format markdown").out,
              AllOf(HasSubstr("**contradicted: "), HasSubstr("## The first one, made small"),
                    HasSubstr("- wrong at most: ")));
  const Json page = parse_json(folder_.read("seen/validation.json"), "saved")["page"];
  // Its map shows what was seen, and what was predicted instead.
  const Json& items = page["sections"][2]["items"];
  const auto map =
      std::ranges::find_if(items, [](const Json& item) { return item.contains("map"); });
  ASSERT_NE(map, items.end());
  EXPECT_FALSE((*map)["map"]["recordings"][0]["wrong"].empty());
}

TEST_F(SavedReport, NamesWhatItCannotShow) {
  const auto expect_error = [&](const std::string& arguments, const std::string& message) {
    const Ended ended = report(arguments);
    EXPECT_EQ(ended.exit_code, 2) << arguments;
    EXPECT_THAT(ended.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1);
  };
  save("simulate load.json --device four.json --policy bfa");
  expect_error("load.json", "load.json: is no report");
  folder_.write("half.json", folder_.read("saved.json").substr(0, 200));
  expect_error("half.json", "half.json: ");
  expect_error("none.json", "none.json: cannot be opened");
}

}  // namespace
}  // namespace cuvier
