#include "reports/finding/model_json.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "probes/json_fields.h"
#include "tests/reports/finding_sample.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::HasSubstr;

std::string reading_of(const std::string& text) {
  const samples::Folder folder;
  const std::string path = folder.write("model.json", text);
  std::string message = message_of([&] { read_model(path); });
  const std::size_t at = message.find(path);
  return at == std::string::npos ? message : message.replace(at, path.size(), "model.json");
}

TEST(ModelJson, SaysWhereTheTimeWentOfWhatWasInferred) {
  Finding finding = samples::finding();
  EXPECT_FALSE(model_json(finding).contains("spent"));
  finding.spent = {4, 0.5, 3.2501, 0.125};
  EXPECT_EQ(model_json(finding)["spent"].dump(),
            R"({"choosing":4.0,"waiting":0.5,"pruning":3.25,"proving":0.125})");
}

TEST(ModelJson, HasTheFieldsThatScriptsRead) {
  const Json json = model_json(samples::finding());
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["status"], "ambiguous");
  EXPECT_EQ(json["reason"], "search found no probe that splits these");
  EXPECT_EQ(json["oracle"], "sim:four");
  EXPECT_EQ(json["device"]["sms"], 4);
  EXPECT_EQ(json["mechanism"]["selection"], "most_room");
  EXPECT_EQ(json["mechanism"].size(), static_cast<std::size_t>(kAxes));
  EXPECT_EQ(json["surviving"]["pointer_reset"].dump(), R"(["sm_idle","never"])");
  EXPECT_EQ(json["open"].dump(), R"(["pointer_reset"])");
  EXPECT_EQ(
      json["hypotheses"].dump(),
      R"({"combinations":380000000000000,"initial":2300000000000,"remaining":2,"exact":true})");
  EXPECT_EQ(json["probes"], 8);
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["seconds"], 18.25);
  EXPECT_FALSE(json.contains("order"));
  EXPECT_FALSE(json.contains("clash"));
}

TEST(ModelJson, HasTheFewestProbesWhereTheyAreKnown) {
  Finding finding = samples::finding();
  EXPECT_FALSE(model_json(finding).contains("fewest_probes"));
  finding.count.initial = 16;  // 3 bits told
  finding.most_bits = 1.5;
  finding.telling = 3;
  EXPECT_EQ(model_json(finding)["fewest_probes"].dump(),
            R"({"probes":2,"asked":3,"told_bits":3.0,"most_bits":1.5})");
  finding.mechanism->set<TieBreak>(TieBreak::learned);
  EXPECT_FALSE(model_json(finding).contains("fewest_probes"));
}

TEST(ModelJson, ALearnedOrderStandsBesideTheMechanism) {
  Finding finding = samples::finding();
  finding.mechanism->set<TieBreak>(TieBreak::learned);
  finding.mechanism->order = {2, 0, 3, 1};
  EXPECT_EQ(model_json(finding)["order"].dump(), "[2,0,3,1]");

  const samples::Folder folder;
  const std::string path = folder.path("model.json");
  write_model(finding, path);
  EXPECT_EQ(read_model(path), *finding.mechanism);
}

TEST(ModelJson, SaysWhichRunsDoNotCount) {
  Finding finding = samples::finding();
  finding.runs = 27;
  finding.discarded = {{"p2", 5, 1, "differs from most"}};
  const Json json = model_json(finding);
  EXPECT_EQ(json["runs"], 27);
  EXPECT_EQ(json["discarded"].dump(),
            R"([{"probe":"p2","runs":5,"discarded":1,"reason":"differs from most"}])");
}

TEST(ModelJson, ARefutationHasNoMechanism) {
  Finding finding = samples::finding();
  finding.verdict = Verdict::refuted;
  finding.mechanism.reset();
  finding.clash = {"case-1.2"};
  EXPECT_FALSE(model_json(finding).contains("nearest"));
  finding.nearest = samples::near_miss();
  const Json json = model_json(finding);
  EXPECT_EQ(json["nearest"]["mechanism"]["selection"], "first_fit");
  EXPECT_EQ(json["nearest"]["facts"], 12);
  EXPECT_EQ(json["nearest"]["wrong"].size(), 3u);
  EXPECT_EQ(json["nearest"]["wrong"][0]["recording"], "case");
  EXPECT_EQ(json["nearest"]["never_used"].dump(), "[1]");
  EXPECT_EQ(json["nearest"]["pattern"]["at_least"], 648);
  EXPECT_TRUE(json["mechanism"].is_null());
  EXPECT_EQ(json["clash"].dump(), R"(["case-1.2"])");
  EXPECT_THAT(reading_of(json.dump()), HasSubstr("model.json: mechanism: is null"));
}

TEST(ModelJson, IsWrittenWholeOrNotAtAll) {
  const samples::Folder folder;
  const std::string path = folder.path("model.json");
  write_model(samples::finding(), path);
  EXPECT_EQ(read_model(path), Hypothesis{});
  EXPECT_EQ(folder.read("model.json.tmp"), "");
  EXPECT_THAT(message_of([&] { write_model(samples::finding(), folder.path("no/model.json")); }),
              HasSubstr("no/model.json: cannot be written: "));
}

TEST(ModelJson, ErrorsNameFileAndField) {
  EXPECT_EQ(reading_of(R"({"schema":2,"mechanism":{}})"),
            "model.json: schema: must be 1, the only one that this cuvier reads");
  EXPECT_EQ(reading_of(R"({"schema":1})"), "model.json: mechanism: is missing; add it");
  EXPECT_EQ(reading_of(R"({"schema":1,"mechanism":{}})"),
            "model.json: mechanism: names no axis; write the values, or name algorithm-1 instead");
  EXPECT_EQ(reading_of(R"({"schema":1,"mechanism":{"queue":"lifo"}})"),
            "model.json: mechanism.queue: has no value \"lifo\" (did you mean fifo?); it has fifo, "
            "skip_ahead, or a formula");
  EXPECT_EQ(reading_of(R"({"schema":1,"mechanism":{"tie_break":"learned"}})"),
            "model.json: order: is missing; add it");
  EXPECT_EQ(reading_of(R"({"schema":1,"mechanism":{"tie_break":"learned"},"order":[0,"1"]})"),
            "model.json: order[1]: must be an integer, not \"1\"");
  EXPECT_THAT(reading_of(R"({"schema":1,)"), HasSubstr("model.json: not JSON: it ends too early"));
}

TEST(CheckJson, ListsEveryMismatch) {
  Finding finding = samples::finding();
  finding.mismatches = {samples::mismatch()};
  finding.mismatches.push_back(samples::mismatch());
  finding.mismatches.back().fact = {Fact::Kind::shared_config, -1, 0, {8192}, {}};
  const Json json = check_json(finding);
  EXPECT_EQ(json["status"], "ambiguous");
  EXPECT_EQ(json["mismatches"][0].dump(),
            R"({"recording":"case","where":"mine.jsonl:3","step":2,"kernel":"k2",)"
            R"("seen":"starts on SMs 1","predicted":"starts on SMs 0"})");
  EXPECT_FALSE(json["mismatches"][1].contains("step"));
}

}  // namespace
}  // namespace cuvier
