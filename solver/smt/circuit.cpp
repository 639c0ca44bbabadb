#include "solver/smt/circuit.h"

#include <cstdlib>
#include <string>

#include "solver/ending/gave_up.h"

namespace cuvier {
namespace {

constexpr unsigned kQueryMilliseconds = 20'000;

}  // namespace

Circuit::Circuit() : solver_(context_), nodes_(2), defined_(2) {
  z3::params params(context_);
  params.set("timeout", kQueryMilliseconds);
  solver_.set(params);
}

Circuit::Literal Circuit::input(const std::string& name, int exclusive) {
  nodes_.push_back({0, 0, exclusive, name});
  return static_cast<Literal>(nodes_.size() - 1);
}

Circuit::Literal Circuit::both(Literal a, Literal b) {
  if (a == b || b == kTrue) return a;
  if (a == kTrue) return b;
  if (a == -b || a == -kTrue || b == -kTrue) return -kTrue;
  const auto exclusive = [&](Literal l) { return l > 0 ? nodes_[l].exclusive : 0; };
  if (exclusive(a) != 0 && exclusive(a) == exclusive(b)) return -kTrue;
  if (a > b) std::swap(a, b);
  const auto [found, added] = built_.try_emplace({a, b}, static_cast<Literal>(nodes_.size()));
  if (added) nodes_.push_back({a, b, 0, {}});
  return found->second;
}

z3::expr Circuit::constant(Literal literal) {
  const Literal node = std::abs(literal);
  if (node == kTrue) return context_.bool_val(literal > 0);
  const std::string& name = nodes_[node].name;
  const z3::expr is =
      context_.bool_const(name.empty() ? ("n" + std::to_string(node)).c_str() : name.c_str());
  return literal > 0 ? is : !is;
}

z3::expr Circuit::define(Literal literal) {
  defined_.resize(nodes_.size());
  std::vector<Literal> to_define{std::abs(literal)};
  while (!to_define.empty()) {
    const Literal node = to_define.back();
    to_define.pop_back();
    if (defined_[node]) continue;
    defined_[node] = true;
    const Node& n = nodes_[node];
    if (n.a == 0) continue;
    solver_.add(constant(node) == (constant(n.a) && constant(n.b)));
    to_define.push_back(std::abs(n.a));
    to_define.push_back(std::abs(n.b));
  }
  return constant(literal);
}

bool Circuit::satisfiable(Literal literal) {
  if (literal == -kTrue) return false;
  z3::expr_vector assumed(context_);
  assumed.push_back(define(literal));
  const z3::check_result result = solver_.check(assumed);
  if (result == z3::unknown) {
    throw GaveUp("Z3 gave up on a placement: " + solver_.reason_unknown());
  }
  if (result == z3::sat) model_ = solver_.get_model();
  return result == z3::sat;
}

bool Circuit::holds(Literal input) { return model_->eval(constant(input), true).is_true(); }

void Circuit::require_one_of(const std::vector<Literal>& inputs) {
  z3::expr_vector some(context_);
  for (const Literal input : inputs) some.push_back(constant(input));
  solver_.add(z3::mk_or(some));
  for (unsigned i = 0; i < some.size(); ++i) {
    for (unsigned j = 0; j < i; ++j) solver_.add(!(some[i] && some[j]));
  }
}

std::string Circuit::smt2(Literal literal) {
  const z3::expr holds = define(literal);
  solver_.push();
  solver_.add(holds);
  std::string text = solver_.to_smt2();
  solver_.pop();
  return text;
}

}  // namespace cuvier
