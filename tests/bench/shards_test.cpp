#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <tuple>

#include "tests/shell.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// What takes long in bench/, with --shard I/N, before a cuvier that says what it is called with.
class Shards : public testing::Test {
 protected:
  Shards() {
    const std::string cuvier = folder_.write("cuvier", "#!/bin/sh\necho \"$1 $3 $4\"\necho took\n");
    fs::permissions(cuvier, fs::perms::owner_all);
  }

  Printed run(const std::string& command) { return shell(folder_, command); }

  std::string bench(const std::string& file) { return CUVIER_SOURCE_DIR "/bench/" + file; }

  Printed merge(const std::string& files) {
    return run("python3 -B " + bench("shards.py") + " merge " + files);
  }

  /// What three shards print, put together whatever their order.
  std::string merged(const std::string& before, const std::string& after) {
    for (const char* shard : {"1", "2", "3"}) {
      const Printed printed = run(before + " --shard " + shard + "/3 " + after);
      EXPECT_EQ(printed.code, 0) << printed.text;
      folder_.write(std::string("of-") + shard, printed.text);
    }
    const Printed printed = merge("of-3 of-1 of-2");
    EXPECT_EQ(printed.code, 0) << printed.text;
    return without_times(printed.text);
  }

  static std::string without_times(const std::string& text) {
    return std::regex_replace(text, std::regex(R"([0-9.]+ s\b|\| [0-9]+ \| [0-9]+ \|)"), "T");
  }

  samples::Folder folder_;
};

TEST_F(Shards, OfScriptsPrintWhatTheWholePrints) {
  const std::string inventions = "python3 -B " + bench("inventions.py") + " ./cuvier planted";
  const std::string devices = "bash " + bench("pages.sh") + " ./cuvier all-pairs catalogues";
  const std::string audits = "bash " + bench("pages.sh") + " ./cuvier audits pages";
  for (const auto& [before, after, rows] :
       {std::tuple(inventions, "", 2 + 138), std::tuple(devices, "a b c d e", 5),
        std::tuple(audits, "a/w.jsonl b/w.jsonl c.jsonl d.jsonl", 4)}) {
    const Printed whole = run(before + " " + after);
    ASSERT_EQ(whole.code, 0) << whole.text;
    EXPECT_EQ(std::ranges::count(whole.text, '\n'), rows) << whole.text;
    EXPECT_EQ(merged(before, after), without_times(whole.text));
  }
  EXPECT_TRUE(fs::exists(folder_.path("catalogues/e.log")));
  EXPECT_TRUE(fs::exists(folder_.path("pages/b-w.log")));
}

TEST_F(Shards, OfProgramsPrintTheRowsOfTheWholeAndTheirOwnSums) {
  const std::string breakers = CUVIER_BREAKERS
      " --assume algorithm-1 --sms 4 --seeds 1 --fresh 3 --verdicts yes --only 6,10,16,18";
  const Printed printed = run(breakers);
  ASSERT_EQ(printed.code, 0) << printed.text;
  const std::string whole = without_times(printed.text);
  const std::string rows = whole.substr(0, whole.find("\n\n"));
  EXPECT_THAT(rows, HasSubstr("\n| 18 | "));
  const std::string together = merged(breakers, "");
  EXPECT_EQ(together.substr(0, together.find("\n\n")), rows);
  for (const char* sums : {"\n\nshard 1/3:\n2 inferences", "\n\nshard 2/3:\n1 inferences",
                           "\n\nshard 3/3:\n1 inferences"}) {
    EXPECT_THAT(together, HasSubstr(sums));
  }
}

TEST_F(Shards, ThatThereAreNotAreRefused) {
  const std::string breakers = CUVIER_BREAKERS " --only 6,10";
  const std::string devices = "bash " + bench("pages.sh") + " ./cuvier all-pairs catalogues";
  for (const char* shard : {"0/2", "3/2", "2", "1/2x", "1/3"}) {
    const Printed program = run(breakers + " --shard " + shard);
    EXPECT_EQ(program.code, 2) << program.text;
    EXPECT_THAT(program.text, HasSubstr(std::string("--shard ") + shard + ": not I/N"));
    const Printed script = run(devices + " --shard " + shard + " a b");
    EXPECT_EQ(script.code, 2) << script.text;
    EXPECT_THAT(script.text, HasSubstr(std::string(shard) + ": "));
  }
}

TEST_F(Shards, AreOfNumbers) {
  for (const auto& [options, complaint] :
       {std::pair("--only 6,x", "--only x: must be a whole number from 0 to "),
        std::pair("--only 6,999", "--only 999: must be a whole number from 0 to "),
        std::pair("--seeds three", "--seeds three: must be a whole number from 0 to ")}) {
    const Printed printed = run(CUVIER_BREAKERS " " + std::string(options));
    EXPECT_EQ(printed.code, 2) << printed.text;
    EXPECT_THAT(printed.text, HasSubstr(complaint));
  }
}

TEST_F(Shards, HaveNoOptionsButTheirs) {
  EXPECT_EQ(run(CUVIER_BREAKERS " --help").code, 0);
  for (const char* options : {"--seedz 3", "--seedz", "--only 6 --seeds"}) {
    const Printed printed = run(CUVIER_BREAKERS " " + std::string(options));
    EXPECT_EQ(printed.code, 2) << printed.text;
    EXPECT_THAT(printed.text, HasSubstr("--seed"));
    EXPECT_EQ(std::ranges::count(printed.text, '\n'), 1) << printed.text;
  }
}

TEST_F(Shards, SayWhyThereIsNoVerdict) {
  const std::string refuses =
      folder_.write("refuses", "#!/bin/sh\necho asking >&2\necho 'no such formula' >&2\nexit 2\n");
  fs::permissions(refuses, fs::perms::owner_all);
  const Printed printed =
      run("python3 -B " + bench("inventions.py") + " ./refuses conditions connection");
  EXPECT_EQ(printed.code, 0) << printed.text;
  EXPECT_THAT(
      printed.text,
      HasSubstr("\n| t4 | `connection=stream == 5 ? 4 : stream` | none: no such formula | "));
}

TEST_F(Shards, ThatAreMissingOrCutOffAreNamed) {
  folder_.write("1", "head\nshard 1/2 of 3\nrow 0\nrow 2\n");
  folder_.write("2", "head\nshard 2/2 of 3\nrow 1\n");
  EXPECT_EQ(merge("1 2").text, "head\nrow 0\nrow 1\nrow 2\n");
  folder_.write("cut", "head\nshard 1/2 of 3\nrow 0\nro");
  folder_.write("other", "another head\nshard 2/2 of 3\nrow 1\n");
  folder_.write("whole", "head\nrow 0\n");
  for (const auto& [files, complaint] :
       {std::pair("cut 2", "cut: 1 of 2 rows; run shard 1/2 again"),
        std::pair("1", "shard 2/2 is missing"), std::pair("1 1 2", "shard 1 is there twice"),
        std::pair("1 other", "other: of another run than 1"),
        std::pair("whole", "whole: no line says which shard it is")}) {
    const Printed printed = merge(files);
    EXPECT_EQ(printed.code, 2) << files;
    EXPECT_THAT(printed.text, HasSubstr(complaint));
  }
}

}  // namespace
}  // namespace cuvier
