#include "solver/smt/circuit.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace cuvier {
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

std::string Circuit::name_of(Literal literal, int number) const {
  const Literal node = std::abs(literal);
  if (node == kTrue) return literal > 0 ? "true" : "false";
  const std::string& name = nodes_[node].name;
  const std::string own = name.empty() ? "n" + std::to_string(number) : "|" + name + "|";
  return literal > 0 ? own : "(not " + own + ")";
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
  std::vector<int> numbers(nodes_.size());
  int last = 0;
  for (std::size_t node = 2; node < nodes_.size(); ++node) {
    const bool is_written = uses[node] > 0 && nodes_[node].a != 0;
    if (is_written && has_name(static_cast<Literal>(node))) numbers[node] = ++last;
  }
  const std::function<std::string(Literal)> text_of = [&](Literal l) {
    return has_name(l) ? name_of(l, numbers[std::abs(l)]) : definition(l, has_name, text_of);
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
    if (numbers[node] == 0) continue;
    text += "(define-fun " + name_of(literal, numbers[node]) + " () Bool " +
            definition(literal, has_name, text_of) + ")\n";
  }
  for (const Literal literal : literals) written.literals.push_back(text_of(literal));
  return written;
}

AxisInputs::AxisInputs(Circuit& circuit, const Assumptions& assumptions) {
  for (int axis = 0; axis < kAxes; ++axis) {
    const bool is_open = !std::has_single_bit(assumptions.allowed[axis]);
    for (int v = 0; v < axis_size(axis); ++v) {
      const bool allowed = assumptions.allows(axis, v);
      is_[axis].push_back(allowed && is_open
                              ? circuit.input(std::string(axis_info(axis).name) + "=" +
                                                  std::string(axis_value(axis, v).name),
                                              axis + 1)
                          : allowed ? Circuit::kTrue
                                    : -Circuit::kTrue);
    }
  }
}

}  // namespace cuvier
