#include "verify/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "verify/unreadable.h"

namespace cuvier::verify {
namespace {

constexpr bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
constexpr bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

/// Rounded down; 0 where b is no positive number.
long quotient(long a, long b) { return b <= 0 ? 0 : a / b - (a % b < 0 ? 1 : 0); }
long remainder_of(long a, long b) { return b <= 0 ? 0 : a - b * quotient(a, b); }

}  // namespace

/// Recursive descent: a function for each line of the page's "what may be written", by how tightly
/// its operators bind.
class Formula::Reader {
 public:
  Reader(std::string_view text, std::string_view names, std::vector<Node>& nodes)
      : text_(text), names_(names), nodes_(nodes) {
    next();
  }

  std::vector<int> whole() {
    std::vector<int> parts;
    if (token_ == "(") {  // a tuple, unless it is in brackets only
      const Reader before = *this;
      const std::size_t made = nodes_.size();
      next();
      parts = list();
      if (token_.empty() && parts.size() > 1) return parts;
      at_ = before.at_;
      token_ = before.token_;
      nodes_.resize(made);
    }
    parts = {choice()};
    if (!token_.empty()) fail("is not understood");
    return parts;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Unreadable(fmt::format("'{}', column {}: {}", text_, at_ - token_.size() + 1, what));
  }

  void next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    const std::size_t begin = at_;
    const auto run = [&](auto&& of) {
      while (at_ < text_.size() && of(text_[at_])) ++at_;
    };
    if (at_ < text_.size()) {
      if (is_letter(text_[at_])) {
        run([](char c) { return is_letter(c) || is_digit(c); });
      } else if (is_digit(text_[at_])) {
        run(is_digit);
      } else {
        ++at_;
        if (at_ < text_.size() && text_[at_] == '=') ++at_;  // <= >= == !=
      }
    }
    token_ = text_.substr(begin, at_ - begin);
  }
  bool take(std::string_view token) {
    if (token_ != token) return false;
    next();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("{} must stand here", token));
  }
  int node(std::string_view what, std::vector<int> of) {
    nodes_.push_back({what, 0, std::move(of)});
    return static_cast<int>(nodes_.size()) - 1;
  }

  /// a, b, ...)
  std::vector<int> list() {
    std::vector<int> of = {choice()};
    while (take(",")) of.push_back(choice());
    expect(")");
    return of;
  }
  int choice() {
    const int condition = chain({"or"}, [&] { return both(); });
    if (!take("?")) return condition;
    const int then = choice();
    expect(":");
    return node("?", {condition, then, choice()});
  }
  int both() {
    return chain({"and"}, [&] { return negated(); });
  }
  int negated() { return take("not") ? node("not", {negated()}) : comparison(); }
  int comparison() {
    return chain({"<", "<=", ">", ">=", "==", "!="}, [&] { return sum(); });
  }
  int sum() {
    return chain({"+", "-"}, [&] { return product(); });
  }
  int product() {
    return chain({"*", "/", "mod"}, [&] { return signed_one(); });
  }
  int signed_one() { return take("-") ? node("negative", {signed_one()}) : single(); }
  int chain(std::initializer_list<std::string_view> operators, const auto& of) {
    int left = of();
    for (;;) {
      const auto* found = std::ranges::find(operators, token_);
      if (found == operators.end()) return left;
      next();
      left = node(*found, {left, of()});
    }
  }
  int single() {
    if (take("(")) {
      const int inside = choice();
      expect(")");
      return inside;
    }
    for (const std::string_view function : {"min", "max", "abs"}) {
      if (!take(function)) continue;
      expect("(");
      return node(function, list());
    }
    if (!token_.empty() && is_digit(token_.front())) {
      if (token_.size() > 10) fail("is too large");
      const int made = node("number", {});
      nodes_.back().number = std::stol(std::string(token_));
      next();
      return made;
    }
    int place = 0;
    for (std::string_view rest = names_; !rest.empty() && !token_.empty(); ++place) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      if (name != token_) continue;
      next();
      const int made = node("name", {});
      nodes_.back().number = place;
      return made;
    }
    fail("a number, a name, a function or ( may stand here");
  }

  std::string_view text_;
  std::string_view names_;
  std::vector<Node>& nodes_;
  std::size_t at_ = 0;
  std::string_view token_ = {};
};

Formula::Formula(std::string_view text, std::string_view names) {
  parts_ = Reader(text, names, nodes_).whole();
}

std::vector<long> Formula::tuple(const std::vector<long>& names) const {
  std::vector<long> values;
  for (const int part : parts_) values.push_back(value(part, names));
  return values;
}

bool Formula::reads(int name) const {
  return std::ranges::any_of(
      nodes_, [&](const Node& node) { return node.what == "name" && node.number == name; });
}

long Formula::value(int node, const std::vector<long>& names) const {
  const Node& at = nodes_[node];
  const auto of = [&](int place) { return value(at.of[place], names); };
  if (at.what == "number") return at.number;
  if (at.what == "name") return names.at(at.number);
  if (at.what == "?") return of(0) ? of(1) : of(2);
  if (at.what == "or") return of(0) || of(1);
  if (at.what == "and") return of(0) && of(1);
  if (at.what == "not") return !of(0);
  if (at.what == "negative") return -of(0);
  if (at.what == "abs") return std::abs(of(0));
  if (at.what == "min" || at.what == "max") {
    long best = of(0);
    for (std::size_t i = 1; i < at.of.size(); ++i) {
      best = at.what == "min" ? std::min(best, of(i)) : std::max(best, of(i));
    }
    return best;
  }
  const long a = of(0);
  const long b = of(1);
  if (at.what == "+") return a + b;
  if (at.what == "-") return a - b;
  if (at.what == "*") return a * b;
  if (at.what == "/") return quotient(a, b);
  if (at.what == "mod") return remainder_of(a, b);
  if (at.what == "<") return a < b;
  if (at.what == "<=") return a <= b;
  if (at.what == ">") return a > b;
  if (at.what == ">=") return a >= b;
  return at.what == "==" ? a == b : a != b;
}

}  // namespace cuvier::verify
