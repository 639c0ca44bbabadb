#include "solver/smt/term.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace cuvier {
namespace {

// Beyond so many numbers, a quantity is a term like any other.
constexpr std::size_t kFew = 8;

std::optional<TermInt> few(TermInt::Cases cases) {
  if (cases.size() > kFew) return std::nullopt;
  return TermInt(std::move(cases));
}

/// The operation on all pairs of cases; none if there are none, or that makes too many.
std::optional<TermInt> combine(const TermInt& a, const TermInt& b,
                               const std::function<int(int, int)>& operation) {
  if (!a.is_few() || !b.is_few()) return std::nullopt;
  return few(combine(a.cases(), b.cases(), operation));
}

std::optional<TermBool> compare(const TermInt& a, const TermInt& b,
                                const std::function<bool(int, int)>& relation) {
  if (!a.is_few() || !b.is_few()) return std::nullopt;
  return compare(a.cases(), b.cases(), relation);
}

bool is(const TermInt& a, int value) { return a.is_number() && a.cases()[0].value == value; }

bool same(const z3::expr& a, const z3::expr& b) { return z3::eq(a, b); }

constexpr const char* kQuotient = "our.quotient";

thread_local Quotients* noted_by = nullptr;  // the latest that is there

thread_local z3::context* scoped = nullptr;
thread_local z3::context* ended = nullptr;  // the latest scope's

bool same_cases(const TermInt& a, const TermInt& b) {
  return a.is_few() && std::ranges::equal(a.cases(), b.cases(), [](const auto& x, const auto& y) {
           return x.value == y.value && same(x.when.term(), y.when.term());
         });
}

}  // namespace

std::string our(const std::string& name) { return "our." + name; }

z3::context& term_context() {
  static thread_local z3::context context;
  return scoped ? *scoped : context;
}

TermScope::TermScope()
    : context_(std::make_unique<z3::context>()), before_(std::exchange(scoped, context_.get())) {}
TermScope::~TermScope() {
  scoped = before_;
  delete std::exchange(ended, context_.release());
}

TermBool::TermBool(z3::expr term) {
  if (term.is_true() || term.is_false()) {
    known_ = term.is_true();
  } else {
    term_ = std::move(term);
  }
}

TermBool operator&&(const TermBool& a, const TermBool& b) {
  if (a.is_false() || b.is_false()) return false;
  if (a.is_true()) return b;
  if (b.is_true() || same(a.term(), b.term())) return a;
  return TermBool(a.term() && b.term());
}

TermBool operator||(const TermBool& a, const TermBool& b) { return !(!a && !b); }

TermBool operator!(const TermBool& a) {
  if (a.is_true() || a.is_false()) return a.is_false();
  const z3::expr term = a.term();
  return TermBool(term.is_not() ? term.arg(0) : !term);
}

TermBool operator==(const TermBool& a, const TermBool& b) {
  if (same(a.term(), b.term())) return true;
  return TermBool(a.term() == b.term());
}

TermInt::TermInt(Cases cases) : cases_(std::move(cases)) {}

z3::expr TermInt::term() const {
  if (term_) return *term_;
  z3::expr value = term_context().int_val(cases_.back().value);
  for (auto c = cases_.rbegin() + 1; c != cases_.rend(); ++c) {
    value = z3::ite(c->when.term(), term_context().int_val(c->value), value);
  }
  return value;
}

TermInt operator+(const TermInt& a, const TermInt& b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  const auto known = combine(a, b, std::plus<>{});
  return known ? *known : TermInt(a.term() + b.term());
}

TermInt operator-(const TermInt& a, const TermInt& b) {
  if (is(b, 0)) return a;
  const auto known = combine(a, b, std::minus<>{});
  return known ? *known : TermInt(a.term() - b.term());
}

TermInt operator*(const TermInt& a, const TermInt& b) {
  if (is(a, 0) || is(b, 0)) return 0;
  if (is(a, 1)) return b;
  if (is(b, 1)) return a;
  const auto known = combine(a, b, std::multiplies<>{});
  return known ? *known : TermInt(a.term() * b.term());
}

TermInt operator/(const TermInt& a, const TermInt& b) {
  if (is(b, 1)) return a;
  const auto known = combine(a, b, [](int x, int y) { return y == 0 ? 0 : x / y; });
  if (known) return *known;
  if (b.is_number()) return TermInt(a.term() / b.term());
  z3::context& c = term_context();
  const z3::sort ints = c.int_sort();
  const TermInt quotient(c.function(kQuotient, ints, ints, ints)(a.term(), b.term()));
  if (noted_by) noted_by->made_.push_back({a, b, quotient});
  return quotient;
}

Quotients::Quotients() : outer_(std::exchange(noted_by, this)) {}

Quotients::~Quotients() { noted_by = outer_; }

TermBool Quotients::of_any_two(const auto& claim) const {
  TermBool all = true;
  for (const Quotient& x : made_) {
    for (const Quotient& y : made_) {
      const bool are_two = !same(x.quotient.term(), y.quotient.term());
      if (are_two && same(x.divisor.term(), y.divisor.term())) all = all && claim(x, y);
    }
  }
  return all;
}

TermBool Quotients::grow() const {
  return of_any_two([](const Quotient& x, const Quotient& y) {
    return !(x.dividend <= y.dividend) || x.quotient <= y.quotient;
  });
}

TermBool Quotients::step() const {
  return of_any_two([](const Quotient& x, const Quotient& y) {
    const TermBool is_next =
        y.divisor >= 1 && y.quotient >= 1 && x.dividend + y.divisor == y.dividend;
    return !is_next || x.quotient + 1 == y.quotient;
  });
}

z3::expr_vector quotients_below_32(const z3::expr& term) {
  z3::context& c = term_context();
  z3::expr_vector facts(c);
  std::set<unsigned> seen;
  std::vector<z3::expr> to_visit{term};
  while (!to_visit.empty()) {
    const z3::expr e = to_visit.back();
    to_visit.pop_back();
    if (!e.is_app() || !seen.insert(e.id()).second) continue;
    for (unsigned i = 0; i < e.num_args(); ++i) to_visit.push_back(e.arg(i));
    if (e.decl().name().str() != kQuotient) continue;
    const z3::expr& dividend = e.arg(0);
    const z3::expr& divisor = e.arg(1);
    for (int q = 0; q <= 32; ++q) {
      const z3::expr product = c.int_val(q) * divisor;
      facts.push_back(z3::implies(divisor >= 1, (e >= q) == (product <= dividend)));
    }
  }
  return facts;
}

TermInt operator%(const TermInt& a, const TermInt& b) {
  const auto known = combine(a, b, [](int x, int y) { return y == 0 ? 0 : x % y; });
  return known ? *known : TermInt(z3::mod(a.term(), b.term()));
}

TermBool operator==(const TermInt& a, const TermInt& b) {
  if (same_cases(a, b)) return true;
  const auto known = compare(a, b, std::equal_to<>{});
  if (known) return *known;
  if (same(a.term(), b.term())) return true;
  return TermBool(a.term() == b.term());
}

TermBool operator<=(const TermInt& a, const TermInt& b) {
  const auto known = compare(a, b, std::less_equal<>{});
  if (known) return *known;
  if (same(a.term(), b.term())) return true;
  return TermBool(a.term() <= b.term());
}

TermInt ite(const TermBool& condition, const TermInt& then, const TermInt& otherwise) {
  if (condition.is_true()) return then;
  if (condition.is_false()) return otherwise;
  if (then.is_few() && otherwise.is_few()) {
    if (const auto known = few(merge(condition, then.cases(), otherwise.cases()))) return *known;
  }
  if (same(then.term(), otherwise.term())) return then;
  return TermInt(z3::ite(condition.term(), then.term(), otherwise.term()));
}

TermInt min(const TermInt& a, const TermInt& b) { return ite(a <= b, a, b); }
TermInt max(const TermInt& a, const TermInt& b) { return ite(a <= b, b, a); }

TermInt named_int(const std::string& name) {
  return TermInt(term_context().int_const(name.c_str()));
}

TermBool named_bool(const std::string& name) {
  return TermBool(term_context().bool_const(name.c_str()));
}

TermInt unknown_int(const std::string& name) { return named_int(our(name)); }
TermBool unknown_bool(const std::string& name) { return named_bool(our(name)); }

TermInt unknown_subpartition(const std::string& name) {
  const TermBool high = unknown_bool(name + ".high");
  const TermBool low = unknown_bool(name + ".low");
  return ite(high, ite(low, TermInt(3), TermInt(2)), ite(low, TermInt(1), TermInt(0)));
}

}  // namespace cuvier
