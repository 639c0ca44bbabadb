// What a page says is the same as HTML, Markdown, JSON and on a terminal.

#include "reports/document/page.h"

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "reports/document/json_text.h"
#include "reports/document/report_file.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Page page_of_everything() {
  Page page;
  page.title = "Of " + code("k_1");
  page.about = "two lines\nof <it>";
  page.tone = Page::Tone::bad;
  page.verdict = "so *it* is\nand this follows";
  page.numbers = {{"blocks", "1,536"}};
  Table table{"A table", {"a", "b"}, {{"1|2", strong("no")}, {"two\nlines", ""}}};
  Map map{to_json(samples::device()), "seen", "predicted"};
  page.sections = {
      {"One", {Text("words"), std::move(table), List{{"first", code("second")}}}},
      {"Two", {Chart{"a chart", "ms", {{"line", 0.5, {1, 2}}}}, std::move(map)}},
      {"Three", {Source{"json", "{}"}}, 3},
      {"Four", {}},
  };
  return page;
}

TEST(Page, StaysAsItIsInAFile) {
  const Page page = page_of_everything();
  const Json json = report_file("audit", {{"verdict", "none"}}, page);
  EXPECT_EQ(json["kind"], "audit");
  EXPECT_EQ(json["verdict"], "none");
  EXPECT_EQ(page_json(page_of_report(json, "x.json")), json["page"]);
}

/// The path of an oracle or a recording may be any bytes.
TEST(Page, HasInAFileWhatIsNoUtf8Replaced) {
  Page page;
  page.about = "Asked: ./caf\xe9.";
  const std::string text = json_text(report_file("audit", {{"verdict", "none"}}, page));
  EXPECT_THAT(text, HasSubstr("Asked: ./caf\xef\xbf\xbd."));
  EXPECT_EQ(plain(page_of_report(parse_json(text, "x.json"), "x.json").about),
            "Asked: ./caf\xef\xbf\xbd.");
}

TEST(Page, IsMarkdownThatMeansWhatWasMeant) {
  EXPECT_EQ(page_markdown(page_of_everything()),
            "# Of `k_1`\n\n"
            "two lines\nof \\<it>\n\n"
            "**so \\*it\\* is.**\n\nand this follows\n\n"
            "- blocks: 1,536\n\n"
            "## One\n\n"
            "words\n\n"
            "| a | b |\n| --- | --- |\n| 1\\|2 | **no** |\n| two<br>lines |  |\n\n"
            "- first\n- `second`\n\n"
            "### Three\n\n"
            "```json\n{}\n```\n\n"
            "## Four\n");
}

TEST(Page, IsTextWithoutWhatATerminalHasNoRoomFor) {
  Page page = page_of_everything();
  page.written_by = "Written by a test. ";
  page.sections.push_back({"Five", {Text("details")}, 2, false});
  std::get<Table>(page.sections[0].items[1]).in_short = 1;
  EXPECT_EQ(page_text(page),
            "so *it* is\nand this follows\n"
            "  two lines\n"
            "  of <it>\n"
            "  blocks  1,536\n"
            "\n"
            "One:\n"
            "  words\n"
            "\n"
            "  a    b\n"
            "  1|2  no\n"
            "  and 1 more\n"
            "  first\n"
            "  second\n"
            "\n"
            "Three:\n"
            "\n"
            "{}\n");
}

TEST(Page, IsTextThatCommandsNoTerminal) {
  Page page;
  page.verdict = "k\x1b[2J";
  EXPECT_EQ(page_text(page), "k\\x1b[2J\n");
}

TEST(Page, IsTextNoWiderThanTheTerminal) {
  Page page;
  page.verdict = "a verdict is one line, whatever its length";
  Table table{"", {"", ""}, {{"one", "some words that stand,in,a,cell"}, {"a\nb", "c"}}};
  page.sections = {{"", {Text("some words,that,go,on,and on"), std::move(table)}}};
  EXPECT_EQ(page_text(page, 24),
            "a verdict is one line, whatever its length\n"
            "  some words,that,go,on,\n"
            "  and on\n"
            "\n"
            "  one  some words that\n"
            "       stand,in,a,cell\n"
            "  a    c\n"
            "  b\n");
}

TEST(Page, IsHtmlWhereTheFileIsCalledSo) {
  const samples::Folder folder;
  write_page(folder.path("page.html"), page_of_everything());
  write_page(folder.path("page.md"), page_of_everything());
  EXPECT_THAT(folder.read("page.html"),
              AllOf(StartsWith("<!doctype html>"),
                    HasSubstr("<noscript><pre>Of k_1\n\nso *it* is\nand this follows\n  two lines\n"
                              "  of &lt;it>\n")));
  EXPECT_THAT(folder.read("page.md"), StartsWith("# Of"));
}

TEST(Page, NamesWhatIsWrongInAFile) {
  const Json good = report_file("audit", Json::object(), page_of_everything());
  const auto message = [&](const char* pointer, const Json& value) {
    Json json = good;
    json[Json::json_pointer(pointer)] = value;
    try {
      page_of_report(json, "x.json");
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("/seed", 3), "");
  EXPECT_THAT(message("/schema", 2), StartsWith("x.json: schema: "));
  EXPECT_THAT(message("/page/tone", "glad"), StartsWith("x.json: page.tone: "));
  EXPECT_THAT(message("/page/more", 1), StartsWith("x.json: page"));
  EXPECT_THAT(message("/page/title", "plain"), StartsWith("x.json: page.title: "));
  EXPECT_THAT(message("/page/title/0", {{"blink", "x"}}),
              StartsWith("x.json: page.title[0].blink: "));
  EXPECT_THAT(message("/page/numbers/0", {"one"}), StartsWith("x.json: page.numbers[0]: "));
  EXPECT_THAT(message("/page/sections/0/level", 7), StartsWith("x.json: page.sections[0].level: "));
  EXPECT_THAT(message("/page/sections/0/items/0", {{"song", 1}}),
              StartsWith("x.json: page.sections[0].items[0].song: "));
  EXPECT_THAT(message("/page/sections/0/items/1/table/rows/0/0", 3),
              StartsWith("x.json: page.sections[0].items[1].table.rows[0][0]: "));
  EXPECT_THAT(message("/page/sections/1/items/0/chart/lines/0/values/1", "high"),
              StartsWith("x.json: page.sections[1].items[0].chart.lines[0].values[1]: "));
  EXPECT_THAT(message("/page/sections/1/items/1/map/device", 3),
              StartsWith("x.json: page.sections[1].items[1].map.device: "));
  EXPECT_THROW(page_of_report(Json::array(), "x.json"), std::exception);
}

}  // namespace
}  // namespace cuvier
