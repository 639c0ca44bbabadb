// What somebody forges in model.json or in the journal, the checker names. It reads no sums and no
// lemmas, so there is nothing to refresh.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <set>

#include "tests/cli/cuvier_run.h"
#include "verify/axes.h"
#include "verify/check.h"
#include "verify/fields.h"
#include "verify/unreadable.h"

namespace cuvier::verify {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ForgedModel : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new samples::Folder;
    folder_->write("four.json", samples::device_text);
    const std::set<std::string_view> open = {"queue", "selection", "dispatch_batch",
                                             "pointer_reset"};
    const std::string assumptions = as_in_algorithm_1(open);
    const auto infer = [&](const std::string& name, const std::string& oracle,
                           const std::string& options) {
      run_cuvier(*folder_, "infer --oracle " + oracle + " --out " + name + options);
    };
    infer("identified", "sim:four.json", assumptions);
    infer("ambiguous", "sim:four.json", assumptions + " --max-probes 1");
    infer("refuted", "sim:four.json", assumptions + " --assume selection=first_fit,most_warps");
    infer("other", "sim:four.json,queue=skip_ahead", assumptions);
    infer("voted", "'exec:" CUVIER_STAND_IN " four.json'", assumptions + " --repeat 3");
    infer("learned", "sim:four.json,tie_break=linear_reversed",
          as_in_algorithm_1({"selection", "tie_break"}) + " --assume tie_break=linear,learned");
    infer("drifting", "sim:four.json,dispatch_batch=pair,pairs_in_flight=two",
          as_in_algorithm_1({"selection", "dispatch_batch", "pairs_in_flight"}) +
              " --assume pairs_in_flight=one,drifting --max-probes 12");
    folder_->write("little.jsonl", little());
    run_cuvier(*folder_,
               "infer --oracle recording:little.jsonl --out little --assume selection="
               "most_room --assume dispatch_batch=single --assume pointer_reset=never" +
                   assumptions);
  }
  static void TearDownTestSuite() { delete folder_; }

  /// All axes but these.
  static std::string as_in_algorithm_1(const std::set<std::string_view>& but) {
    std::string assumptions;
    for (const AxisRow& axis : axes) {
      if (!but.contains(axis.name)) {
        assumptions += fmt::format(" --assume {}={}", axis.name, axis.values.front());
      }
    }
    return assumptions;
  }

  /// Recordings that tell next to nothing.
  static std::string little() {
    const Json small = {{"blocks", 4}, {"threads", 32}, {"registers", 16}};
    const Json large = {{"blocks", 4}, {"threads", 1024}, {"registers", 64}};
    const auto launches = [](const std::string& name, const Json& kernels) {
      Json line = {{"type", "recording"}, {"name", name}, {"kernels", kernels}};
      for (const auto& [kernel, needs] : kernels.items()) {
        line["facts"] = {{{"step", line["script"].size()}, {"kernel", kernel}, {"started", 4}}};
        line["script"].push_back({{"launch", kernel}});
      }
      return line.dump() + '\n';
    };
    const Json device = {
        {"type", "device"}, {"source", "little"}, {"device", Json::parse(samples::device_text)}};
    return device.dump() + '\n' + launches("small", {{"a", small}, {"b", small}, {"c", small}}) +
           launches("large", {{"a", large}});
  }

  static Checked checked(const std::string& run) { return check(folder_->path(run)); }

  /// The faults of a copy of the run once it was forged; one that cannot be read is one.
  static std::vector<std::string> faults(const std::string& run,
                                         const std::function<void()>& forge) {
    fs::remove_all(folder_->path("forged"));
    fs::copy(folder_->path(run), folder_->path("forged"), fs::copy_options::recursive);
    forge();
    try {
      return checked("forged").faults;
    } catch (const Unreadable& unreadable) {
      return {unreadable.what()};
    }
  }

  static std::function<void()> model(const std::function<void(Json&)>& change) {
    return [=] {
      Json json = Json::parse(folder_->read("forged/model.json"));
      change(json);
      folder_->write("forged/model.json", json.dump(1) + '\n');
    };
  }
  /// The lines of the journal, of which the first has the device.
  static std::function<void()> journal(const std::function<void(std::vector<Json>&)>& change) {
    return [=] {
      std::istringstream in(folder_->read("forged/journal.jsonl"));
      std::vector<Json> lines;
      for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
      change(lines);
      std::string text;
      for (const Json& line : lines) text += line.dump() + '\n';
      folder_->write("forged/journal.jsonl", text);
    };
  }

  static samples::Folder* folder_;
};

samples::Folder* ForgedModel::folder_ = nullptr;

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

/// All that hangs on what is forged is forged as well.
TEST_F(ForgedModel, ThatFitsItselfIsNoticed) {
  const auto noticed = [&](const std::string& what, const std::string& run,
                           const std::function<void()>& forge) {
    EXPECT_THAT(faults(run, forge), ::testing::Not(IsEmpty())) << what << " of " << run;
  };
  for (const char* name : {"queue", "selection", "dispatch_batch"}) {
    for (const std::string_view value : axes[find_axis(name)].values.subspan(1)) {
      const std::string other(value);
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
