#pragma once

// Rules as formulas: docs/reference/formulas.md.

#include <algorithm>
#include <array>
#include <compare>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cuvier::verify {

/// A formula over the names that its axis gives it. Whoever asks for its value passes what these
/// are, in their order.
class Formula {
 public:
  using Numbers = std::initializer_list<long>;

  /// `names`: with spaces between them. Throws Unreadable with the column of what is wrong. So does
  /// asking for a value, without a column, where it comes to more than 64 bits hold.
  Formula(std::string_view text, std::string_view names);

  bool reads(std::string_view name) const { return read_.contains(name); }
  bool is_constant() const { return read_.empty(); }
  long number(Numbers names) const { return value(parts_.front(), names); }
  bool condition(Numbers names) const { return number(names) != 0; }
  /// What things are put in order by: most tuples have few parts.
  struct Key {
    std::array<double, 3> parts = {};
    std::vector<double> others = {};
    auto operator<=>(const Key&) const = default;
  };
  /// Each part of a tuple, or the whole.
  Key tuple(Numbers names) const;

 private:
  class Reader;
  using Term = std::function<long(const long*)>;

  long value(const Term& part, Numbers names) const;

  std::string text_;
  std::set<std::string, std::less<>> read_;
  std::vector<Term> parts_;
};

/// 0, 1, ...
inline std::vector<int> numbers_below(std::size_t end) {
  std::vector<int> numbers(end);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}
/// Those with the smallest key first; of equals, as they are.
std::vector<int> by_key(const std::vector<int>& all, const auto& key) {
  std::vector<std::pair<decltype(key(0)), int>> with_keys;
  for (const int each : all) with_keys.emplace_back(key(each), each);
  std::ranges::stable_sort(
      with_keys, {}, [](const auto& each) -> auto& { return each.first; });
  std::vector<int> sorted;
  for (const auto& [key, each] : with_keys) sorted.push_back(each);
  return sorted;
}

}  // namespace cuvier::verify
