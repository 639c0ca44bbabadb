#include "reports/finding/finding_page.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "reports/document/page.h"
#include "reports/finding/model_json.h"
#include "reports/model/model_report.h"
#include "tests/reports/finding_sample.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string finding_text(const Finding& finding) { return page_text(finding_page(finding)); }

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(FindingPage, SaysWhatIsSettledAndWhatIsOpen) {
  const std::string text = finding_text(samples::finding());
  EXPECT_THAT(text, StartsWith("ambiguous: search found no probe that splits these\n"
                               "  device      four SMs (sm_86, 4 SMs)\n"
                               "  source      sim:four\n"
                               "  probes      8 in 18 s\n"
                               "  hypotheses  2 of 2.3e12 left\n"
                               "  simplest    algorithm-1\n"
                               "\n"
                               "Settled:\n"));
  EXPECT_THAT(text, HasSubstr("\n  queue "));
  EXPECT_THAT(text, HasSubstr("\n  Without effect, given what is settled: group_turn.\n"));
  EXPECT_THAT(text, EndsWith("\nOpen:\n"
                             "  axis           left    values\n"
                             "  pointer_reset  2 of 3  sm_idle, never\n"));
}

TEST(FindingPage, AnEstimateSaysSo) {
  Finding finding = samples::finding();
  finding.count.exact = false;
  EXPECT_THAT(finding_text(finding), HasSubstr("about 2 of 2.3e12 left"));
}

TEST(FindingPage, SaysHowManyProbesItTakesAtLeast) {
  Finding finding = samples::finding();
  EXPECT_THAT(finding_text(finding), Not(HasSubstr("at best")));
  finding.count.initial = 1 << 20;  // 19 bits told
  finding.most_bits = 9;
  EXPECT_THAT(finding_text(finding),
              HasSubstr("\n  fewest      3 probes at best: there were 19.0 bits to learn, and the "
                        "most telling probe here told 9.0\n"));
}

TEST(FindingPage, SaysWhichRunsDoNotCount) {
  Finding finding = samples::finding();
  EXPECT_THAT(finding_text(finding), Not(HasSubstr("do not count")));
  finding.runs = 27;
  finding.discarded = {{"p2", 5, 1, "differs from most"}, {"p7", 9, 9, "contradicts the others"}};
  EXPECT_THAT(finding_text(finding), HasSubstr("\n  probes      8, run 27 times, in 18 s\n"));
  EXPECT_THAT(finding_text(finding), EndsWith("\nRuns that do not count:\n"
                                              "  probe  runs    why\n"
                                              "  p2     1 of 5  differs from most\n"
                                              "  p7     9 of 9  contradicts the others\n"));
}

TEST(FindingPage, OfASingleHypothesisSaysWhatItGetsWrong) {
  Finding finding = samples::finding();
  finding.verdict = Verdict::refuted;
  finding.reason = "it gets 1 of 12 facts wrong";
  finding.mechanism.reset();
  finding.count = {1, 1, 0, true};
  finding.open = {};
  finding.mismatches = {samples::mismatch()};
  EXPECT_EQ(finding_text(finding),
            "refuted: it gets 1 of 12 facts wrong\n"
            "  device  four SMs (sm_86, 4 SMs)\n"
            "  source  sim:four\n"
            "  probes  8 in 18 s\n"
            "\n"
            "What it gets wrong:\n"
            "  recording            step  kernel  seen             predicted\n"
            "  case (mine.jsonl:3)  2     k2      starts on SMs 1  starts on SMs 0\n");
}

TEST(FindingPage, HundredsOfMismatchesAreSummarised) {
  Finding finding = samples::finding();
  for (int recording = 0; recording < 100; ++recording) {
    Mismatch mismatch = samples::mismatch();
    mismatch.recording = "case-" + std::to_string(recording);
    mismatch.where = "mine.jsonl:" + std::to_string(recording + 2);
    finding.mismatches.insert(finding.mismatches.end(), 4, mismatch);
  }
  finding.mismatches.back().fact.kind = Fact::Kind::started;  // a kind of its own is shown
  const std::string text = finding_text(finding);
  EXPECT_EQ(occurrences(text, "starts on SMs 0"), 7);
  EXPECT_THAT(text, HasSubstr("  case-1 (mine.jsonl:3)     2 "));
  EXPECT_THAT(text, HasSubstr("  393 more facts (the JSON lists all):\n"));
  EXPECT_THAT(text, HasSubstr("  case-1 (mine.jsonl:3)    2\n  case-2 (mine.jsonl:4)    4\n"));
  EXPECT_THAT(text, EndsWith("  case-10 (mine.jsonl:12)  4\n  and 89 more\n"));
  EXPECT_THAT(text, HasSubstr("  case-99 (mine.jsonl:101)  2 "));
}

TEST(FindingPage, ARefutationNamesTheClash) {
  Finding finding = samples::finding();
  finding.verdict = Verdict::refuted;
  finding.mechanism.reset();
  finding.clash = {"case-1.2 (mine.jsonl:3)", "case-1.3 (mine.jsonl:4)"};
  EXPECT_THAT(finding_text(finding), EndsWith("\nNo hypothesis explains these together:\n"
                                              "  case-1.2 (mine.jsonl:3)\n"
                                              "  case-1.3 (mine.jsonl:4)\n"));
}

TEST(FindingPage, ARefutationSaysWhatComesNearest) {
  Finding finding = samples::finding();
  finding.verdict = Verdict::refuted;
  finding.mechanism.reset();
  finding.nearest = samples::near_miss();
  EXPECT_THAT(finding_text(finding),
              EndsWith("\nThe nearest that was found:\n"
                       "  selection=first_fit (the rest as in algorithm-1)\n"
                       "  It gets 3 of 12 facts wrong: where it first goes wrong, all 3 come with "
                       "648 or more blocks of the kernel; of the 7 like them that it gets right, "
                       "none does.\n"
                       "  No block was ever seen on SM 1, where it predicts some.\n"
                       "\n"
                       "  recording            step  kernel  seen             predicted\n"
                       "  case (mine.jsonl:3)  2     k2      starts on SMs 1  starts on SMs 0\n"
                       "  case (mine.jsonl:3)  2     k2      starts on SMs 1  starts on SMs 0\n"
                       "  1 more fact (the JSON lists all):\n"
                       "\n"
                       "                       other facts\n"
                       "  case (mine.jsonl:3)  1\n"));
}

TEST(FindingPage, AnotherMapIsSaidNotToBeProved) {
  Finding finding = samples::finding();
  finding.mechanism->set<TieBreak>(TieBreak::learned);
  finding.mechanism->order = {2, 3, 0, 1};
  OtherMap map{finding.device, {}, 0};
  map.mechanism.set<TieBreak>(TieBreak::gpc_smallest_first);
  map.device.gpc_of_sm = {0, 0, 1, 1};
  finding.maps = {map, map};
  const std::string text = finding_text(finding);
  EXPECT_THAT(text, HasSubstr("with 2 GPCs of 2 SMs explains all of 8 probes, and no cluster was "
                              "seen that could speak against it. That is no proof of the map.\n"));
  EXPECT_THAT(text, HasSubstr("  1    2    2,3\n"));
  EXPECT_THAT(text, HasSubstr("the JSON has 1 more."));
  EXPECT_THAT(text, HasSubstr("four SMs launches none, as its file has it (max_cluster)."));
  EXPECT_EQ(model_json(finding)["maps"][1]["gpc_of_sm"].dump(), "[0,0,1,1]");
  finding.maps.front().clusters = 3;
  EXPECT_THAT(finding_text(finding),
              AllOf(HasSubstr("each of 3 clusters that were seen lies in one of its GPCs. That is "
                              "no proof of the map.\n"),
                    Not(HasSubstr("would settle"))));
}

TEST(FindingPage, ASpecialCaseIsSaidInsteadOfAPattern) {
  Finding finding = ended_as(Verdict::refuted, "no hypothesis explains what was observed");
  finding.nearest = samples::near_miss();
  finding.nearest->but_for = NearMiss::ButFor{
      "warps per block >= 8", "warps per block", false, "pointer_skip=always", 0, 10, 57};
  const std::string text = finding_text(finding);
  EXPECT_THAT(text, HasSubstr("Of 57 probes it gets 10 wrong; all of these would be right if one "
                              "thing were otherwise: pointer_skip=always, for kernels with warps "
                              "per block >= 8."));
  EXPECT_THAT(text, Not(HasSubstr("or fewer blocks of the kernel")));
}

TEST(StepLine, SaysWhatAProbeBroughtAndWhyItWasChosen) {
  const Probe probe = samples::probe();
  InferenceStep step;
  step.number = 3;
  step.probe = &probe;
  step.why = "mutated room";
  step.expected_bits = 2.6;
  step.gained_bits = 4.83;
  step.committee = 48;
  step.outcomes = 8;
  step.count.remaining = 504;
  step.seconds = 8.71;
  EXPECT_EQ(step_line(step),
            "  3   +4.8 bits       504 left   8.7 s  sample: mutated room (8 outcomes among 48 "
            "hypotheses, 2.6 bits expected)");
  step.outcomes = 0;
  EXPECT_THAT(step_line(step), EndsWith("sample: mutated room"));
}

TEST(NarrowedWords, NamesTheAxesThatLostValues) {
  SurvivingValues before;
  for (auto& values : before) values = {0, 1, 2};
  SurvivingValues after = before;
  EXPECT_EQ(narrowed_words(before, after), "");
  after[index_of<Queue>()] = {1};
  before[index_of<Selection>()] = {0, 1, 2, 3};
  EXPECT_EQ(narrowed_words(before, after), "queue: skip_ahead; selection: 3 of 11 left");
  EXPECT_EQ(narrowed_words(before, SurvivingValues{}), "");
}

TEST(AxesTable, HasEveryAxisValueAndName) {
  const std::string text = axes_text();
  const Json json = axes_json();
  ASSERT_EQ(json["axes"].size(), static_cast<std::size_t>(kAxes));
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    EXPECT_THAT(text, HasSubstr("\n" + std::string(info.name) + ": "));
    EXPECT_EQ(json["axes"][axis]["name"], std::string(info.name));
    EXPECT_EQ(json["axes"][axis]["values"].size(), info.values.size());
    for (const AxisValue& value : info.values) {
      EXPECT_THAT(text, HasSubstr("\n    " + std::string(value.name) + " "));
      EXPECT_THAT(text, HasSubstr(std::string(value.meaning)));
    }
  }
  for (const NamedHypothesis& named : named_hypotheses()) {
    EXPECT_THAT(text, HasSubstr("\n" + std::string(named.name) + ": "));
  }
  EXPECT_EQ(json["hypotheses"].size(), named_hypotheses().size());
  EXPECT_THAT(text, HasSubstr("  matters with hierarchy=tpc,gpc\n"));
}

TEST(DevicesTable, HasEveryDevice) {
  const Json json = devices_json();
  const std::string text = devices_text();
  for (const DeviceFile& file : known_devices()) {
    EXPECT_THAT(text, HasSubstr("\n" + file.name + " "));
    EXPECT_THAT(text, HasSubstr(file.note));
    // As it is printed, it is a file of the user's.
    const samples::Folder folder;
    EXPECT_EQ(find_device(folder.write("mine.json", json[file.name].dump())), file.device);
    EXPECT_EQ(json[file.name].value("note", ""), file.note);
  }
  EXPECT_THAT(text, Not(HasSubstr(" \n")));
}

}  // namespace
}  // namespace cuvier
