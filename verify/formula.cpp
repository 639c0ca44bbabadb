#include "verify/formula.h"

#include <fmt/format.h>

#include <cctype>

#include "verify/fields.h"

namespace cuvier::verify {
namespace {

constexpr bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
constexpr bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

constexpr std::size_t longest_formula = 400;  // characters; what nests is read by recursion
constexpr long largest_literal = 1 << 30;     // number that may be written

/// Thrown where a formula leaves what a long holds.
struct TooLarge {};
__extension__ using Wide = __int128;
long narrowed(Wide number) {
  if (number != static_cast<long>(number)) throw TooLarge();
  return static_cast<long>(number);
}

/// Rounded down; 0 where b is no positive number.
long quotient(long a, long b) { return b <= 0 ? 0 : a / b - (a % b < 0 ? 1 : 0); }

struct Operator {
  std::string_view token;
  int tightness;
  long (*value)(long, long);
};
constexpr int of_not = 2;  // it binds less than comparisons do
constexpr int tightest = 5;
constexpr Operator operators[] = {
    {"or", 0, [](long a, long b) -> long { return a || b; }},
    {"and", 1, [](long a, long b) -> long { return a && b; }},
    {"<", 2, [](long a, long b) -> long { return a < b; }},
    {"<=", 2, [](long a, long b) -> long { return a <= b; }},
    {">", 2, [](long a, long b) -> long { return a > b; }},
    {">=", 2, [](long a, long b) -> long { return a >= b; }},
    {"==", 2, [](long a, long b) -> long { return a == b; }},
    {"!=", 2, [](long a, long b) -> long { return a != b; }},
    {"+", 3, [](long a, long b) { return narrowed(Wide{a} + b); }},
    {"-", 3, [](long a, long b) { return narrowed(Wide{a} - b); }},
    {"*", 4, [](long a, long b) { return narrowed(Wide{a} * b); }},
    {"/", 4, quotient},
    {"mod", 4, [](long a, long b) { return b <= 0 ? 0 : narrowed(a - Wide{b} * quotient(a, b)); }},
};

}  // namespace

/// Recursive descent, by how tightly the operators bind.
class Formula::Reader {
 public:
  Reader(std::string_view text, std::string_view names, Formula& formula)
      : text_(text), names_(names), formula_(formula) {
    if (text.size() > longest_formula) {
      throw Unreadable(fmt::format("a formula has {} characters at most", longest_formula));
    }
    next();
  }

  std::vector<Term> whole() {
    if (take("(")) {  // a tuple, unless it is in brackets only
      const std::vector<Term> parts = list();
      if (token_.empty() && parts.size() > 1) return parts;
      at_ = 0;
      next();
    }
    Term whole = choice();
    if (!token_.empty()) fail("is not understood");
    return {whole};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Unreadable(fmt::format("'{}', column {}: {}", text_, at_ - token_.size() + 1, what));
  }

  void next() {
    const auto has = [&](auto&& of) { return at_ < text_.size() && of(text_[at_]); };
    while (has([](char c) { return c == ' '; })) ++at_;
    const std::size_t begin = at_;
    if (has(is_letter)) {
      while (has([](char c) { return is_letter(c) || is_digit(c); })) ++at_;
    } else if (has(is_digit)) {
      while (has(is_digit)) ++at_;
    } else if (at_ < text_.size()) {
      ++at_;
      if (has([](char c) { return c == '='; })) ++at_;  // <= >= == !=
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

  /// a, b, ...)
  std::vector<Term> list() {
    std::vector<Term> of = {choice()};
    while (take(",")) of.push_back(choice());
    expect(")");
    return of;
  }
  Term choice() {
    const Term condition = binary(0);
    if (!take("?")) return condition;
    const Term then = choice();
    expect(":");
    return
        [=, otherwise = choice()](const long* n) { return condition(n) ? then(n) : otherwise(n); };
  }
  /// Operators that bind so tightly, or more.
  Term binary(int tightness) {
    if (tightness == tightest) return single();
    if (tightness == of_not && take("not")) {
      return [of = binary(of_not)](const long* n) -> long { return !of(n); };
    }
    Term left = binary(tightness + 1);
    for (;;) {
      const auto* found = std::ranges::find_if(operators, [&](const Operator& each) {
        return each.tightness == tightness && each.token == token_;
      });
      if (found == std::end(operators)) return left;
      next();
      left = [left, right = binary(tightness + 1), value = found->value](const long* n) {
        return value(left(n), right(n));
      };
    }
  }
  Term single() {
    if (take("-")) return [of = single()](const long* n) { return narrowed(-Wide{of(n)}); };
    if (take("(")) {
      Term inside = choice();
      expect(")");
      return inside;
    }
    if (take("abs")) return function([](long a, long) { return narrowed(a < 0 ? -Wide{a} : a); });
    if (take("power")) {
      return function([](long a, long) {
        long power = 1;
        while (power < a && power < 1 << 30) power *= 2;
        return power;
      });
    }
    if (take("min")) return function([](long a, long b) { return std::min(a, b); });
    if (take("max")) return function([](long a, long b) { return std::max(a, b); });
    if (!token_.empty() && is_digit(token_.front())) {
      const long number = token_.size() > 10 ? largest_literal + 1 : std::stol(std::string(token_));
      if (number > largest_literal) fail(fmt::format("is more than {}", largest_literal));
      next();
      return [number](const long*) { return number; };
    }
    int place = 0;
    for (std::string_view rest = names_; !rest.empty() && !token_.empty(); ++place) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      if (!take(name)) continue;
      formula_.read_.emplace(name);
      return [place](const long* n) { return n[place]; };
    }
    fail("a number, a name, a function or ( may stand here");
  }
  Term function(long (*value)(long, long)) {
    expect("(");
    return [value, of = list()](const long* n) {
      long all = of.front()(n);
      if (of.size() == 1) return value(all, all);
      for (std::size_t i = 1; i < of.size(); ++i) all = value(all, of[i](n));
      return all;
    };
  }

  const std::string_view text_;
  const std::string_view names_;
  Formula& formula_;
  std::size_t at_ = 0;
  std::string_view token_ = {};
};

Formula::Formula(std::string_view text, std::string_view names) : text_(text) {
  parts_ = Reader(text, names, *this).whole();
}

long Formula::value(const Term& part, Numbers names) const {
  try {
    return part(names.begin());
  } catch (const TooLarge&) {
    throw Unreadable(fmt::format("'{}' comes to more than 64 bits hold", text_));
  }
}

Formula::Key Formula::tuple(Numbers names) const {
  Key key;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto part = static_cast<double>(value(parts_[i], names));
    if (i < key.parts.size()) {
      key.parts[i] = part;
    } else {
      key.others.push_back(part);
    }
  }
  return key;
}

}  // namespace cuvier::verify
