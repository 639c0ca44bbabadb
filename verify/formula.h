#pragma once

// Rules as formulas: docs/reference/formulas.md.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cuvier::verify {

/// A formula over the names that its axis gives it.
class Formula {
 public:
  /// `names`: with spaces between them. Throws Unreadable with the column of what is wrong.
  Formula(std::string_view text, std::string_view names);

  /// The value of each part of a tuple, or of the whole, where the names are these numbers.
  std::vector<long> tuple(const std::vector<long>& names) const;
  long number(const std::vector<long>& names) const { return tuple(names).front(); }
  bool condition(const std::vector<long>& names) const { return number(names) != 0; }
  /// Whether it reads the name at this place.
  bool reads(int name) const;

 private:
  struct Node {
    std::string_view what;  ///< an operator; "name"; "number"
    long number = 0;        ///< or the name's place
    std::vector<int> of = {};
  };
  class Reader;
  long value(int node, const std::vector<long>& names) const;

  std::vector<Node> nodes_;
  std::vector<int> parts_;
};

}  // namespace cuvier::verify
