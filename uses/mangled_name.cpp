#include "uses/mangled_name.h"

#include <algorithm>
#include <string>
#include <utility>

#include "probes/number_in.h"

namespace cuvier {
namespace {

/// Reads what the Itanium C++ ABI has for functions, but for the expressions in their types.
class MangledName {
 public:
  explicit MangledName(std::string_view behind_prefix) : left_(behind_prefix) {}

  std::vector<std::string_view> identifiers() {
    while (!left_.empty()) read_one();
    return std::move(found_);
  }

 private:
  bool next_is(std::string_view some) const {
    return !left_.empty() && some.find(left_.front()) != std::string_view::npos;
  }
  void skip(std::size_t count) { left_.remove_prefix(std::min(count, left_.size())); }
  void skip_digits() { skip(left_.find_first_not_of(digits)); }
  void skip_behind_underscore() { skip(std::min(left_.find('_'), left_.size()) + 1); }
  bool is_in(std::string_view some) const {
    return !open_.empty() && some.find(open_.back()) != std::string_view::npos;
  }

  void read_one() {
    const bool is_type_of_value = std::exchange(begins_value_, false);
    if (next_is(digits)) return is_in("L") && !is_type_of_value ? skip_digits() : read_identifier();
    const char c = left_.front();
    skip(1);
    if (c == 'E') {
      if (is_in("U")) skip_behind_underscore();  // which lambda it is
      if (!open_.empty()) open_.pop_back();
    } else if (c == 'L') {
      begins_value_ = is_in("IJX");  // otherwise a function that only its file sees
      if (begins_value_) open_ += c;
    } else if (c == '_' && next_is("Z")) {  // a value that is a function
      skip(1);
      if (is_in("L")) open_.back() = 'Z';
    } else if (c == 'S' && !next_is("tabsiod")) {  // what was named before
      skip_behind_underscore();
    } else if ((c == 'T' || c == 'A') && next_is("0123456789_")) {  // a parameter, or a length
      skip_behind_underscore();
    } else if ((c == 'U' && next_is("t")) || (c == 'f' && next_is("p"))) {  // what has no name
      skip_behind_underscore();
    } else if (c == '_' || c == 'C') {  // which of several it is
      skip_digits();
    } else if (c == 'D' && next_is("vF")) {  // a vector, or a number of so many bits
      skip(1);
      skip_digits();
      skip(1);
    } else if (c == 'D' || c == 'S') {
      if (next_is("tT")) open_ += c == 'D' ? "D" : "";
      skip(1);
    } else if (std::string_view("NIJXFZ").find(c) != std::string_view::npos ||
               (c == 'U' && next_is("l"))) {
      open_ += c;
    }
  }

  void read_identifier() {
    const std::string_view length = left_.substr(0, left_.find_first_not_of(digits));
    skip(length.size());
    const auto count = number_in<std::size_t>(length).value_or(left_.size());
    found_.push_back(left_.substr(0, count));
    skip(count);
  }

  static constexpr std::string_view digits = "0123456789";

  std::string_view left_;
  std::string open_;  ///< what an E ends, each by the letter that begins it
  bool begins_value_ = false;
  std::vector<std::string_view> found_;
};

}  // namespace

std::vector<std::string_view> identifiers_of(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return {};
  return MangledName(mangled.substr(2)).identifiers();
}

}  // namespace cuvier
