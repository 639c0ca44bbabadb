#include "solver/smt/circuit.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "solver/cancellation/gave_up.h"

namespace cuvier {
namespace {

constexpr unsigned kQueryMilliseconds = 20'000;

}  // namespace

Circuit::Circuit() : solver_(context_), nodes_(2), defined_(2) {
  z3::params params(context_);
  params.set("timeout", kQueryMilliseconds);
  params.set("ctrl_c", false);  // or Z3 takes the signal, and nobody learns of it
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

std::string Circuit::name_of(Literal literal) const {
  const Literal node = std::abs(literal);
  if (node == kTrue) return literal > 0 ? "true" : "false";
  const std::string& name = nodes_[node].name;
  const std::string own = name.empty() ? "n" + std::to_string(node) : "|" + name + "|";
  return literal > 0 ? own : "(not " + own + ")";
}

std::vector<bool> Circuit::evaluated(const std::vector<Literal>& inputs) const {
  std::vector<bool> holds(nodes_.size());
  holds[kTrue] = true;
  for (const Literal input : inputs) holds[input] = true;
  for (std::size_t node = 2; node < nodes_.size(); ++node) {
    const auto [a, b] = std::pair(nodes_[node].a, nodes_[node].b);
    if (a != 0) holds[node] = holds[std::abs(a)] == (a > 0) && holds[std::abs(b)] == (b > 0);
  }
  return holds;
}

std::string Circuit::definition(Literal literal, const std::function<bool(Literal)>& has_name,
                                const std::function<std::string(Literal)>& text_of) const {
  const int sign = literal > 0 ? 1 : -1;  // none of what it is not of: one is not, or another
  std::string text = sign > 0 ? "(and" : "(or";
  std::vector<Literal> open{std::abs(literal)};
  for (bool first = true; !open.empty(); first = false) {
    const Literal of = open.back();
    open.pop_back();
    if (of > 0 && (first || !has_name(of))) {
      open.push_back(nodes_[of].b);
      open.push_back(nodes_[of].a);
    } else {
      text += " " + text_of(sign * of);
    }
  }
  return text + ")";
}

Circuit::Written Circuit::written(const std::vector<Literal>& literals) const {
  std::vector<int> uses(nodes_.size());
  for (const Literal literal : literals) ++uses[std::abs(literal)];
  for (std::size_t node = nodes_.size(); node-- > 2;) {  // what a node is of comes before it
    if (uses[node] == 0 || nodes_[node].a == 0) continue;
    ++uses[std::abs(nodes_[node].a)];
    ++uses[std::abs(nodes_[node].b)];
  }

  // A node that is used once is written where it is used, unless that goes too deep.
  constexpr int most_deep = 50;
  std::vector<int> depth(nodes_.size());
  const auto has_name = [&](Literal l) {
    const Literal node = std::abs(l);
    return nodes_[node].a == 0 || uses[node] > 1 || depth[node] > most_deep;
  };
  for (std::size_t node = 2; node < nodes_.size(); ++node) {
    if (nodes_[node].a == 0) continue;
    for (const Literal of : {nodes_[node].a, nodes_[node].b}) {
      if (!has_name(of)) depth[node] = std::max(depth[node], depth[std::abs(of)] + 1);
    }
  }
  const std::function<std::string(Literal)> text_of = [&](Literal l) {
    return has_name(l) ? name_of(l) : definition(l, has_name, text_of);
  };

  Written written;
  std::string& text = written.definitions;
  std::map<int, std::vector<std::string>> groups;
  for (std::size_t node = 2; node < nodes_.size(); ++node) {
    if (nodes_[node].exclusive != 0 && uses[node] > 0) groups[nodes_[node].exclusive];
  }
  for (std::size_t node = 2; node < nodes_.size(); ++node) {
    const bool in_group = groups.contains(nodes_[node].exclusive);
    if (nodes_[node].a != 0 || (!in_group && uses[node] == 0)) continue;
    const std::string name = name_of(static_cast<Literal>(node));
    text += "(declare-const " + name + " Bool)\n";
    if (in_group) groups[nodes_[node].exclusive].push_back(name);
  }
  for (const auto& [group, names] : groups) {
    text += "(assert (or";
    for (const std::string& name : names) text += " " + name;
    text += "))\n";
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        text += "(assert (not (and " + names[j] + " " + names[i] + ")))\n";
      }
    }
  }
  for (std::size_t node = 2; node < nodes_.size(); ++node) {
    const auto literal = static_cast<Literal>(node);
    if (uses[node] == 0 || nodes_[node].a == 0 || !has_name(literal)) continue;
    text += "(define-fun " + name_of(literal) + " () Bool " +
            definition(literal, has_name, text_of) + ")\n";
  }
  for (const Literal literal : literals) written.literals.push_back(text_of(literal));
  return written;
}

}  // namespace cuvier
