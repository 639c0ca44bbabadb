#include "probes/json_fields.h"

#include <gtest/gtest.h>

#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;

std::string parse_message(const std::string& text) {
  return message_of([&] { parse_json(text, "x.json"); });
}

TEST(ParseJson, SaysWhereTheTextGoesWrong) {
  EXPECT_EQ(parse_message(R"({"a":1,})"),
            "x.json: not JSON: unexpected '}' at column 8; mend it or remove it");
  EXPECT_EQ(parse_message("{\n \"a\": 1,\n \"b\" 2\n}"),
            "x.json: not JSON: unexpected '2' at line 3, column 6; mend it or remove it");
  EXPECT_EQ(parse_message(R"({"a":[1,2)"),
            "x.json: not JSON: it ends too early, at column 10; write the rest or remove it");
  EXPECT_EQ(parse_message(""),
            "x.json: not JSON: it ends too early, at column 1; write the rest or remove it");
  EXPECT_EQ(parse_message("{}{}"),
            "x.json: not JSON: unexpected '{' at column 3; mend it or remove it");
  EXPECT_EQ(parse_message("\"\xff\""),
            "x.json: not JSON: unexpected byte 0xff at column 2; mend it or remove it");
  EXPECT_EQ(parse_message("{\n \"sms\": -1e999}"),
            "x.json: \"-1e999\" at line 2, column 9 is out of the range of numbers; mend it or "
            "remove it");
}

TEST(ParseJson, KeepsTheOrderOfNames) {
  EXPECT_EQ(parse_json(R"({"b":1,"a":2,"c":3})", "x").dump(), R"({"b":1,"a":2,"c":3})");
}

TEST(ParseJson, RefusesANameThatStandsTwice) {
  EXPECT_EQ(parse_message(R"({"k":{"a":1},"l":{"a":1},"k":{}})"),
            "x.json: \"k\" stands twice in one object; keep one of them");
  EXPECT_EQ(parse_message(R"({"k":[{"a":1},{"a":1}]})"), "no error");
}

TEST(ParseJson, RefusesBottomlessNesting) {
  EXPECT_EQ(parse_message(std::string(1'000'000, '[')),
            "x.json: nested more than 32 deep; nothing of ours is");
}

TEST(ParseJson, TellsRecordingsByTheirFirstLine) {
  EXPECT_EQ(parse_message("{\"type\":\"device\"}\n{}\n"),
            "x.json: not JSON: unexpected '{' at line 2, column 1; mend it or remove it (its first "
            "line is JSON by itself: are these recordings?)");
}

std::string missing(const std::string& name, const std::string& text) {
  const Json json = parse_json(text, "x.json");
  return message_of([&] { Fields(json, Place("x.json")).at(name); });
}

TEST(Fields, NameTheOneThatIsMisspelt) {
  EXPECT_EQ(missing("threads", R"({"blocks":1,"thread":32})"),
            "x.json: threads: is missing; add it (did you mean it by \"thread\"?)");
  EXPECT_EQ(missing("threads", R"({"blocks":1})"), "x.json: threads: is missing; add it");
}

TEST(Fields, TellAFileOfAnotherKind) {
  const auto hint = [](const std::string& kind) { return " (this looks like " + kind + ")"; };
  EXPECT_EQ(missing("name", R"({"kernels":{}})"),
            "x.json: name: is missing; add it" + hint("a set of kernels"));
  EXPECT_EQ(missing("schema", R"({"name":"a","kernels":{},"script":[]})"),
            "x.json: schema: is missing; add it" + hint("a probe"));
  EXPECT_EQ(missing("script", R"({"name":"a","sms":4})"),
            "x.json: script: is missing; add it" + hint("a device"));
  EXPECT_EQ(missing("kernels", R"({"schema":1,"mechanism":{}})"),
            "x.json: kernels: is missing; add it" + hint("a model"));
  EXPECT_EQ(missing("name", R"({"kernels":{},"script":[]})"), "x.json: name: is missing; add it")
      << "a probe is what was meant";
  EXPECT_EQ(missing("channels", R"({"schema":1,"mechanism":{}})"),
            "x.json: channels: is missing; add it");
}

TEST(ReadInteger, TellsWhatIsTooLargeForAny) {
  const Json json = parse_json("18446744073709551616", "x.json");
  EXPECT_EQ(message_of([&] { read_integer(json, Place("x.json").field("blocks"), {}); }),
            "x.json: blocks: 1.8446744073709552e+19 is too large; at most 1000000000");
}

TEST(Place, WritesAnUnusualNameOnOneLine) {
  const Place place = Place("x.json").field("kernels").field("a\nb").field("blocks");
  EXPECT_EQ(message_of([&] { place.fail("is wrong"); }),
            "x.json: kernels.\"a\\nb\".blocks: is wrong");
}

TEST(InQuotes, CutsWhatIsLong) {
  EXPECT_EQ(in_quotes(std::string(100, 'x')), '"' + std::string(60, 'x') + "\"...");
}

TEST(OneLine, IsUtf8WhateverItIsMadeOf) {
  EXPECT_EQ(one_line("no\nGPU\x7f: \xc3\xa9"), "no GPU : \xc3\xa9");
  EXPECT_EQ(one_line("\xff was sent"), "\xef\xbf\xbd was sent");
  const std::string cut(399, 'x');
  for (const std::string character : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(one_line(cut + character), cut + "...") << "a character is cut out, not in two";
    EXPECT_EQ(in_quotes(cut.substr(0, 59) + character), '"' + cut.substr(0, 59) + "\"...");
  }
}

TEST(ReadFile, NamesTheFileThatItCannotRead) {
  const samples::Folder folder;
  EXPECT_EQ(message_of([&] { read_file(folder.path("none")); }),
            folder.path("none") + ": cannot be opened: No such file or directory");
  EXPECT_EQ(message_of([&] { read_file(folder.path("")); }),
            folder.path("") + ": cannot be read: Is a directory");
}

}  // namespace
}  // namespace cuvier
