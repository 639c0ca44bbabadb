#include "solver/space/diagram.h"

#include <algorithm>
#include <utility>

namespace cuvier {
namespace {

constexpr std::size_t kFewest = 1 << 12;
constexpr std::size_t kMostCombined = 1 << 20;  // 16 bytes each

}  // namespace

Diagrams::Diagrams() : combined_(kFewest) {
  no_ = constant(0);
  yes_ = constant(1);
  dont_care_ = constant(kDontCare);
  for (int axis = 0; axis < kAxes; ++axis) {
    axes_[axis] = node_of(axis, [&](int v) { return constant(v); });
  }
}

Ref Diagrams::constant(int value) {
  const std::size_t hash = hash_combine(kAxes, value);
  const Ref known =
      index_.find(hash, [&](Ref ref) { return is_leaf(ref) && nodes_[ref].at == value; });
  return known >= 0 ? known : add({kAxes, value}, hash);
}

Ref Diagrams::node(int axis, std::span<const Ref> children) {
  if (std::ranges::all_of(children, [&](Ref c) { return c == children[0]; })) return children[0];
  std::size_t hash = axis;
  for (const Ref child : children) hash = hash_combine(hash, child);
  const Ref known = index_.find(hash, [&](Ref ref) {
    const Node& other = nodes_[ref];
    return other.axis == axis &&
           std::equal(children.begin(), children.end(), children_.begin() + other.at);
  });
  if (known >= 0) return known;
  const int at = static_cast<int>(children_.size());
  children_.insert(children_.end(), children.begin(), children.end());
  return add({axis, at}, hash);
}

Ref Diagrams::add(const Node& node, std::size_t hash) {
  index_.add(hash);
  nodes_.push_back(node);
  if (nodes_.size() * 2 > combined_.size()) remember_more();
  return static_cast<Ref>(nodes_.size()) - 1;
}

void Diagrams::remember_more() {
  if (combined_.size() == kMostCombined) return;
  const std::vector<Combination> known =
      std::exchange(combined_, std::vector<Combination>(combined_.size() * 2));
  for (const Combination& each : known) {
    if (each.a >= 0) combined_[place_of(each.operation, each.a, each.b)] = each;
  }
}

std::size_t Diagrams::place_of(Operation operation, Ref a, Ref b) const {
  return HashRefs()(std::array{static_cast<Ref>(operation), a, b}) & (combined_.size() - 1);
}

Ref Diagrams::literal(int axis, std::uint32_t values) {
  return node_of(axis, [&](int v) { return values >> v & 1 ? yes_ : no_; });
}

Ref Diagrams::both(Ref a, Ref b) { return combine(Operation::both, a, b); }
Ref Diagrams::either(Ref a, Ref b) { return combine(Operation::either, a, b); }
Ref Diagrams::without(Ref a, Ref b) { return combine(Operation::without, a, b); }

Ref Diagrams::combine(Operation operation, Ref a, Ref b) {
  switch (operation) {
    case Operation::both:
      if (a == no_ || b == no_) return no_;
      if (a == yes_ || a == b) return b;
      if (b == yes_) return a;
      break;
    case Operation::either:
      if (a == yes_ || b == yes_) return yes_;
      if (a == no_ || a == b) return b;
      if (b == no_) return a;
      break;
    case Operation::without:
      if (a == no_ || b == yes_ || a == b) return no_;
      if (b == no_) return a;
      break;
  }
  if (operation != Operation::without && a > b) std::swap(a, b);
  if (const Combination& known = combined_[place_of(operation, a, b)];
      known.operation == operation && known.a == a && known.b == b) {
    return known.result;
  }
  const int top = std::min(nodes_[a].axis, nodes_[b].axis);
  const Ref result =
      node_of(top, [&](int v) { return combine(operation, child(a, top, v), child(b, top, v)); });
  combined_[place_of(operation, a, b)] = {operation, a, b, result};
  return result;
}

Ref Diagrams::settled(Ref f) {
  if (is_leaf(f)) return f == dont_care_ ? no_ : f;
  if (const auto found = settled_.find(f); found != settled_.end()) return found->second;
  const int axis = axis_of(f);
  const Ref result = node_of(axis, [&](int v) { return settled(child(f, axis, v)); });
  settled_.emplace(f, result);
  return result;
}

Ref Diagrams::project(Ref set, const std::array<bool, kAxes>& keep) {
  std::unordered_map<Ref, Ref> memo;
  const std::function<Ref(Ref)> go = [&](Ref f) -> Ref {
    if (is_leaf(f)) return f;
    if (const auto found = memo.find(f); found != memo.end()) return found->second;
    const int axis = axis_of(f);
    std::vector<Ref> children;
    for (int v = 0; v < axis_size(axis); ++v) children.push_back(go(child(f, axis, v)));
    Ref result = no_;
    if (keep[axis]) {
      result = node(axis, children);
    } else {
      for (const Ref c : children) result = either(result, c);
    }
    memo.emplace(f, result);
    return result;
  };
  return go(set);
}

double Diagrams::count(Ref set) {
  // From the set's own top axis down; what lies above it is free.
  const auto free_between = [](int from, int to) {
    double factor = 1;
    for (int axis = from; axis < to; ++axis) factor *= axis_size(axis);
    return factor;
  };
  const std::function<double(Ref)> below = [&](Ref f) -> double {
    if (is_leaf(f)) return f == yes_ ? 1 : 0;
    if (const auto found = counts_.find(f); found != counts_.end()) return found->second;
    const int axis = axis_of(f);
    double total = 0;
    for (int v = 0; v < axis_size(axis); ++v) {
      const Ref c = child(f, axis, v);
      total += below(c) * free_between(axis + 1, axis_of(c));
    }
    counts_.emplace(f, total);
    return total;
  };
  return below(set) * free_between(0, axis_of(set));
}

int Diagrams::value_at(Ref f, const Hypothesis& hypothesis) const {
  while (!is_leaf(f)) f = child(f, axis_of(f), hypothesis.values[axis_of(f)]);
  return value(f);
}

Ref Diagrams::copy_from(const Diagrams& other, Ref f, const std::function<int(int)>& rename,
                        std::unordered_map<Ref, Ref>& memo) {
  if (const auto found = memo.find(f); found != memo.end()) return found->second;
  Ref result;
  if (other.is_leaf(f)) {
    result = f == other.dont_care_ ? dont_care_ : constant(rename(other.value(f)));
  } else {
    const int axis = other.axis_of(f);
    result = node_of(
        axis, [&](int v) { return copy_from(other, other.child(f, axis, v), rename, memo); });
  }
  memo.emplace(f, result);
  return result;
}

Ref Diagrams::copy_from(const Diagrams& other, Ref f) {
  std::unordered_map<Ref, Ref> memo;
  return copy_from(other, f, std::identity(), memo);
}

}  // namespace cuvier
