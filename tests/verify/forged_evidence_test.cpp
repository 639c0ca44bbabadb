// Forgeries with all that hangs on them; and of what does not count, or counts where nothing else
// is left.

#include "tests/verify/forged_model.h"

namespace cuvier::verify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// All that hangs on what is forged is forged as well.
TEST_F(ForgedModel, ThatFitsItselfIsNoticed) {
  const auto noticed = [&](const std::string& what, const std::string& run,
                           const std::function<void()>& forge) {
    EXPECT_THAT(faults(run, forge), ::testing::Not(IsEmpty())) << what << " of " << run;
  };
  for (const char* name : {"queue", "selection", "dispatch_batch"}) {
    const int axis = find_axis(name);
    for (int place = 1; !value_at(axis, place).name.empty(); ++place) {
      const std::string other(value_at(axis, place).name);
      noticed("also " + other, "identified", model([&](Json& m) {
                m["surviving"][name].push_back(other);
                m["classes"][name] = "any value: proved equivalent";
                m["open"].push_back(name);
              }));
      noticed("instead " + other, "identified", model([&](Json& m) {
                m["surviving"][name] = {other};
                m["mechanism"][name] = other;
              }));
    }
  }
  const std::vector<std::string> runs = {"identified", "refuted", "other", "voted"};
  for (const std::string& run : runs) {
    for (const std::string& of : runs) {
      if (of == run) continue;
      noticed("the model of " + of, run,
              [&] { folder_->write("forged/model.json", folder_->read(of + "/model.json")); });
    }
  }
  const auto nothing_is_left = model([](Json& m) {
    m["status"] = "refuted";
    m["mechanism"] = nullptr;
    m["open"] = Json::array();
    m["classes"] = Json::object();
    for (auto& [axis, values] : m["surviving"].items()) values = Json::array();
  });
  for (const char* run : {"identified", "ambiguous", "voted", "drifting"}) {
    noticed("refuted", run, nothing_is_left);
  }
  EXPECT_THAT(faults("learned",
                     [&] {
                       nothing_is_left();
                       model([](Json& m) { m.erase("order"); })();
                     }),
              IsEmpty());
  EXPECT_THAT(checked("forged").undecided, HasSubstr("some order of the SMs"));
  noticed("a learned order", "identified", model([](Json& m) {
            m["mechanism"]["tie_break"] = "learned";
            m["surviving"]["tie_break"] = {"learned"};
            m["order"] = {0, 2, 1, 3};
          }));
}

/// Those of one probe that follow each other in a session: --repeat of an oracle that has but one.
TEST_F(ForgedModel, CountsProbesAndRuns) {
  std::istringstream lines(little());
  std::string device, small, large;
  for (std::string* line : {&device, &small, &large}) std::getline(lines, *line);
  const std::string in_session =
      samples::with(device, R"("source":)", R"("session":true,"source":)");
  folder_->write("repeated.jsonl",
                 fmt::format("{}\n{}\n{}\n{}\n", in_session, small, small, large));
  run_cuvier(*folder_,
             "infer --oracle recording:repeated.jsonl --repeat 2 --out repeated "
             "--assume algorithm-1,queue=skip_ahead");
  const Json told = Json::parse(folder_->read("repeated/model.json"));
  EXPECT_EQ(told["probes"], 2);
  EXPECT_EQ(told["runs"], 3);
  EXPECT_THAT(checked("repeated").faults, IsEmpty());
  EXPECT_THAT(faults("repeated", journal([](std::vector<Json>& all) {
                       all.insert(all.begin() + 2, Json{{"type", "session"}});
                     })),
              Contains(HasSubstr("small was recorded before")));
}

/// Then there is nothing else to begin with.
TEST_F(ForgedModel, MayAssumeALastResort) {
  EXPECT_THAT(faults("drifting", model([](Json& m) {
                       for (Json& assumption : m["assumed"]) {
                         if (assumption == "pairs_in_flight=one,drifting") {
                           assumption = "pairs_in_flight=drifting";
                         }
                       }
                       m["hypotheses"]["combinations"] =
                           m["hypotheses"]["combinations"].get<int>() / 2;
                     })),
              IsEmpty());
  EXPECT_GT(checked("forged").left, 0);
}

TEST_F(ForgedModel, OfLastResortsIsNoticed) {
  EXPECT_THAT(faults("learned", model([](Json& m) {
                       m["order"] = {3, 2, 0, 1};
                     })),
              Contains(HasSubstr("nothing explains the recordings")));
  EXPECT_THAT(faults("learned", model([](Json& m) {
                       m["order"] = {3, 2, 1, 1};
                     })),
              Contains(HasSubstr("order: must have each SM once")));
  EXPECT_THAT(
      faults("learned", model([](Json& m) { m["surviving"]["selection"] = {"first_fit"}; })),
      Contains(HasSubstr("surviving.selection")));
  EXPECT_THAT(
      faults("drifting", model([](Json& m) { m["surviving"]["dispatch_batch"] = {"single"}; })),
      Contains(HasSubstr("surviving.dispatch_batch")));
}

TEST_F(ForgedModel, OfVotesAndOpeningsIsNoticed) {
  using Lines = std::vector<Json>;
  const auto with = [](const char* type, int nth = 0) {
    return [=](Lines& lines) -> Json& {
      int left = nth;
      return *std::ranges::find_if(
          lines, [&](const Json& line) { return line["type"] == type && left-- == 0; });
    };
  };
  const auto said = [&](const std::function<void(Lines&)>& change) {
    return faults("voted", journal(change));
  };
  // One run of three against the others: nothing leads any more.
  EXPECT_THAT(said([&](Lines& lines) { with("recording", 1)(lines)["facts"][0]["sm"] = {1}; }),
              Contains(HasSubstr("discarded: not [{")));
  EXPECT_THAT(said([](Lines& lines) { lines.pop_back(); }), Contains(HasSubstr("runs: ")));
  EXPECT_THAT(
      said([&](Lines& lines) { with("recording", 1)(lines)["kernels"].front()["registers"] = 17; }),
      Contains(HasSubstr("another probe than the first of its name")));
  EXPECT_THAT(said([&](Lines& lines) { with("opening")(lines)["facts"][0]["sm"].erase(0); }),
              Contains(HasSubstr("as many blocks as it has SMs")));
  EXPECT_THAT(said([&](Lines& lines) { with("opening", 1)(lines)["as_in_line"] = 3; }),
              Contains(HasSubstr("as_in_line: writes out no opening")));
  EXPECT_THAT(faults("voted", model([](Json& m) {
                       m["discarded"] = {{{"probe", "p1"},
                                          {"runs", 3},
                                          {"discarded", 1},
                                          {"reason", "differs from most"}}};
                     })),
              Contains(HasSubstr("discarded: not []")));
  // All runs of a probe say what nothing else agrees with. It is left out, in just one way.
  const auto contradict = journal([](Lines& lines) {
    for (Json& line : lines) {
      if (line["type"] != "recording" || line["name"] != "p1") continue;
      for (Json& fact : line["facts"]) {
        if (fact.contains("sm")) std::ranges::reverse(fact["sm"]);
      }
    }
  });
  EXPECT_THAT(faults("voted", contradict),
              ElementsAre(HasSubstr(R"(discarded: not [{"probe":"p1")")));
  EXPECT_THAT(faults("voted",
                     [&] {
                       contradict();
                       model([](Json& m) {
                         m["discarded"] = {{{"probe", "p1"},
                                            {"runs", 3},
                                            {"discarded", 3},
                                            {"reason", "contradicts the others"}}};
                       })();
                     }),
              IsEmpty());
}

}  // namespace
}  // namespace cuvier::verify
