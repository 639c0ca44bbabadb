// What the checker reads and what it refuses to read.

#include <gmock/gmock.h>

#include <functional>

#include "tests/samples.h"
#include "verify/formula.h"
#include "verify/recording.h"

namespace cuvier::verify {
namespace {

using ::testing::HasSubstr;

std::string said_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const Unreadable& unreadable) {
    return unreadable.what();
  }
  return "nothing";
}

std::string said_of_formula(const std::string& text) {
  return said_of([&] { Formula(text, "bytes").number({1 << 24}); });
}

TEST(Readers, RefuseWhatNestsTooDeep) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(said_of([&] { parse_json(nested(32), "file"); }), "nothing");
  EXPECT_EQ(said_of([&] { parse_json(nested(100'000), "file"); }), "file: nests more than 32 deep");
  EXPECT_EQ(said_of_formula(std::string(100'000, '(') + "1" + std::string(100'000, ')')),
            "a formula has 400 characters at most");
}

TEST(Readers, SayInTheirOwnWordsWhereATextGoesWrong) {
  const auto said = [](const std::string& text) {
    return said_of([&] { parse_json(text, "file"); });
  };
  EXPECT_EQ(said(R"({"a":[1,2)"), "file: is no JSON: it ends too early, at column 10");
  EXPECT_EQ(said("{\n \"a\": 1,\n \"b\" 2\n}"),
            "file: is no JSON: unexpected '2' at line 3, column 6");
  EXPECT_EQ(said("\"\xff\""), "file: is no JSON: unexpected byte 0xff at column 2");
  EXPECT_EQ(said(""), "file: is no JSON: it ends too early, at column 1");
  EXPECT_EQ(said("1e999"), "file: has a number that is out of range");
  EXPECT_EQ(said_of([] { Field(Json(1), "file: name").get<std::string>(); }),
            "file: name: must be something else than a value of type number");
}

TEST(Readers, SayWhyAFileCannotBeRead) {
  const samples::Folder folder;
  EXPECT_EQ(said_of([&] { read_file(folder.path("none")); }),
            folder.path("none") + ": cannot be read: No such file or directory");
  EXPECT_EQ(said_of([&] { read_file(folder.path("")); }),
            folder.path("") + ": cannot be read: Is a directory");
}

TEST(Readers, KeepFormulasWithinTheirNumbers) {
  EXPECT_EQ(said_of_formula("1073741824"), "nothing");
  EXPECT_EQ(said_of_formula("2 * 1073741825"),
            "'2 * 1073741825', column 5: is more than 1073741824");
  EXPECT_THAT(said_of_formula("99999999999"), HasSubstr("is more than 1073741824"));
  EXPECT_EQ(said_of_formula("bytes * bytes * bytes"),
            "'bytes * bytes * bytes' comes to more than 64 bits hold");
  EXPECT_EQ(said_of_formula("-bytes * bytes * 32767 - bytes * bytes mod 7"), "nothing");
}

TEST(Readers, PassOverBlankLinesOfAJournal) {
  const samples::Folder folder;
  const std::string path = folder.write(
      "journal.jsonl",
      std::string("\n") + R"({"type":"device","source":"s","device":)" + samples::device_text +
          "}\n \t\r\n" +
          R"({"type":"recording","name":"p","kernels":{"k":{"blocks":1,"threads":32,"registers":16}},)"
          R"("script":[{"launch":"k"}],"facts":[{"step":0,"kernel":"k","sm":[0]}]})"
          "\n\n");
  const Journal journal = read_journal(path);
  ASSERT_EQ(journal.recordings.size(), 1U);
  EXPECT_EQ(journal.recordings[0].where, path + ":4");
  folder.write("journal.jsonl", "\n\n");
  EXPECT_EQ(said_of([&] { read_journal(path); }), path + ": is empty");
}

}  // namespace
}  // namespace cuvier::verify
