#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hypotheses/assumptions.h"

namespace cuvier {

/// Conditions as an and-inverter graph, each node once: merging every branch of the scheduler makes
/// many conditions.
class Circuit {
 public:
  /// A node with a sign: negative for its negation.
  using Literal = std::int32_t;
  static constexpr Literal kTrue = 1;

  /// A condition of its own. Those with the same `exclusive` (0: none) exclude each other.
  Literal input(const std::string& name, int exclusive);
  Literal both(Literal a, Literal b);

  struct Node {
    Literal a = 0;  ///< 0: an input
    Literal b = 0;
    int exclusive = 0;
    std::string name;
  };

  /// By their numbers: node 1 is true.
  const std::vector<Node>& nodes() const { return nodes_; }

  /// Several literals as SMT-LIB 2: a constant for each input, by its name, of which just one of
  /// those holds that exclude each other, and each node once. What is not needed is left out, and
  /// not counted either: another process made other nodes beside these.
  struct Written {
    std::string definitions;
    std::vector<std::string> literals;  ///< what each is called there
  };
  Written written(const std::vector<Literal>& literals) const;

 private:
  /// `number`: of its node, where that is no input.
  std::string name_of(Literal literal, int number = 0) const;

  /// What the literal of a node is, in terms of others, of which some have names.
  std::string definition(Literal literal, const std::function<bool(Literal)>& has_name,
                         const std::function<std::string(Literal)>& text_of) const;

  struct HashPair {
    std::size_t operator()(const std::pair<Literal, Literal>& pair) const {
      return static_cast<std::size_t>(pair.first) * 0x9E3779B97F4A7C15ull ^
             static_cast<std::size_t>(pair.second);
    }
  };

  std::vector<Node> nodes_ = std::vector<Node>(2);
  std::unordered_map<std::pair<Literal, Literal>, Literal, HashPair> built_;
};

/// The axes as inputs of a circuit, one named "AXIS=VALUE" for each value that is allowed.
class AxisInputs {
 public:
  AxisInputs(Circuit& circuit, const Assumptions& assumptions);

  /// The condition that the axis has the value.
  Circuit::Literal is(int axis, int value) const { return is_[axis][value]; }

 private:
  std::array<std::vector<Circuit::Literal>, kAxes> is_;
};

}  // namespace cuvier
