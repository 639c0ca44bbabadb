#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cuvier {

/// Words, some of them marked; '\n' breaks a line.
struct Text {
  enum class Mark { none, code, strong };
  struct Span {
    std::string words;
    Mark mark = Mark::none;
  };
  std::vector<Span> spans;

  Text() = default;
  Text(std::string words) : spans{{std::move(words), Mark::none}} {}
  Text(std::string_view words) : Text(std::string(words)) {}
  Text(const char* words) : Text(std::string(words)) {}
  Text& operator+=(const Text& more) {
    spans.insert(spans.end(), more.spans.begin(), more.spans.end());
    return *this;
  }
  bool empty() const { return spans.empty(); }
};
inline Text operator+(Text text, const Text& more) { return text += more; }
inline Text marked(std::string_view words, Text::Mark mark) {
  Text text;
  text.spans.push_back({std::string(words), mark});
  return text;
}
inline Text code(std::string_view words) { return marked(words, Text::Mark::code); }
inline Text strong(std::string_view words) { return marked(words, Text::Mark::strong); }

struct Table {
  std::string caption;                ///< for who cannot see it
  std::vector<std::string> headings;  ///< one for each column; all empty where it needs none
  std::vector<std::vector<Text>> rows = {};
  std::size_t in_short = std::string::npos;  ///< rows that a terminal has; of others, how many

  void add(std::vector<Text> row) { rows.push_back(std::move(row)); }
};

struct List {
  std::vector<Text> lines;

  void add(Text line) { lines.push_back(std::move(line)); }
};

/// Something to be copied: a probe, a command.
struct Source {
  std::string language;
  std::string text;
};

/// Lines over one quantity. Markdown and terminals have none: a table beside it says what matters
/// of it.
struct Chart {
  struct Line {
    std::string name;
    double x_step = 1;  ///< from each value to the next
    std::vector<double> values;
  };
  std::string title;
  std::string x_label;
  std::vector<Line> lines;
};

/// Where the blocks of some probes go, step by step; a page has one at most. A map is for browsers
/// alone, as charts are.
struct Map {
  nlohmann::ordered_json device = nlohmann::ordered_json::object();
  std::string seen;       ///< what the facts of the recordings are: "as seen"
  std::string predicted;  ///< what their `wrong` has instead: "as predicted"
  /// As in a file of recordings, and of each what is `wrong` in it: [{step, kernel, predicted:
  /// [SM], seen: [SM]}].
  nlohmann::ordered_json recordings = nlohmann::ordered_json::array();
};

using Item = std::variant<Text, Table, List, Source, Chart, Map>;

struct Section {
  Text title;  ///< may be empty where the page is not for browsers
  std::vector<Item> items;
  int level = 2;         ///< as of headings: those of level 2 are what a page consists of
  bool in_short = true;  ///< whether a terminal has it, too

  void add(Item item) { items.push_back(std::move(item)); }

  /// A paragraph.
  template <class... Parts>
  void say(fmt::format_string<Parts...> words, Parts&&... parts) {
    add(Text(fmt::format(words, std::forward<Parts>(parts)...)));
  }
};

/// A table under its own caption.
inline Section section_of(Table table) { return {Text(table.caption), {std::move(table)}}; }

/// A result for people, before it is HTML, Markdown or text on a terminal.
struct Page {
  enum class Tone { good, bad, open };
  using Number = std::pair<std::string, std::string>;  ///< name, value

  Text title;
  Text written_by;  ///< a sentence, of the command; who sees it on a terminal knows
  Text about;       ///< what it is about
  Tone tone = Tone::open;
  Text verdict;                 ///< a line, and what follows from it in others
  std::vector<Number> numbers;  ///< that matter most
  std::vector<Section> sections;

  Text whole_about() const { return written_by + about; }
  void add(Section section) { sections.push_back(std::move(section)); }
};

/// As it stands in the JSON of a report, as `page`, and in the page for browsers.
nlohmann::ordered_json page_json(const Page& page);

/// Throws Error: `where`, field below `path`.
Page page_from_json(const nlohmann::ordered_json& json, const std::string& where,
                    const std::string& path);

/// The words alone.
std::string plain(const Text& text);

/// The text with what Markdown gives a meaning escaped, as for a cell of a table.
std::string in_markdown(std::string text);

/// Without maps and charts.
std::string page_markdown(const Page& page);

/// For terminals: the verdict, what it is about, then the sections that are `in_short`, without
/// maps and charts. Lines are of at most `width` columns, as far as words allow; 0: as long as it
/// takes.
std::string page_text(const Page& page, std::size_t width = 0);

}  // namespace cuvier
