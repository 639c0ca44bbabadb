#include "corpus/imports/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/an_error.h"
#include "probes/json_fields.h"
#include "probes/number_in.h"

namespace cuvier {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// The file without the mark of UTF-8 with which spreadsheets begin one.
std::string text_of(const std::string& path) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  const std::string text = read_file(path);
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

}  // namespace

Csv::Csv(const std::string& path) : path_(path), lines_(text_of(path)), columns_(read()) {
  if (columns_.empty()) {
    throw Error(path_ + ": is empty; its first line must name the columns");
  }
}

/// The cells of the next line; none at the end.
std::vector<std::string> Csv::read() {
  std::vector<std::string> cells;
  for (std::string line; cells.empty() && std::getline(lines_, line);) {
    ++line_;
    if (lines_.eof()) {
      fail("does not end: was the file cut off here? If it is whole, end it with a newline");
    }
    if (trimmed(line).empty()) continue;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      cells.emplace_back(trimmed(std::string_view(line).substr(at, end - at)));
      at = end + 1;
    }
  }
  return cells;
}

std::optional<std::size_t> Csv::find(std::initializer_list<std::string_view> names) const {
  std::optional<std::size_t> found;
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    if (std::ranges::find(names, columns_[at]) == names.end()) continue;
    if (found) {
      fail(fmt::format("the columns {} and {} say the same; leave one out", columns_[*found],
                       columns_[at]));
    }
    found = at;
  }
  return found;
}

bool Csv::next() {
  cells_ = read();
  if (cells_.empty()) return false;
  if (cells_.size() != columns_.size()) {
    fail(fmt::format("has {} cells, and there are {} columns", cells_.size(), columns_.size()));
  }
  return true;
}

int Csv::number(std::size_t column, int low, int high) const {
  const std::string& text = cells_[column];
  const auto value = number_in<int>(text);
  if (!value || *value < low || *value > high) {
    fail(fmt::format("{} must be a whole number from {} to {}, not {}", columns_[column], low, high,
                     in_quotes(text)));
  }
  return *value;
}

void Csv::fail(const std::string& what) const { throw an_error("{}:{}: {}", path_, line_, what); }

}  // namespace cuvier
