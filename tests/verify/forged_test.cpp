// What somebody forges in model.json or in the journal, the checker names. It reads no sums and no
// lemmas, so there is nothing to refresh.

#include <filesystem>

#include "tests/verify/forged_model.h"

namespace cuvier::verify {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(ForgedModel, AsItWasItHolds) {
  for (const char* run :
       {"identified", "ambiguous", "refuted", "other", "voted", "learned", "drifting"}) {
    const Checked as_it_was = checked(run);
    EXPECT_THAT(as_it_was.faults, IsEmpty()) << run;
    EXPECT_EQ(as_it_was.undecided, "") << run;
    EXPECT_EQ(as_it_was.left > 0, std::string(run) != "refuted") << run;
  }
}

/// As a prover that takes two behaviours for one would have it. No recording tells fifo from
/// skip_ahead: but three small kernels do, once the second of them needs what the large one does.
TEST_F(ForgedModel, OneBehaviourIsTriedOnFurtherProbes) {
  EXPECT_THAT(faults("little", model([](Json& m) {
                       m["status"] = "identified";
                       m["classes"]["queue"] = "any value: proved equivalent";
                     })),
              ElementsAre(HasSubstr("status: identified, but what is left goes apart after")));
  EXPECT_EQ(checked("little").compared, 0);
  EXPECT_GT(checked("identified").compared, 0);
}

TEST_F(ForgedModel, IsNoticed) {
  struct Forgery {
    const char* what;
    const char* said;
    std::function<void(Json&)> change;
  };
  const std::vector<Forgery> forgeries = {
      {"a channel that is none", "channels", [](Json& m) { m["channels"] = {"telepathy"}; }},
      {"a field more", "is no field here", [](Json& m) { m["certified"] = true; }},
      {"a field less", "is missing", [](Json& m) { m.erase("runs"); }},
      {"1.0 for 1", "schema", [](Json& m) { m["schema"] = 1.0; }},
      {"another schema", "schema", [](Json& m) { m["schema"] = 2; }},
      {"no number of probes", "probes", [](Json& m) { m["probes"] = 3.0; }},
      {"more probes", "probes", [](Json& m) { m["probes"] = 1000; }},
      {"more runs", "runs", [](Json& m) { m["runs"] = 1000; }},
      {"discarded", "discarded",
       [](Json& m) {
         m["discarded"] = {{{"probe", "p1"}, {"runs", 3}}};
       }},
      {"combinations", "combinations", [](Json& m) { m["hypotheses"]["combinations"] = 7; }},
      {"a count more", "is no field here", [](Json& m) { m["hypotheses"]["more"] = 7; }},
      {"a survivor more", "surviving.queue",
       [](Json& m) {
         m["surviving"]["queue"] = {"fifo", "skip_ahead"};
       }},
      {"a survivor less", "surviving.pointer_reset",
       [](Json& m) { m["surviving"]["pointer_reset"] = {"sm_idle"}; }},
      {"another survivor", "surviving.queue",
       [](Json& m) { m["surviving"]["queue"] = {"skip_ahead"}; }},
      {"no survivor", "surviving.queue", [](Json& m) { m["surviving"]["queue"] = Json::array(); }},
      {"survivors in another order", "surviving.pointer_reset",
       [](Json& m) {
         m["surviving"]["pointer_reset"] = {"never", "device_idle", "sm_idle"};
       }},
      {"an axis less", "surviving", [](Json& m) { m["surviving"].erase("queue"); }},
      {"an axis more", "surviving", [](Json& m) { m["surviving"]["mood"] = {"good"}; }},
      {"another mechanism", "mechanism",
       [](Json& m) { m["mechanism"]["selection"] = "round_robin"; }},
      {"a mechanism of other values", "mechanism",
       [](Json& m) { m["mechanism"]["queue"] = "lifo"; }},
      {"a mechanism of fewer axes", "mechanism", [](Json& m) { m["mechanism"].erase("queue"); }},
      {"no mechanism", "mechanism", [](Json& m) { m["mechanism"] = nullptr; }},
      {"an order", "order",
       [](Json& m) {
         m["order"] = {3, 2, 1, 0};
       }},
      {"an axis that is open", "classes", [](Json& m) { m["open"] = {"queue"}; }},
      {"a class", "classes.queue", [](Json& m) { m["classes"]["queue"] = "open"; }},
      {"a class of nothing", "classes.mood", [](Json& m) { m["classes"]["mood"] = nullptr; }},
      {"a class less", "classes", [](Json& m) { m["classes"].erase("pointer_reset"); }},
      {"a class of another kind", "classes",
       [](Json& m) { m["classes"]["pointer_reset"] = "without effect"; }},
      {"refuted", "status", [](Json& m) { m["status"] = "refuted"; }},
      {"told as undecided", "classes", [](Json& m) { m["status"] = "undecided"; }},
      {"no status", "status", [](Json& m) { m["status"] = "proved"; }},
      {"a narrower question", "combinations",
       [](Json& m) { m["assumed"].push_back("queue=fifo"); }},
      {"a wider question", "combinations", [](Json& m) { m["assumed"].erase(0); }},
      {"a question of no axis", "assumed", [](Json& m) { m["assumed"] = {"quue=fifo"}; }},
      {"another device", "device", [](Json& m) { m["device"]["sms"] = 8; }},
      {"the architecture of one file", "device",
       [](Json& m) { m["device"]["architecture"] = "sm_90"; }},
      {"the kernels of one file", "device",
       [](Json& m) { m["device"]["max_resident_kernels"] = 7; }},
  };
  for (const Forgery& forgery : forgeries) {
    EXPECT_THAT(fmt::format("{}", fmt::join(faults("identified", model(forgery.change)), "\n")),
                HasSubstr(forgery.said))
        << forgery.what;
  }
}

TEST_F(ForgedModel, OfARefutedRunIsNoticed) {
  EXPECT_THAT(faults("refuted", model([](Json& m) { m["status"] = "ambiguous"; })),
              Contains(HasSubstr("nothing explains the recordings")));
  EXPECT_THAT(faults("refuted", model([](Json& m) { m["surviving"]["queue"] = {"fifo"}; })),
              Contains(HasSubstr("surviving.queue")));
}

TEST_F(ForgedModel, JournalsAre) {
  using Lines = std::vector<Json>;
  const auto first = [](Lines& lines) -> Json& {
    return *std::ranges::find_if(lines, [](const Json& line) { return line.contains("facts"); });
  };
  const auto noticed = [&](const char* what, const std::function<void(Lines&)>& change) {
    EXPECT_THAT(faults("identified", journal(change)), ::testing::Not(IsEmpty())) << what;
  };
  noticed("every recording twice", [](Lines& lines) {
    Lines all = lines;
    for (const Json& line : lines) {
      if (line["type"] == "recording") all.push_back(line);
    }
    lines = all;
  });
  noticed("a recording less", [](Lines& lines) { lines.pop_back(); });
  noticed("another name", [&](Lines& lines) { first(lines)["name"] = "p2"; });
  noticed("an SM changed", [&](Lines& lines) {
    for (Json& fact : first(lines)["facts"]) {
      if (fact.contains("sm")) fact["sm"][0] = 3;
    }
  });
  noticed("an SM that is none", [&](Lines& lines) {
    for (Json& fact : first(lines)["facts"]) {
      if (fact.contains("sm")) fact["sm"][0] = 4;
    }
  });
  noticed("3.0 for 3", [&](Lines& lines) { first(lines)["facts"][0]["step"] = 0.0; });
  noticed("a fact twice",
          [&](Lines& lines) { first(lines)["facts"].push_back(first(lines)["facts"][0]); });
  noticed("a fact of another step", [&](Lines& lines) { first(lines)["facts"][0]["step"] = 999; });
  noticed("a fact of no kind", [&](Lines& lines) {
    first(lines)["facts"].push_back({{"step", 0}, {"kernel", "k1"}, {"seems", 3}});
  });
  noticed("a kernel that is illegal",
          [&](Lines& lines) { first(lines)["kernels"].begin().value()["threads"] = 4096; });
  noticed("a device in the midst", [](Lines& lines) { lines.push_back(lines.front()); });
  noticed("recordings of another mechanism", [](Lines& lines) {
    lines.clear();
    std::istringstream in(folder_->read("other/journal.jsonl"));
    for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  });
  noticed("nothing known of all but one", [&](Lines& lines) {
    for (Json& line : lines) {
      if (line.contains("facts") && &line != &first(lines)) line["facts"] = Json::array();
    }
  });
}

/// Nothing is said of what was not done.
TEST_F(ForgedModel, OfAnotherDeviceIsNotFollowed) {
  EXPECT_THAT(faults("identified", model([](Json& m) { m["device"]["architecture"] = "sm_90"; })),
              ElementsAre(HasSubstr("device: is not the journal's")));
  const std::string said = folder_->path("said");
  const int status =
      std::system((CUVIER_VERIFY " '" + folder_->path("forged") + "' >'" + said + "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), refuted);
  EXPECT_THAT(
      folder_->read("said"),
      ::testing::AllOf(
          HasSubstr("\nrefuted; the rest is undecided: the recordings are another device's\n"),
          ::testing::Not(HasSubstr(" combinations of values"))));
}

TEST(Program, SaysWhatIsWrongBeforeItChecks) {
  const samples::Folder folder;
  const auto said = [&](const std::string& arguments) {
    const std::string path = folder.path("said");
    const int status = std::system((CUVIER_VERIFY " " + arguments + " 2>'" + path + "'").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2);
    return folder.read("said");
  };
  EXPECT_THAT(said("--help >/dev/full"), HasSubstr("cannot write to standard output"));
  EXPECT_THAT(said(""), HasSubstr("name the folder of an inference\n"));
  EXPECT_THAT(said("--jsno first"), HasSubstr("--jsno is no option"));
  EXPECT_THAT(said("/nowhere"), HasSubstr("model.json: cannot be read: No such file"));
}

/// A field twice in one object: readers take one or the other.
TEST_F(ForgedModel, OfTwoMeaningsIsNoticed) {
  EXPECT_THAT(faults("identified",
                     [] {
                       std::string text = folder_->read("forged/model.json");
                       text.replace(text.find('{'), 1, R"({"status": "ambiguous",)");
                       folder_->write("forged/model.json", text);
                     }),
              Contains(HasSubstr("has the field status twice")));
}

/// docs/howto/read_inference.py, which knows the formats and nothing else.
TEST_F(ForgedModel, IsReadByAnybody) {
  const auto read = [](const std::string& run) {
    const std::string said = folder_->path("said");
    const int status = std::system(("python3 " CUVIER_SOURCE_DIR "/docs/howto/read_inference.py '" +
                                    folder_->path(run) + "' >'" + said + "' 2>&1")
                                       .c_str());
    return (status == 0 ? "" : "failed: ") + folder_->read("said");
  };
  EXPECT_THAT(read("identified"), ::testing::StartsWith("identified on "));
  EXPECT_THAT(read("refuted"), ::testing::StartsWith("refuted on "));
  fs::remove_all(folder_->path("forged"));
  fs::copy(folder_->path("identified"), folder_->path("forged"), fs::copy_options::recursive);
  model([](Json& m) { m["probes"] = 3.0; })();
  EXPECT_THAT(read("forged"), HasSubstr("failed: read_inference.py: model.json: probes"));
}

}  // namespace
}  // namespace cuvier::verify
