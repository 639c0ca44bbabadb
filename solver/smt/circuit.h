#pragma once

#include <z3++.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cuvier {

/// Conditions as an and-inverter graph, each node once, which Z3 sees only as far as it is
/// asked about. Merging every branch of the scheduler makes many conditions; as Z3
/// expressions they would have to be walked again for each query.
class Circuit {
 public:
  /// A node with a sign: negative for its negation.
  using Literal = std::int32_t;
  static constexpr Literal kTrue = 1;

  Circuit();

  /// A condition of its own. Those with the same `exclusive` (0: none) exclude each other.
  Literal input(const std::string& name, int exclusive);
  Literal both(Literal a, Literal b);

  /// Whether the literal can hold; throws GaveUp (solver/cancellation/gave_up.h) where Z3 gives up.
  bool satisfiable(Literal literal);
  /// Whether the input holds in the model of the last literal found satisfiable.
  bool holds(Literal input);

  /// Requires one of the inputs to hold.
  void require_one_of(const std::vector<Literal>& inputs);

  /// SMT-LIB 2 that is satisfiable exactly if the literal is.
  std::string smt2(Literal literal);

  /// Of each node, by its number, whether it holds where these inputs do and no others.
  std::vector<bool> evaluated(const std::vector<Literal>& inputs) const;

  /// Several literals as SMT-LIB 2: a constant for each input, by its name, of which just one of
  /// those holds that exclude each other, and each node once. What is not needed is left out.
  struct Written {
    std::string definitions;
    std::vector<std::string> literals;  ///< what each is called there
  };
  Written written(const std::vector<Literal>& literals) const;

 private:
  struct Node {
    Literal a = 0;  ///< 0: an input
    Literal b = 0;
    int exclusive = 0;
    std::string name;
  };

  std::string name_of(Literal literal) const;

  /// What the literal of a node is, in terms of others, of which some have names.
  std::string definition(Literal literal, const std::function<bool(Literal)>& has_name,
                         const std::function<std::string(Literal)>& text_of) const;

  /// Z3's constant for the literal, everything below it defined.
  z3::expr define(Literal literal);
  z3::expr constant(Literal literal);

  struct HashPair {
    std::size_t operator()(const std::pair<Literal, Literal>& pair) const {
      return static_cast<std::size_t>(pair.first) * 0x9E3779B97F4A7C15ull ^
             static_cast<std::size_t>(pair.second);
    }
  };

  z3::context context_;
  z3::solver solver_;
  std::optional<z3::model> model_;
  std::vector<Node> nodes_;  ///< node 1 is true
  std::vector<bool> defined_;
  std::unordered_map<std::pair<Literal, Literal>, Literal, HashPair> built_;
};

}  // namespace cuvier
