#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "probes/mapped.h"
#include "reports/document/page.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t indent = 2;
constexpr std::size_t between_columns = 2;
constexpr std::size_t narrowest_column = 16;  // of those that are made narrower

/// Broken at its line breaks, and at blanks and behind commas where a line would be wider.
Lines wrapped(const std::string& text, std::size_t width) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    while (width > 0 && line.size() > width) {
      std::size_t end = line[width] == ' ' ? width : line.find_last_of(" ,", width - 1);
      if (end == std::string::npos || end == 0) end = line.find_first_of(" ,", width);
      if (end == std::string::npos) break;
      lines.push_back(line.substr(0, line[end] == ',' ? end + 1 : end));
      line.erase(0, std::min(line.find_first_not_of(' ', end + 1), line.size()));
    }
    lines.push_back(line);
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

class TextWriter {
 public:
  explicit TextWriter(std::size_t width) : width_(width) {}

  std::string operator()(const Text& text) const { return lines(text, indent, indent); }

  std::string operator()(const List& list) const {
    std::string all;
    for (const Text& line : list.lines) all += lines(line, indent, 2 * indent);
    return all;
  }

  std::string operator()(const Source& source) const { return '\n' + source.text + '\n'; }

  std::string operator()(const Table& table) const {
    std::vector<Lines> rows;
    const auto has_words = [](const std::string& heading) { return !heading.empty(); };
    if (std::ranges::any_of(table.headings, has_words)) rows.push_back(table.headings);
    const std::size_t shown = std::min(table.rows.size(), table.in_short);
    for (std::size_t i = 0; i < shown; ++i) rows.push_back(mapped(table.rows[i], plain));
    const std::vector<std::size_t> widths = fitting(rows);
    std::vector<Lines> broken;
    for (const Lines& row : rows) {
      const std::size_t first = broken.size();
      for (std::size_t i = 0; i < row.size(); ++i) {
        const Lines cell = wrapped(row[i], widths[i]);
        broken.resize(std::max(broken.size(), first + cell.size()), Lines(row.size()));
        for (std::size_t line = 0; line < cell.size(); ++line) broken[first + line][i] = cell[line];
      }
    }
    std::string text = aligned(broken, indent);
    if (const std::size_t more = table.rows.size() - shown; more > 0) {
      text += fmt::format("{:{}}and {} more\n", "", indent, more);
    }
    return text;
  }

  std::string operator()(const Chart&) const { return {}; }
  std::string operator()(const Map&) const { return {}; }

 private:
  std::string lines(const Text& text, std::size_t first, std::size_t others) const {
    std::string all;
    for (const std::string& line : wrapped(plain(text), width_ > others ? width_ - others : 0)) {
      all += std::string(all.empty() ? first : others, ' ') + line + '\n';
    }
    return all;
  }

  /// Of each column: the widest are made narrower until all fit.
  std::vector<std::size_t> fitting(const std::vector<Lines>& rows) const {
    std::vector<std::size_t> widths;
    for (const Lines& row : rows) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) {
        for (const std::string& line : wrapped(row[i], 0)) {
          widths[i] = std::max(widths[i], line.size());
        }
      }
    }
    if (widths.empty() || width_ == 0) return widths;
    std::size_t all = std::accumulate(widths.begin(), widths.end(),
                                      indent + between_columns * (widths.size() - 1));
    for (; all > width_; --all) {
      std::size_t& widest = *std::ranges::max_element(widths);
      if (widest <= narrowest_column) break;
      --widest;
    }
    return widths;
  }

  std::size_t width_;
};

}  // namespace

std::string plain(const Text& text) {
  std::string all;
  for (const auto& [words, mark] : text.spans) all += words;
  return all;
}

std::string page_text(const Page& page, std::size_t width) {
  const TextWriter writer(width);
  std::string text;
  if (!page.verdict.empty()) text += plain(page.verdict) + '\n';
  if (!page.about.empty()) text += writer(page.about);
  Table numbers{"", {}};
  for (const auto& [name, value] : page.numbers) numbers.add({name, value});
  text += writer(numbers);
  for (const Section& section : page.sections) {
    std::string items;
    for (const Item& item : section.items) {
      const bool apart = !items.empty() && std::holds_alternative<Table>(item);
      const std::string words = std::visit(writer, item);
      if (!words.empty()) items += (apart ? "\n" : "") + words;
    }
    if (!section.in_short || items.empty()) continue;
    if (!plain(section.title).empty())
      text += (text.empty() ? "" : "\n") + plain(section.title) + ":\n";
    text += items;
  }
  return without_controls(text, true);
}

}  // namespace cuvier
