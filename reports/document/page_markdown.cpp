#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "probes/mapped.h"
#include "reports/document/page.h"

namespace cuvier {
namespace {

/// A row of a table is one line.
std::string markdown(const Text& text, std::string_view line_break) {
  std::string all;
  for (const auto& [words, mark] : text.spans) {
    all += mark == Text::Mark::none ? boost::replace_all_copy(in_markdown(words), "\n", line_break)
           : mark == Text::Mark::code ? fmt::format("`{}`", words)
                                      : fmt::format("**{}**", in_markdown(words));
  }
  return all;
}
std::string paragraph(const Text& text) { return markdown(text, "\n") + '\n'; }

std::string row_of(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

struct ItemWriter {
  std::string operator()(const Text& text) const { return paragraph(text); }
  std::string operator()(const Table& table) const {
    std::string text = row_of(table.headings) + "|";
    for (std::size_t i = 0; i < table.headings.size(); ++i) text += " --- |";
    text += '\n';
    const auto cell = [](const Text& words) { return markdown(words, "<br>"); };
    for (const auto& row : table.rows) text += row_of(mapped(row, cell));
    return text;
  }
  std::string operator()(const List& list) const {
    std::string text;
    for (const Text& line : list.lines) text += fmt::format("- {}\n", markdown(line, " "));
    return text;
  }
  std::string operator()(const Source& source) const {
    return fmt::format("```{}\n{}\n```\n", source.language, source.text);
  }
  std::string operator()(const Chart&) const { return {}; }
  std::string operator()(const Map&) const { return {}; }
};

}  // namespace

std::string in_markdown(std::string text) {
  for (const char special : {'\\', '|', '_', '*', '<', '['}) {
    for (std::size_t at = 0; (at = text.find(special, at)) != std::string::npos; at += 2) {
      text.insert(at, 1, '\\');
    }
  }
  return text;
}

std::string page_markdown(const Page& page) {
  std::string text =
      fmt::format("# {}\n\n{}", markdown(page.title, " "), paragraph(page.whole_about()));
  if (!page.verdict.empty()) {
    const std::string verdict = markdown(page.verdict, "\n\n");
    const std::size_t end = std::min(verdict.find('\n'), verdict.size());
    text += fmt::format("\n**{}.**{}\n", verdict.substr(0, end), verdict.substr(end));
  }
  if (!page.numbers.empty()) text += '\n';
  for (const auto& [name, value] : page.numbers) {
    text += fmt::format("- {}: {}\n", in_markdown(name), in_markdown(value));
  }
  for (const Section& section : page.sections) {
    std::string words;
    for (const Item& item : section.items) {
      const std::string each = std::visit(ItemWriter(), item);
      if (!each.empty()) words += '\n' + each;
    }
    if (words.empty() && !section.items.empty()) continue;  // maps and charts alone
    text += fmt::format("\n{} {}\n{}", std::string(static_cast<std::size_t>(section.level), '#'),
                        markdown(section.title, " "), words);
  }
  return text;
}

}  // namespace cuvier
