#pragma once

#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace cuvier {

/// A file of comma-separated values, line by line: first the names of the columns, then as many
/// cells. Empty lines do not count. Throws Error with file and line, also where the last line does
/// not end (half a number is a number), and where there is none.
class Csv {
 public:
  explicit Csv(const std::string& path);

  /// The column that has one of these names; fails where several do.
  std::optional<std::size_t> find(std::initializer_list<std::string_view> names) const;

  /// Goes on to the next line of cells; false if there is none.
  bool next();

  // A cell of the line.
  const std::string& text(std::size_t column) const { return cells_[column]; }
  int number(std::size_t column, int low, int high) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::vector<std::string> read();

  std::string path_;
  std::istringstream lines_;
  int line_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::string> cells_;
};

}  // namespace cuvier
