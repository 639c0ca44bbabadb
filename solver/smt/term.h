#pragma once

#include <z3++.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/smt/cases.h"

namespace cuvier {

/// The value domain of proofs: quantities as Z3 terms, of which some are numbers that nobody
/// knows. What is known is folded, so that what two hypotheses share is one and the same term.
/// One context holds all terms of a thread.
z3::context& term_context();

/// As long as it is there, terms are made in a context of its own. No term may outlive it. Freeing
/// them takes as long as making them did: they stay until the thread ends another scope, and the
/// last of all ends with the process.
class TermScope {
 public:
  TermScope();
  ~TermScope();
  TermScope(const TermScope&) = delete;

 private:
  std::unique_ptr<z3::context> context_;
  z3::context* const before_;
};

/// A name of ours in a lemma: no word that SMT-LIB reserves or a solver's theories have begins so.
std::string our(const std::string& name);

class TermBool {
 public:
  TermBool(bool value = false) : known_(value) {}
  explicit TermBool(z3::expr term);

  bool is_true() const { return !term_ && known_; }
  bool is_false() const { return !term_ && !known_; }
  z3::expr term() const { return term_ ? *term_ : term_context().bool_val(known_); }

 private:
  bool known_ = false;
  std::optional<z3::expr> term_;
};

TermBool operator&&(const TermBool& a, const TermBool& b);
TermBool operator||(const TermBool& a, const TermBool& b);
TermBool operator!(const TermBool& a);
TermBool operator==(const TermBool& a, const TermBool& b);

inline bool possible(const TermBool& condition) { return !condition.is_false(); }

/// An integer. Where it is one of a few numbers, each has the condition under which it is.
class TermInt {
 public:
  using Cases = cuvier::Cases<TermBool>;

  TermInt(int value = 0) : cases_{{value, true}} {}
  explicit TermInt(z3::expr term) : term_(std::move(term)) {}
  /// One of these numbers, by conditions of which exactly one holds; ascending and distinct.
  explicit TermInt(Cases cases);

  bool is_number() const { return cases_.size() == 1; }
  bool is_few() const { return !cases_.empty(); }
  const Cases& cases() const { return cases_; }
  z3::expr term() const;

 private:
  Cases cases_;  ///< empty: any number
  std::optional<z3::expr> term_;
};

TermInt operator+(const TermInt& a, const TermInt& b);
TermInt operator-(const TermInt& a, const TermInt& b);
TermInt operator*(const TermInt& a, const TermInt& b);
/// Truncated, of numbers that are not negative. By a divisor that is not known it is a function
/// `quotient` of which nothing is assumed: a proof then holds for whatever it may be.
TermInt operator/(const TermInt& a, const TermInt& b);
/// The quotients by divisors that are not known, made in this thread while it is there and no
/// other was made since.
class Quotients {
 public:
  Quotients();
  ~Quotients();
  Quotients(const Quotients&) = delete;
  Quotients& operator=(const Quotients&) = delete;

  /// That those by the same divisor grow with the dividend.
  TermBool grow() const;
  /// That one of a dividend that is less by the divisor is less by one, unless it was 0 already.
  TermBool step() const;

 private:
  friend TermInt operator/(const TermInt& a, const TermInt& b);

  struct Quotient {
    TermInt dividend;
    TermInt divisor;
    TermInt quotient;
  };
  /// That it is so of any two by the same divisor.
  TermBool of_any_two(const auto& claim) const;

  std::vector<Quotient> made_;
  Quotients* outer_;  ///< whose turn it is again after this one
};
/// That those in the term are quotients, as far as they are less than 32: no SM holds more blocks.
z3::expr_vector quotients_below_32(const z3::expr& term);
TermInt operator%(const TermInt& a, const TermInt& b);
TermBool operator==(const TermInt& a, const TermInt& b);
TermBool operator<=(const TermInt& a, const TermInt& b);
inline TermBool operator>=(const TermInt& a, const TermInt& b) { return b <= a; }
inline TermBool operator<(const TermInt& a, const TermInt& b) { return !(b <= a); }
inline TermBool operator>(const TermInt& a, const TermInt& b) { return !(a <= b); }

TermInt ite(const TermBool& condition, const TermInt& then, const TermInt& otherwise);
TermInt min(const TermInt& a, const TermInt& b);
TermInt max(const TermInt& a, const TermInt& b);

/// A number, and a condition, that nobody knows. In a lemma its name is our.NAME.
TermInt unknown_int(const std::string& name);
TermBool unknown_bool(const std::string& name);

/// The same by just this name, which docs/howto/export.md tells and SMT-LIB must not have.
TermInt named_int(const std::string& name);
TermBool named_bool(const std::string& name);

/// One of 0, 1, 2, 3; nobody knows which.
TermInt unknown_subpartition(const std::string& name);

}  // namespace cuvier
