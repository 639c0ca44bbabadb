#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "hypotheses/fast/flat_index.h"
#include "hypotheses/hypothesis.h"

namespace cuvier {

/// A function from hypotheses to integers, held by a Diagrams.
using Ref = std::int32_t;

/// Functions from hypotheses to integers, as reduced, ordered multi-valued decision
/// diagrams over the axes (Srinivasan, Kam, Malik, Brayton 1990; with many terminals, as
/// algebraic decision diagrams). Equal functions have equal Refs. A function that depends
/// on few axes is small however large the space is, and sets of hypotheses (functions to
/// 0 and 1) can be counted, projected and sampled exactly.
class Diagrams {
 public:
  /// The value of a function where nobody will ask: it swallows whatever it is combined with.
  static constexpr int kDontCare = std::numeric_limits<int>::min();

  Diagrams();

  Ref constant(int value);
  Ref no() const { return no_; }
  Ref yes() const { return yes_; }

  /// The axis's value index.
  Ref axis(int axis) const { return axes_[axis]; }

  /// Whether the axis has one of these values (a bit each).
  Ref literal(int axis, std::uint32_t values);

  // Of sets, without dont_care_.
  Ref both(Ref a, Ref b);
  Ref either(Ref a, Ref b);
  Ref without(Ref a, Ref b);  ///< a and not b

  /// leaf(values) of the operands' values at each hypothesis.
  template <std::size_t N, class Leaf>
  Ref apply(const std::array<Ref, N>& operands, Leaf&& leaf) {
    std::unordered_map<std::array<Ref, N>, Ref, HashRefs> memo;
    return apply(operands, leaf, memo);
  }

  /// The function with no() in place of dont_care_: what combining and counting sets need.
  Ref settled(Ref f);

  /// The set, made true wherever it is for some values of the axes not in `keep`.
  Ref project(Ref set, const std::array<bool, kAxes>& keep);

  /// How many hypotheses are in the set (exact below 2^53).
  double count(Ref set);

  bool is_leaf(Ref f) const { return nodes_[f].axis == kAxes; }
  int axis_of(Ref f) const { return nodes_[f].axis; }  ///< kAxes for a leaf
  int value(Ref leaf) const { return nodes_[leaf].at; }
  int value_at(Ref f, const Hypothesis& hypothesis) const;

  /// The function when its top axis is `axis` (or later) and has that value.
  Ref child(Ref f, int axis, int value) const {
    return nodes_[f].axis == axis ? children_[nodes_[f].at + value] : f;
  }

  std::size_t size() const { return nodes_.size(); }

  /// The same function here, its leaves renamed.
  Ref copy_from(const Diagrams& other, Ref f, const std::function<int(int)>& rename,
                std::unordered_map<Ref, Ref>& memo);
  Ref copy_from(const Diagrams& other, Ref f);

 private:
  struct Node {
    int axis;  ///< kAxes: a leaf
    int at;    ///< where its children start; a leaf's value
  };

  struct HashRefs {
    template <std::size_t N>
    std::size_t operator()(const std::array<Ref, N>& refs) const {
      std::size_t hash = N;
      for (const Ref ref : refs) hash = hash_combine(hash, ref);
      return hash;
    }
  };

  enum class Operation : std::uint8_t { both, either, without };

  /// What was combined. Another that falls on its place takes it: what is forgotten is worked out
  /// again (the computed table of Brace, Rudell and Bryant 1990).
  struct Combination {
    Operation operation = Operation::both;
    Ref a = -1;
    Ref b = -1;
    Ref result = -1;
  };

  Ref combine(Operation operation, Ref a, Ref b);
  Ref node(int axis, std::span<const Ref> children);
  /// child_at(v) where the axis has the value v.
  Ref node_of(int axis, const auto& child_at) {
    std::array<Ref, kMostValues> children;
    const int arity = axis_size(axis);
    for (int v = 0; v < arity; ++v) children[v] = child_at(v);
    return node(axis, std::span(children).first(arity));
  }
  Ref add(const Node& node, std::size_t hash);
  void remember_more();
  std::size_t place_of(Operation operation, Ref a, Ref b) const;

  template <std::size_t N, class Leaf, class Memo>
  Ref apply(const std::array<Ref, N>& operands, Leaf& leaf, Memo& memo) {
    int top = kAxes;
    for (const Ref operand : operands) {
      if (operand == dont_care_) return dont_care_;
      top = std::min(top, nodes_[operand].axis);
    }
    if (top == kAxes) {
      std::array<int, N> values;
      for (std::size_t i = 0; i < N; ++i) values[i] = nodes_[operands[i]].at;
      return constant(leaf(values));
    }
    if (const auto found = memo.find(operands); found != memo.end()) return found->second;
    const Ref result = node_of(top, [&](int v) {
      std::array<Ref, N> at = operands;
      for (Ref& operand : at) operand = child(operand, top, v);
      return apply(at, leaf, memo);
    });
    memo.emplace(operands, result);
    return result;
  }

  static constexpr int kMostValues = 32;

  std::vector<Node> nodes_;
  std::vector<Ref> children_;
  FlatIndex index_;                    ///< of nodes
  std::vector<Combination> combined_;  ///< the latest of each place
  std::unordered_map<Ref, double> counts_;
  std::unordered_map<Ref, Ref> settled_;
  std::array<Ref, kAxes> axes_;
  Ref no_;
  Ref yes_;
  Ref dont_care_;
};

}  // namespace cuvier
