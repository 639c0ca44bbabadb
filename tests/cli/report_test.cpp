#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Of an inference that is made once: it takes a second or two.
class ReportCommand : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = new samples::Folder;
    made_->write("small.json", samples::with(samples::device_text, R"("sms":4)", R"("sms":8)"));
    const Ended ended = run_cuvier(
        *made_, "infer --oracle sim:small.json,selection=fewest_warps --out f --max-probes 6");
    ASSERT_EQ(ended.exit_code, 10) << ended.err;
  }
  static void TearDownTestSuite() { delete made_; }

  ReportCommand() {
    std::filesystem::copy(made_->path(""), folder_.path(""),
                          std::filesystem::copy_options::recursive);
  }

  Ended report(const std::string& format) {
    return run_cuvier(folder_, "report f --format " + format);
  }
  Json json() { return parse_json(report("json").out, "report"); }
  Json file(const std::string& name) { return parse_json(folder_.read(name), name); }

  samples::Folder folder_;

 private:
  static inline samples::Folder* made_ = nullptr;
};

TEST_F(ReportCommand, TellsWhatTheModelSaysAndHowItCameAbout) {
  const Json model = file("f/model.json");
  const Json report = json();
  EXPECT_EQ(report["model"], model);
  EXPECT_EQ(report["steps"].size(), 6U);
  EXPECT_EQ(report["recordings"].size(), 6U);
  EXPECT_EQ(report["steps"].back()["left"], model["hypotheses"]["remaining"]);
  for (const Json& axis : report["axes"]) {
    const std::string name = axis["name"];
    Json left = Json::array();
    for (const Json& value : axis["values"]) {
      if (value["state"] == "left") left.push_back(value["name"]);
      if (value["state"] != "refuted") continue;
      // There, and not before, it went away for good.
      const int step = value["refuted_by"];
      const Json& now = report["steps"][step]["narrowed"].at(name);
      EXPECT_EQ(std::ranges::count(now, value["name"]), 0) << name;
      for (std::size_t later = step + 1; later < report["steps"].size(); ++later) {
        const Json& narrowed = report["steps"][later]["narrowed"];
        if (narrowed.contains(name)) {
          EXPECT_EQ(std::ranges::count(narrowed[name], value["name"]), 0) << name;
        }
      }
    }
    EXPECT_EQ(left, model["surviving"][name]) << name;
  }
}

TEST_F(ReportCommand, SaysNothingOfAxesOfWhichOneValueWasConsidered) {
  const Json report = json();
  std::set<std::string> given;
  for (const Json& axis : report["axes"]) {
    if (axis["role"] == "given") given.insert(axis["name"]);
  }
  EXPECT_TRUE(given.contains("cluster_gpc"));  // four SMs without clusters
  for (const Json& axis : report["axes"]) {
    EXPECT_FALSE(axis["unlike_algorithm_1"] && given.contains(axis["name"]));
    EXPECT_TRUE(axis["unlike_algorithm_1"] || axis["name"] != "selection");
  }
}

/// The mechanism is what was planted: whatever contradicts a change of it must be one that tells.
TEST_F(ReportCommand, SaysWhichRecordingsContradictEachChange) {
  const Json report = json();
  for (const Json& recording : report["recordings"]) EXPECT_TRUE(recording["wrong"].empty());
  int contradicted = 0;
  for (const Json& row : report["matrix"]["rows"]) {
    const Json& left = report["model"]["surviving"][row["axis"].get<std::string>()];
    const bool survives = std::ranges::count(left, row["value"]) > 0;
    // With the rest as it is; with other values elsewhere it may explain everything.
    EXPECT_TRUE(survives || !row["contradicted_by"].empty()) << row;
    contradicted += !row["contradicted_by"].empty();
  }
  EXPECT_GT(contradicted, 20);
}

TEST_F(ReportCommand, IsAPageThatNeedsNothingElse) {
  ASSERT_EQ(run_cuvier(folder_, "report f").out, "f/report.html\n");
  const std::string page = folder_.read("f/report.html");
  EXPECT_THAT(page, AllOf(StartsWith("<!doctype html>"), HasSubstr("fewest_warps"),
                          HasSubstr("<noscript><pre>four SMs"), Not(HasSubstr("/*REPORT*/")),
                          Not(HasSubstr("src=\"http")), Not(HasSubstr("href=\"http"))));
  const std::string begin = R"(id="report">)";
  const std::size_t from = page.find(begin) + begin.size();
  const std::string embedded = page.substr(from, page.find("</script>", from) - from);
  EXPECT_EQ(parse_json(embedded, "page"), json());
}

TEST_F(ReportCommand, CannotBeMadeToRunWhatARecordingSays) {
  std::string model = folder_.read("f/model.json");
  model = samples::with(model, "\"sim:small.json", "\"</script><script>alert(1)</script>");
  folder_.write("f/model.json", model);
  ASSERT_EQ(run_cuvier(folder_, "report f").exit_code, 0);
  EXPECT_THAT(folder_.read("f/report.html"), Not(HasSubstr("<script>alert(1)")));
}

TEST_F(ReportCommand, HasOtherForms) {
  EXPECT_THAT(report("markdown").out,
              AllOf(StartsWith("# four SMs"), HasSubstr("(unlike Algorithm 1)"),
                    HasSubstr("refuted by p1"), HasSubstr("cuvier verify f")));
  EXPECT_THAT(report("trace").out, HasSubstr("traceEvents"));
}

TEST_F(ReportCommand, StillKnowsAfterAResumeWhyProbesWereAsked) {
  const Json before = file("f/decisions.json");
  ASSERT_EQ(run_cuvier(folder_,
                       "infer --oracle sim:small.json,selection=fewest_warps --out f "
                       "--resume --max-probes 8")
                .exit_code,
            10);
  const Json after = file("f/decisions.json");
  EXPECT_EQ(after["steps"].size(), 8U);
  for (int step = 0; step < 6; ++step) {
    EXPECT_EQ(after["steps"][step]["why"], before["steps"][step]["why"]);
    EXPECT_EQ(after["steps"][step]["outcomes"], before["steps"][step]["outcomes"]);
  }
}

TEST_F(ReportCommand, NamesWhatItCannotRead) {
  const auto expect_error = [&](const std::string& arguments, const std::string& message) {
    const Ended ended = run_cuvier(folder_, "report " + arguments);
    EXPECT_EQ(ended.exit_code, 2) << arguments;
    EXPECT_THAT(ended.err, HasSubstr(message)) << arguments;
  };
  expect_error("f/journal.jsonl", "--oracle recording:f/journal.jsonl --out DIR` make reports");
  expect_error("nowhere", "nowhere: cannot be opened");
  std::filesystem::create_directory(folder_.path("port"));
  expect_error("port", "port: no inference ended here, and no validation");
  const std::string decisions = folder_.read("f/decisions.json");
  folder_.write("f/decisions.json", decisions.substr(0, decisions.size() / 2));
  expect_error("f", "f/decisions.json");
  folder_.write("f/decisions.json", samples::with(decisions, "fewest_warps", "most_cunning"));
  expect_error("f", "selection: has no value \"most_cunning\"");
  std::filesystem::remove(folder_.path("f/decisions.json"));
  expect_error("f", "f/decisions.json: cannot be opened");
}

}  // namespace
}  // namespace cuvier
