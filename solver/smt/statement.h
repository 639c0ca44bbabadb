#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/smt/lemma.h"
#include "solver/smt/terms_domain.h"

namespace cuvier {

/// A statement in the making: that under assumptions, for all values of what is unknown, each of
/// some conditions holds.
class Statement {
 public:
  Statement(std::string name, std::string sentence)
      : name_(std::move(name)), sentence_(std::move(sentence)) {}

  void assume(const TermBool& condition) { assumed_ = assumed_ && condition; }

  /// Adds what is to hold. `given` it, in addition to what is assumed.
  void claim(const TermBool& condition, const TermBool& given = true) {
    violated_ = violated_ || (given && !condition);
  }

  /// Whether it holds because both sides of everything claimed are one and the same term.
  bool evident() const { return violated_.is_false(); }

  Lemma lemma() const { return lemma(z3::expr_vector(term_context())); }
  /// The same with what is known of quotients; none where that is nothing.
  std::optional<Lemma> lemma_with_quotients() const;

 private:
  Lemma lemma(const z3::expr_vector& facts) const;

  std::string name_;
  std::string sentence_;
  TermBool assumed_ = true;
  TermBool violated_ = false;
};

}  // namespace cuvier
