#pragma once

#include <nlohmann/json.hpp>
#include <string>
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
  Text(const char* words) : Text(std::string(words)) {}
  Text& operator+=(const Text& more) {
    spans.insert(spans.end(), more.spans.begin(), more.spans.end());
    return *this;
  }
};
inline Text operator+(Text text, const Text& more) { return text += more; }
inline Text code(std::string words) {
  Text text;
  text.spans.push_back({std::move(words), Text::Mark::code});
  return text;
}
inline Text strong(std::string words) {
  Text text;
  text.spans.push_back({std::move(words), Text::Mark::strong});
  return text;
}

struct Table {
  std::string caption;  ///< for who cannot see it
  std::vector<std::string> headings;
  std::vector<std::vector<Text>> rows;
};

struct List {
  std::vector<Text> lines;
};

/// Something to be copied: a probe, a command.
struct Source {
  std::string language;
  std::string text;
};

/// Lines over one quantity. Markdown has none: a table beside it says what matters of it.
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

/// Where the blocks of some probes go, step by step; a page has one at most. Markdown has none, as
/// of charts.
struct Map {
  nlohmann::ordered_json device;
  std::string seen;       ///< what the facts of the recordings are: "as seen"
  std::string predicted;  ///< what their `wrong` has instead: "as predicted"
  /// As in a file of recordings, and of each what is `wrong` in it: [{step, kernel, predicted:
  /// [SM], seen: [SM]}].
  nlohmann::ordered_json recordings = nlohmann::ordered_json::array();
};

using Item = std::variant<Text, Table, List, Source, Chart, Map>;

struct Section {
  Text title;
  int level = 2;  ///< as of headings: those of level 2 are what a page consists of
  std::vector<Item> items;
};

/// A report for people, before it is HTML or Markdown.
struct Page {
  enum class Tone { good, bad, open };

  Text title;
  Text about;  ///< what it is about, and what made it
  Tone tone = Tone::open;
  Text verdict;
  std::vector<std::pair<std::string, std::string>> numbers;  ///< that matter most: name, value
  std::vector<Section> sections;
};

}  // namespace cuvier
