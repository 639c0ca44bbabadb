#include "solver/smt/term.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace cuvier {
namespace {

// Beyond so many numbers, a quantity is a term like any other.
constexpr std::size_t kFew = 8;

// Of a block: CUDA's 1024 threads.
constexpr int kMostWarps = 32;

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

/// What we name in a lemma: no word that SMT-LIB reserves or a solver's theories have begins so.
std::string our(const std::string& name) { return "our." + name; }

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

TermBool Quotients::grow() const {
  TermBool grow = true;
  for (const Quotient& x : made_) {
    for (const Quotient& y : made_) {
      if (same(x.quotient.term(), y.quotient.term()) || !same(x.divisor.term(), y.divisor.term())) {
        continue;
      }
      grow = grow && (!(x.dividend <= y.dividend) || x.quotient <= y.quotient);
    }
  }
  return grow;
}

TermBool Quotients::step() const {
  TermBool step = true;
  for (const Quotient& x : made_) {
    for (const Quotient& y : made_) {
      if (same(x.quotient.term(), y.quotient.term()) || !same(x.divisor.term(), y.divisor.term())) {
        continue;
      }
      const TermBool is_next =
          y.divisor >= 1 && y.quotient >= 1 && x.dividend + y.divisor == y.dividend;
      step = step && (!is_next || x.quotient + 1 == y.quotient);
    }
  }
  return step;
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

template <>
Demand<Terms> demand<Terms>(const Kernel& k) {
  return {unknown_int(k.name + ".warps"),  unknown_int(k.name + ".registers"),
          unknown_int(k.name + ".shared"), kMostWarps,
          unknown_int(k.name + ".grid"),   unknown_int(k.name + ".local")};
}

namespace {

/// That the registers of a block are no more than the driver lets an SM have (scheduler.md,
/// section 1): warps count in fours, their registers in units of 256.
TermBool within_registers(const Demand<Terms>& k, const Device& device) {
  TermBool within = true;
  const TermInt of_warp = (k.registers * 32 + 255) / 256 * 256;
  for (int warps = 4; warps <= device.max_threads_per_block / 32; warps += 4) {
    within = within && (k.warps <= warps - 4 || of_warp * warps <= device.registers_per_sm);
  }
  return within;
}

}  // namespace

TermBool legal(const Demand<Terms>& k, const Device& device) {
  return k.warps >= 1 && k.warps <= device.max_threads_per_block / 32 && k.registers >= 1 &&
         k.registers <= device.max_registers_per_thread && k.shared >= 0 &&
         k.shared <= device.max_shared_per_block && within_registers(k, device);
}

// -- address spaces -----------------------------------------------------------

namespace {

z3::sort space_sort() { return term_context().uninterpreted_sort(our("Space").c_str()); }

z3::expr space(const std::string& name) {
  return term_context().constant(our(name).c_str(), space_sort());
}

z3::expr nothing() { return space("nothing"); }

TermInt ask(const std::string& question, const std::optional<z3::expr>& contents,
            const std::vector<TermInt>& arguments) {
  z3::context& c = term_context();
  z3::sort_vector domain(c);
  z3::expr_vector terms(c);
  domain.push_back(space_sort());
  terms.push_back(contents.value_or(nothing()));
  for (const TermInt& argument : arguments) {
    domain.push_back(c.int_sort());
    terms.push_back(argument.term());
  }
  return TermInt(c.function(our(question).c_str(), domain, c.int_sort())(terms));
}

/// f(space) for a space that may be one of several.
TermInt of_space(const TermInt& space, const std::function<TermInt(int)>& f) {
  std::optional<TermInt> result;
  for (const auto& c : space.cases()) {
    result = result ? ite(c.when, f(c.value), *result) : f(c.value);
  }
  return *result;
}

}  // namespace

AddressSpace<Terms> AddressSpace<Terms>::any(const std::string& name) {
  AddressSpace spaces;
  for (int i = 0; i < kSpaces; ++i) {
    spaces.contents[i] = space(name + std::to_string(i));
  }
  spaces.before = spaces.contents;
  return spaces;
}

void AddressSpace<Terms>::allocate(const Bool& used, const Int& space, const Int& base,
                                   const Int& size, int owner) {
  z3::context& c = term_context();
  z3::sort_vector domain(c);
  domain.push_back(space_sort());
  for (int i = 0; i < 3; ++i) domain.push_back(c.int_sort());
  const z3::func_decl with = c.function(our("with").c_str(), domain, space_sort());
  arrived = arrived + ite(used, size, Int(0));
  for (const auto& at : space.cases()) {
    const Bool here = used && at.when;
    if (!possible(here)) continue;
    const z3::expr before = contents[at.value].value_or(nothing());
    z3::expr_vector arguments(c);
    arguments.push_back(before);
    arguments.push_back(base.term());
    arguments.push_back(size.term());
    arguments.push_back(c.int_val(owner));
    const z3::expr after = with(arguments);
    contents[at.value] = here.is_true() ? after : z3::ite(here.term(), after, before);
  }
}

void AddressSpace<Terms>::release(int owner) {
  z3::context& c = term_context();
  const z3::func_decl without =
      c.function(our("without").c_str(), space_sort(), c.int_sort(), space_sort());
  for (auto& space : contents) {
    if (space) space = without(*space, c.int_val(owner));
  }
  before = contents;
  arrived = 0;
}

TermInt AddressSpace<Terms>::total() const {
  Int sum = arrived;
  for (const auto& space : before) {
    if (space) sum = sum + ask("total", space, {});
  }
  return sum;
}

TermBool AddressSpace<Terms>::sound(const Int& space, const Int& capacity) const {
  return longest_gap(space, capacity) <= capacity && total() >= 0;
}

TermInt AddressSpace<Terms>::longest_gap(const Int& space, const Int& capacity) const {
  return of_space(space, [&](int i) {
    return contents[i] ? ask("longest_gap", contents[i], {capacity}) : capacity;
  });
}

TermInt AddressSpace<Terms>::units(const Int& space, const Int& capacity, const Int& size) const {
  return of_space(space, [&](int i) {
    return contents[i] ? ask("units", contents[i], {capacity, size}) : capacity / size;
  });
}

TermInt AddressSpace<Terms>::fit_by(int placement, const Int& space, const Int& capacity,
                                    const Int& size) const {
  // A named value and its formula are asked as one.
  const auto values = SharedPlacement::info.values;
  const std::string_view formula = axis_value(index_of<SharedPlacement>(), placement).formula;
  const auto named = std::ranges::find(values, formula, &AxisValue::formula);
  const std::string question =
      named == values.end() ? "fit_by_" + std::to_string(placement) : std::string(named->name);
  return of_space(space, [&](int i) {
    return contents[i] ? ask(question, contents[i], {capacity, size}) : Int(0);
  });
}

TermBool AddressSpace<Terms>::same(const AddressSpace& a, int space_of_a, const AddressSpace& b,
                                   int space_of_b) {
  const auto& x = a.contents[space_of_a];
  const auto& y = b.contents[space_of_b];
  if (!x && !y) return true;
  return TermBool(x.value_or(nothing()) == y.value_or(nothing()));
}

}  // namespace cuvier
