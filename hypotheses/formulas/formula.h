#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hypotheses/axis.h"

namespace cuvier {

/// A rule that somebody typed (docs/reference/formulas.md), over the names of its axis: a flat
/// program of which each node reads earlier ones. Every formula has a value whatever its names are,
/// the same in every reading.
struct Formula {
  enum class Op : std::uint8_t {
    constant,  ///< `value`
    name,      ///< of FormulaInfo::names, the one at `value`
    negated,
    absolute,
    power,  ///< the least power of two that is not smaller
    sum,
    difference,
    product,
    quotient,   ///< rounded down; 0 where the divisor is not above 0
    remainder,  ///< of that quotient; 0 likewise
    least,
    greatest,
    choice,  ///< of[0] ? of[1] : of[2]
    // Conditions.
    less,
    at_most,
    equal,
    unequal,
    both,
    either,
    negation,
  };
  struct Node {
    Op op;
    int value = 0;
    std::array<int, 3> of = {-1, -1, -1};
    // What the ranges of the names leave possible, so that the others cost nothing.
    bool may_be_negative = false;     ///< the dividend
    bool may_divide_by_none = false;  ///< the divisor is not above 0
    bool operator==(const Node&) const = default;
  };

  static constexpr int kMostNodes = 200;
  /// No number is further from 0, whatever it stands for.
  static constexpr int kFurthest = 1 << 30;

  /// The numbers that it may come to.
  struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };

  std::string text;  ///< as it is written, by one convention: its name among the values
  std::vector<Node> nodes;
  std::vector<int> parts;     ///< the nodes that are its value: several of a tuple
  std::vector<Range> ranges;  ///< of these
  std::uint32_t names = 0;    ///< of FormulaInfo::names those that it reads, a bit each
  /// Where there is one, it is what predictions go by, and not the nodes: a number (of a condition,
  /// 0 where it does not hold) for what the names are.
  std::function<int(std::span<const int>)> instead = {};

  /// Whether its value depends on FormulaInfo::names, the one at that place.
  bool reads(int name) const { return names >> name & 1; }
};

/// How many nodes it is made of: so many of Node::of are any.
constexpr int operands_of(Formula::Op op) {
  using enum Formula::Op;
  if (op == constant || op == name) return 0;
  if (op == choice) return 3;
  return op == negated || op == absolute || op == power || op == negation ? 1 : 2;
}

/// Whether the op's value is a condition.
constexpr bool is_condition(Formula::Op op) { return op >= Formula::Op::less; }

/// Throws Error, which names the column, where the text is no formula over these names, or may
/// leave +-2^30 on the way.
Formula parse_formula(const FormulaInfo& info, const std::string& text);

}  // namespace cuvier
