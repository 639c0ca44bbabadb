// Whoever forges a certificate writes its SHA256SUMS anew: what is claimed must follow from the
// recordings, or `verify` says so. What it does not notice is harmless, and listed with why.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <map>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"
#include "tests/small_sms.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

/// What verify does not notice -> why that does no harm. docs/reference/certificate.md has this
/// list, too.
const std::map<std::string, std::string> harmless = {
    {"reason", "words for people"},
    {"oracle", "who answered is not in the answers"},
    {"seed", "nothing rests on how probes were drawn"},
    {"seconds", "nothing rests on how long it took"},
    {"fewest_probes", "how good the questions were, not what was answered"},
    {"identified told as ambiguous", "it claims less"},
    {"recordings swapped", "the model predicts them in either order, and that is checked"},
};

class ForgedCertificate : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new samples::Folder;
    folder_->write("four.json", small_sms_text(4));
    folder_->write("unsat.sh", "echo unsat\n");
    EXPECT_EQ(infer_of_few(*folder_, "identified", "sim:four.json", few_axes).exit_code, confirmed);
    infer("ambiguous", few_axes + " --max-probes 1", 10);
    infer("refuted", few_axes + " --assume selection=first_fit,most_warps", 11);
    infer("voted", few_axes + " --repeat 3", 0);
    infer("voted-refuted", few_axes + " --assume selection=first_fit,most_warps --repeat 3", 11);
  }
  static void TearDownTestSuite() { delete folder_; }

  /// Few lemmas, so that they are soon asked.
  inline static const std::string few_axes =
      " --assume algorithm-1,queue=named,selection=named,dispatch_batch=named,pointer_reset=never";

  static void infer(const std::string& name, const std::string& options, int exit_code) {
    const Ended ended =
        run_cuvier(*folder_, "infer --oracle sim:four.json --out " + name + options);
    ASSERT_EQ(ended.exit_code, exit_code) << ended.out << ended.err;
  }

  /// What verify says of a copy of the run once it was forged, and its sums written anew.
  static Ended forged(const std::string& run, const std::function<void()>& forge) {
    fs::remove_all(folder_->path("forged"));
    fs::copy(folder_->path(run), folder_->path("forged"), fs::copy_options::recursive);
    forge();
    const std::string sum = "cd '" + folder_->path("forged/certificate") +
                            "' && rm -f SHA256SUMS && sha256sum ../model.json ../journal.jsonl * "
                            ">../sums && mv ../sums SHA256SUMS";
    EXPECT_EQ(std::system(sum.c_str()), 0);
    return run_cuvier(*folder_, "verify forged --solver 'sh unsat.sh'");
  }

  static void expect_noticed(const std::string& run, const std::string& what,
                             const std::function<void()>& forge, const std::string& said = "") {
    const Ended ended = forged(run, forge);
    EXPECT_EQ(ended.exit_code, refuted) << run << ": " << what << '\n' << ended.out << ended.err;
    EXPECT_THAT(ended.out, HasSubstr(said)) << run << ": " << what;
  }

  static void expect_harmless(const std::string& run, const std::vector<std::string>& what,
                              const std::function<void()>& forge) {
    const Ended ended = forged(run, forge);
    EXPECT_EQ(ended.exit_code, confirmed)
        << run << ": " << fmt::format("{}", fmt::join(what, ", ")) << '\n'
        << ended.out << ended.err;
    for (const std::string& each : what) EXPECT_TRUE(harmless.contains(each)) << each;
  }

  static std::string read(const std::string& name) { return folder_->read("forged/" + name); }
  static void write(const std::string& name, const std::string& text) {
    folder_->write("forged/" + name, text);
  }
  static void remove(const std::string& name) { fs::remove(folder_->path("forged/" + name)); }

  /// Changes a JSON file.
  static std::function<void()> json(const std::string& name,
                                    const std::function<void(Json&)>& change) {
    return [=] {
      Json json = parse_json(read(name), name);
      change(json);
      write(name, json.dump(2) + '\n');
    };
  }
  static std::function<void()> model(const std::function<void(Json&)>& change) {
    return json("model.json", change);
  }
  static std::function<void()> index(const std::function<void(Json&)>& change) {
    return json("certificate/index.json", change);
  }

  /// Changes the recordings, a line each.
  static std::function<void()> journal(
      const std::function<void(std::vector<std::string>&)>& change) {
    return [=] {
      std::istringstream in(read("journal.jsonl"));
      std::string before;
      std::vector<std::string> recordings;
      for (std::string line; std::getline(in, line);) {
        if (line.find("\"facts\"") == std::string::npos && recordings.empty()) {
          before += line + '\n';
        } else {
          recordings.push_back(line);
        }
      }
      change(recordings);
      std::string text = before;
      for (const std::string& line : recordings) text += line + '\n';
      write("journal.jsonl", text);
    };
  }

  /// The first lemma whose name begins so, in the run.
  static std::string lemma(const std::string& run, const std::string& begins) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_->path(run + "/certificate"))) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(begins)) names.push_back("certificate/" + name);
    }
    std::ranges::sort(names);
    EXPECT_FALSE(names.empty()) << run << ": " << begins;
    return names.empty() ? "" : names.front();
  }

  static samples::Folder* folder_;
};

samples::Folder* ForgedCertificate::folder_ = nullptr;

TEST_F(ForgedCertificate, AsItWasItHolds) {
  for (const char* run : {"identified", "ambiguous", "refuted", "voted", "voted-refuted"}) {
    const Ended ended = run_cuvier(*folder_, std::string("verify ") + run);
    EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
    EXPECT_THAT(ended.out, ::testing::StartsWith("confirmed: "));
    const std::string check =
        "cd '" + folder_->path(run) + "/certificate' && sha256sum --strict --quiet -c SHA256SUMS";
    EXPECT_EQ(std::system(check.c_str()), 0) << run;
  }
}

TEST_F(ForgedCertificate, SumsThatAreNotWrittenAnewTell) {
  fs::remove_all(folder_->path("forged"));
  fs::copy(folder_->path("identified"), folder_->path("forged"), fs::copy_options::recursive);
  model([](Json& json) { json["seconds"] = 1; })();
  const Ended ended = run_cuvier(*folder_, "verify forged");
  EXPECT_EQ(ended.exit_code, refuted);
  EXPECT_THAT(ended.out,
              HasSubstr("forged/model.json: was changed since the certificate was written\n"));
}

TEST_F(ForgedCertificate, ClaimsAndLemmas) {
  const std::string proved = lemma("identified", "001-");
  const std::string other = lemma("identified", "002-");
  expect_noticed("identified", "claim", index([](Json& json) {
                   json["claims"][0]["claim"] = "No probe tells apart algorithm-1; bfa; simtbs.";
                 }),
                 "index.json: is not what follows");
  expect_noticed("identified", "no claims",
                 index([](Json& json) { json["claims"] = Json::array(); }));
  expect_noticed("identified", "lemmas of a claim",
                 index([](Json& json) { json["claims"][0]["lemmas"] = Json::array(); }));
  expect_noticed("identified", "no claims and no lemmas", [&] {
    index([](Json& json) { json["claims"] = Json::array(); })();
    for (const auto& entry : fs::directory_iterator(folder_->path("forged/certificate"))) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("0")) fs::remove(entry.path());
    }
  });
  expect_noticed(
      "identified", "lemma dropped", [&] { remove(proved); },
      "is missing, and the claims rest on it");
  expect_noticed("identified", "trivial lemma",
                 [&] { write(proved, "(assert false)\n(check-sat)\n"); });
  expect_noticed("identified", "lemma of another claim", [&] { write(proved, read(other)); });
  expect_noticed(
      "identified", "a lemma more", [&] { write("certificate/999-more.smt2", read(other)); },
      "is nothing that the claims rest on");
}

TEST_F(ForgedCertificate, Refutations) {
  for (const char* run : {"identified", "ambiguous", "refuted"}) {
    const std::string one = lemma(run, "refuted-001");
    expect_noticed(run, "dropped", [&] { remove(one); });
    expect_noticed(run, "trivial", [&] { write(one, "(assert false)\n(check-sat)\n"); });
    expect_noticed(run, "of fewer values", [&] {
      const std::string text = read(one);
      const std::size_t last = text.rfind("\n  |");
      ASSERT_NE(last, std::string::npos) << text;
      write(one, text.substr(0, last) + "))\n(check-sat)\n");
    });
    expect_noticed(run, "said to be by diagrams",
                   index([](Json& json) { json["excluded"][0]["by"] = "diagrams"; }));
    expect_noticed(run, "excludes less",
                   index([](Json& json) { json["excluded"].erase(json["excluded"].begin()); }));
  }
}

TEST_F(ForgedCertificate, Recordings) {
  using Lines = std::vector<std::string>;
  for (const char* run : {"identified", "ambiguous"}) {
    expect_noticed(run, "emptied", journal([](Lines& lines) { lines.clear(); }));
    expect_noticed(run, "shortened", journal([](Lines& lines) { lines.pop_back(); }));
    expect_noticed(run, "an SM changed", journal([](Lines& lines) {
                     const std::string before = "\"sm\":[0,";
                     const std::size_t at = lines.front().find(before);
                     ASSERT_NE(at, std::string::npos) << lines.front();
                     lines.front().replace(at, before.size(), "\"sm\":[3,");
                   }));
  }
  expect_noticed("refuted", "emptied", journal([](Lines& lines) { lines.clear(); }),
                 "status: refuted, but ");
  // The last two of one session.
  expect_harmless("identified", {"recordings swapped"}, journal([](Lines& lines) {
                    const auto is_recording = [](const std::string& line) {
                      return line.find("\"facts\"") != std::string::npos;
                    };
                    std::size_t last = lines.size() - 1;
                    while (!is_recording(lines[last]) || !is_recording(lines[last - 1])) --last;
                    std::swap(lines[last], lines[last - 1]);
                  }));
}

/// With --repeat, probes that clash with the others are left out; but no more than a few, and none
/// that was not rephrased.
TEST_F(ForgedCertificate, RecordingsThatAreLeftOut) {
  const auto with_lies = [](int probes) {
    return [=] {
      journal([&](std::vector<std::string>& lines) {
        const std::string name = "\"name\":\"p1\"";
        const std::string sm = "\"sm\":[0,";
        std::string lie = lines.front();
        ASSERT_NE(lie.find(name), std::string::npos) << lie;
        ASSERT_NE(lie.find(sm), std::string::npos) << lie;
        lie.replace(lie.find(sm), sm.size(), "\"sm\":[3,");
        for (int probe = 0; probe < probes; ++probe) {
          std::string renamed = lie;
          renamed.replace(lie.find(name), name.size(), fmt::format("\"name\":\"lie{}\"", probe));
          for (int run = 0; run < 3; ++run) {  // as many as settle it
            lines.push_back(R"({"type":"session"})");
            lines.push_back(renamed);
          }
        }
      })();
      model([&](Json& json) { json["probes"] = json["probes"].get<int>() + probes; })();
    };
  };
  expect_noticed("voted", "left out, and never rephrased", with_lies(1),
                 "status: identified, but lie0, which says otherwise, was not asked in 6 other");
  expect_noticed("voted", "more left out than may be", with_lies(7),
                 "status: identified, but nothing explains the recordings");
}

TEST_F(ForgedCertificate, Models) {
  const std::multimap<std::string, std::function<void(Json&)>> forgeries = {
      {"surviving",
       [](Json& json) {
         json["surviving"]["queue"] = {"fifo", "skip_ahead"};
       }},
      {"hypotheses", [](Json& json) { json["hypotheses"]["combinations"] = 7; }},
      {"hypotheses", [](Json& json) { json["hypotheses"]["initial"] = 7; }},
      {"hypotheses", [](Json& json) { json["hypotheses"]["remaining"] = 7; }},
      {"hypotheses",
       [](Json& json) { json["hypotheses"]["exact"] = !json["hypotheses"]["exact"].get<bool>(); }},
      {"probes", [](Json& json) { json["probes"] = 1000; }},
      {"device", [](Json& json) { json["device"]["sms"] = 8; }},
      {"mechanism", [](Json& json) { json["mechanism"]["selection"] = "round_robin"; }},
      {"open", [](Json& json) { json["open"] = {"queue"}; }},
      {"classes", [](Json& json) { json["classes"]["queue"] = "open"; }},
      {"order",
       [](Json& json) {
         json["order"] = {0, 1, 2, 3};
       }},
      {"schema", [](Json& json) { json["schema"] = 2; }},
  };
  for (const char* run : {"identified", "ambiguous"}) {
    for (const auto& [field, change] : forgeries) {
      expect_noticed(run, field, model(change), "forged/model.json: " + field);
    }
  }
  // A question that is narrower, or wider, has another number of hypotheses to begin with.
  expect_noticed("identified", "assumed",
                 model([](Json& json) { json["assumed"].push_back("queue=fifo"); }),
                 "forged/model.json: hypotheses");
  expect_noticed("identified", "assumed", model([](Json& json) { json["assumed"].erase(0); }),
                 "forged/model.json: hypotheses");
  expect_noticed("identified", "channels",
                 model([](Json& json) { json["channels"] = {"warp_slot"}; }),
                 "not proved to be one behaviour");
  for (const char* field : {"surviving", "device"}) {
    expect_noticed("refuted", field, model(forgeries.find(field)->second));
  }
  expect_noticed("refuted", "mechanism", model([](Json& json) {
                   json["mechanism"] = {{"queue", "fifo"}};
                 }));
  expect_noticed("identified", "status", model([](Json& json) { json["status"] = "refuted"; }));
  expect_noticed("ambiguous", "status", model([](Json& json) { json["status"] = "identified"; }));
  expect_noticed("refuted", "status", model([](Json& json) { json["status"] = "identified"; }),
                 "nothing explains the recordings");
}

TEST_F(ForgedCertificate, WhatIsToldOnly) {
  for (const char* run : {"identified", "ambiguous", "refuted"}) {
    // All at once: what is noticed of one would be noticed beside the others.
    expect_harmless(run, {"reason", "oracle", "seed", "seconds"}, model([](Json& json) {
                      json["reason"] = "so it is";
                      json["oracle"] = "a GPU";
                      json["seed"] = 12;
                      json["seconds"] = 12;
                    }));
  }
  expect_harmless("identified", {"fewest_probes"},
                  model([](Json& json) { json.erase("fewest_probes"); }));
  expect_harmless("identified", {"identified told as ambiguous"}, model([](Json& json) {
                    json["status"] = "ambiguous";
                    for (auto& [axis, why] : json["classes"].items()) {
                      if (why == "any value: proved equivalent") why = "open";
                    }
                  }));
}

TEST_F(ForgedCertificate, WhatIsHarmlessIsDocumented) {
  const std::string page = read_file(CUVIER_SOURCE_DIR "/docs/reference/certificate.md");
  for (const auto& [what, why] : harmless) {
    EXPECT_THAT(page, HasSubstr("| " + what + " | " + why + " |\n"));
  }
}

TEST_F(ForgedCertificate, WhatCannotBeReadIsOneLine) {
  const auto said = [](const std::function<void()>& forge) {
    const Ended ended = forged("identified", forge);
    EXPECT_EQ(ended.exit_code, 2) << ended.out << ended.err;
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
    return ended.err;
  };
  EXPECT_THAT(said(model([](Json& json) { json["status"] = "so-so"; })),
              HasSubstr("forged/model.json: status: must be identified, ambiguous, refuted or"));
  EXPECT_THAT(said(model([](Json& json) { json.erase("channels"); })),
              HasSubstr("forged/model.json: channels: is missing"));
  EXPECT_THAT(said(model([](Json& json) { json["assumed"] = {"quue=fifo"}; })),
              HasSubstr("forged/model.json: assumed: "));
  EXPECT_THAT(said([] {
                remove("model.json");
                write("model.json", "{");
              }),
              HasSubstr("forged/model.json:"));
  EXPECT_THAT(said([] { write("journal.jsonl", ""); }), HasSubstr("forged/journal.jsonl"));
}

}  // namespace
}  // namespace cuvier
