#include "hypotheses/formulas/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "hypotheses/formulas/grammar.h"
#include "hypotheses/readings/integers.h"
#include "probes/an_error.h"

namespace cuvier {
namespace {

using Tree = tao::pegtl::parse_tree::node;
using Op = Formula::Op;
using Range = Formula::Range;

constexpr std::size_t kMostText = 400;

/// Where the text is no formula.
[[noreturn]] void fail(const std::string& text, std::size_t column, const std::string& what) {
  throw an_error("'{}', column {}: {}", text, column, what);
}

/// How tightly what is written holds together, from the loosest.
enum Binding {
  of_choice,
  of_either,
  of_both,
  of_negation,
  of_comparison,
  of_sum,
  of_product,
  of_atom
};

struct Operation {
  std::string_view sign;
  Op op;
  bool swapped = false;
};
constexpr Operation operations[] = {
    {"+", Op::sum},      {"-", Op::difference},  {"*", Op::product},
    {"/", Op::quotient}, {"mod", Op::remainder}, {"<", Op::less},
    {"<=", Op::at_most}, {">", Op::less, true},  {">=", Op::at_most, true},
    {"==", Op::equal},   {"!=", Op::unequal},
};

/// Makes nodes of what was parsed, checks that each is what must stand there, and writes it anew.
class Builder {
 public:
  /// `shortens`: leaves away what does nothing, and writes out what numbers come to.
  Builder(const FormulaInfo& info, const std::string& text, bool shortens = true)
      : info_(info), text_(text), shortens_(shortens) {}

  Formula build(const Tree& root) {
    const Tree& whole = *root.children.front();
    if (whole.is_type<grammar::group>()) {
      using enum FormulaInfo::Gives;
      if (info_.gives != order && info_.gives != key) {
        fail(whole, info_.gives == condition ? "this axis takes one condition, no tuple"
                                             : "this axis takes one number, no tuple");
      }
      std::string text;
      for (const auto& part : whole.children) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", add_part(*part));
      }
      formula_.text = fmt::format("({})", text);
      if (info_.gives == key) check_size(whole);
    } else {
      formula_.text = add_part(whole);
      // `64 * 2` stays, where 128 may be the name of a value that means something else.
      const bool is_word = formula_.nodes.size() == 1;
      if (shortens_ && is_word) return Builder(info_, text_, false).build(root);
    }
    return std::move(formula_);
  }

 private:
  /// What a part of the text came to.
  struct Built {
    int node;
    std::string text;
    Binding binding;
    Range range = {};
  };

  [[noreturn]] void fail(const Tree& at, const std::string& what) const {
    cuvier::fail(text_, at.begin().column, what);
  }

  /// A key is one number, which has the sign of the first part: Evaluation::key().
  void check_size(const Tree& tuple) {
    const Range& first = formula_.ranges.front();
    std::int64_t keys = std::max(-first.least, first.most) + 1;
    std::string counts = std::to_string(keys);
    for (const Range& range : std::span(formula_.ranges).subspan(1)) {
      const std::int64_t count = range.most - range.least + 1;
      counts += " * " + std::to_string(count);
      keys = std::min<std::int64_t>(keys * count, 2 * std::int64_t{Formula::kFurthest});
    }
    if (keys > Formula::kFurthest) {
      fail(tuple, fmt::format("the parts of this tuple can have {} values together, more than "
                              "2^30; bound one with min, mod or /",
                              counts));
    }
  }

  std::string add_part(const Tree& tree) {
    const Built built =
        info_.gives == FormulaInfo::Gives::condition ? condition(tree) : number(tree);
    formula_.parts.push_back(built.node);
    formula_.ranges.push_back(built.range);
    return built.text;
  }

  Built number(const Tree& tree) {
    Built built = any(tree);
    if (is_condition(formula_.nodes[built.node].op)) {
      fail(tree, "a condition stands where a number must: write c ? 1 : 0");
    }
    return built;
  }
  Built condition(const Tree& tree) {
    Built built = any(tree);
    if (!is_condition(formula_.nodes[built.node].op)) {
      fail(tree, "a number stands where a condition must: compare it with one");
    }
    return built;
  }

  Built any(const Tree& tree) {
    if (tree.is_type<grammar::number>()) return constant(tree);
    if (tree.is_type<grammar::name>()) return name(tree);
    if (tree.is_type<grammar::call>()) return call(tree);
    if (tree.is_type<grammar::group>()) fail(tree, "a tuple can only be the whole formula");
    if (tree.is_type<grammar::minus>()) {
      const Built of = number(*tree.children[0]);
      return made(tree, {Op::negated, 0, {of.node}}, "-" + within(of, of_product, true), of_product,
                  {-of.range.most, -of.range.least});
    }
    if (tree.is_type<grammar::negation>()) {
      const Built of = condition(*tree.children[0]);
      return made(tree, {Op::negation, 0, {of.node}}, "not " + within(of, of_negation),
                  of_negation);
    }
    if (tree.is_type<grammar::both>()) return joined(tree, Op::both, " and ", of_both);
    if (tree.is_type<grammar::either>()) return joined(tree, Op::either, " or ", of_either);
    if (tree.is_type<grammar::choice>()) return choice(tree);
    return chain(tree);
  }

  Built constant(const Tree& tree) {
    const std::string digits = tree.string();
    if (digits.size() > 10 || std::stoll(digits) > Formula::kFurthest)
      fail(tree, "a number is 2^30 at most");
    return written_out(tree, std::stoi(digits));
  }
  Built written_out(const Tree& tree, int value) {
    return made(tree, {Op::constant, value}, std::to_string(value), of_atom, {value, value});
  }

  Built name(const Tree& tree) {
    const std::string name = tree.string();
    for (std::size_t i = 0; i < info_.names.size(); ++i) {
      const FormulaName& known = info_.names[i];
      if (known.name != name) continue;
      formula_.names |= 1u << i;
      return made(tree, {Op::name, static_cast<int>(i)}, name, of_atom, {known.least, known.most});
    }
    std::vector<std::string_view> names;
    for (const FormulaName& known : info_.names) names.push_back(known.name);
    fail(tree, fmt::format("nothing is called {} here; there are {}, and min, max, abs, power",
                           name, fmt::join(names, ", ")));
  }

  Built call(const Tree& tree) {
    const std::string name = tree.children[0]->string();
    const Tree& given = *tree.children[1];
    std::vector<const Tree*> arguments = {&given};
    if (given.is_type<grammar::group>()) {
      arguments.clear();
      for (const auto& argument : given.children) arguments.push_back(argument.get());
    }
    if (name == "abs") {
      if (arguments.size() != 1) fail(tree, "abs is of one number");
      const Built of = number(*arguments[0]);
      const Range& r = of.range;
      const std::int64_t least = r.least > 0 ? r.least : r.most < 0 ? -r.most : 0;
      return made(tree, {Op::absolute, 0, {of.node}}, fmt::format("abs({})", of.text), of_atom,
                  {least, std::max(-r.least, r.most)});
    }
    if (name == "power") {
      if (arguments.size() != 1) fail(tree, "power is of one number");
      const Built of = number(*arguments[0]);
      const auto rounded = [](std::int64_t number) -> std::int64_t {
        return up_to_power_of_two(static_cast<int>(number));
      };
      return made(tree, {Op::power, 0, {of.node}}, fmt::format("power({})", of.text), of_atom,
                  {rounded(of.range.least), rounded(of.range.most)});
    }
    if (name != "min" && name != "max") {
      fail(tree, fmt::format("no function is called {}; there are min, max, abs, power", name));
    }
    if (arguments.size() < 2) fail(tree, name + " is of two numbers or more");
    const bool least = name == "min";
    const auto of_two = [&](auto a, auto b) { return least ? std::min(a, b) : std::max(a, b); };
    Built all = number(*arguments[0]);
    std::string text = all.text;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const Built next = number(*arguments[i]);
      text += ", " + next.text;
      all = made(
          tree, {least ? Op::least : Op::greatest, 0, {all.node, next.node}}, "", of_atom,
          {of_two(all.range.least, next.range.least), of_two(all.range.most, next.range.most)});
    }
    all.text = fmt::format("{}({})", name, text);
    return all;
  }

  Built joined(const Tree& tree, Op op, std::string_view word, Binding binding) {
    Built all = condition(*tree.children[0]);
    for (std::size_t i = 1; i < tree.children.size(); ++i) {
      const Built next = condition(*tree.children[i]);
      std::string text =
          fmt::format("{}{}{}", within(all, binding), word, within(next, binding, true));
      all = made(tree, {op, 0, {all.node, next.node}}, std::move(text), binding);
    }
    return all;
  }

  Built choice(const Tree& tree) {
    const Built which = condition(*tree.children[0]);
    const Built then = number(*tree.children[1]);
    const Built otherwise = number(*tree.children[2]);
    return made(tree, {Op::choice, 0, {which.node, then.node, otherwise.node}},
                fmt::format("{} ? {} : {}", within(which, of_choice, true),
                            within(then, of_choice, true), otherwise.text),
                of_choice,
                {std::min(then.range.least, otherwise.range.least),
                 std::max(then.range.most, otherwise.range.most)});
  }

  /// Operands with operators between them, from left to right.
  Built chain(const Tree& tree) {
    Built all = number(*tree.children[0]);
    for (std::size_t i = 1; i + 1 < tree.children.size(); i += 2) {
      const Tree& sign = *tree.children[i];
      const Built next = number(*tree.children[i + 1]);
      all = operation(sign, all, next);
    }
    return all;
  }

  Built operation(const Tree& sign, const Built& a, const Built& b) {
    const Operation& operation = *std::ranges::find(operations, sign.string(), &Operation::sign);
    if (shortens_ && does_nothing(operation.op, b)) {
      formula_.nodes.pop_back();
      return a;
    }
    if (const auto value = shortens_ ? number_of(operation.op, a, b) : std::nullopt) {
      formula_.nodes.resize(formula_.nodes.size() - 2);
      return written_out(sign, *value);
    }
    const Binding binding = is_condition(operation.op) ? of_comparison
                            : operation.op == Op::sum || operation.op == Op::difference
                                ? of_sum
                                : of_product;
    std::string text = fmt::format("{} {} {}", within(a, binding, binding == of_comparison),
                                   operation.sign, within(b, binding, true));
    Formula::Node node{operation.op, 0, {a.node, b.node}};
    if (operation.swapped) std::swap(node.of[0], node.of[1]);
    if (node.op == Op::quotient || node.op == Op::remainder) {
      node.may_be_negative = a.range.least < 0;
      node.may_divide_by_none = b.range.least <= 0;
    }
    return made(sign, node, std::move(text), binding, range_of(operation.op, a.range, b.range));
  }

  bool is_written_out(const Built& of) const { return formula_.nodes[of.node].op == Op::constant; }
  /// + 0, - 0, * 1, / 1.
  bool does_nothing(Op op, const Built& with) const {
    if (!is_written_out(with)) return false;
    const bool adds = op == Op::sum || op == Op::difference;
    const bool multiplies = op == Op::product || op == Op::quotient;
    return (adds && with.range.most == 0) || (multiplies && with.range.most == 1);
  }
  /// What two numbers that are written out come to, where that can be written so.
  std::optional<int> number_of(Op op, const Built& a, const Built& b) const {
    if (!is_written_out(a) || !is_written_out(b) || is_condition(op)) return std::nullopt;
    const std::int64_t left = a.range.most;
    const std::int64_t right = b.range.most;
    const bool divides = op == Op::quotient || op == Op::remainder;
    const std::int64_t value = divides && right == 0  ? 0
                               : op == Op::sum        ? left + right
                               : op == Op::difference ? left - right
                               : op == Op::product    ? left * right
                               : op == Op::quotient   ? left / right
                                                      : left % right;
    if (value < 0 || value > Formula::kFurthest) return std::nullopt;
    return static_cast<int>(value);
  }

  static Range range_of(Op op, const Range& a, const Range& b) {
    switch (op) {
      case Op::sum:
        return {a.least + b.least, a.most + b.most};
      case Op::difference:
        return {a.least - b.most, a.most - b.least};
      case Op::product: {
        const auto [least, most] =
            std::minmax({a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most});
        return {least, most};
      }
      case Op::quotient: {
        const std::int64_t smallest = std::max<std::int64_t>(1, b.least);
        Range range = {a.least >= 0 ? a.least / std::max<std::int64_t>(1, b.most)
                                    : -((smallest - 1 - a.least) / smallest),
                       a.most >= 0 ? a.most / smallest : -1};
        if (b.least <= 0)
          range = {std::min<std::int64_t>(0, range.least), std::max<std::int64_t>(0, range.most)};
        return range;
      }
      case Op::remainder: {
        const std::int64_t below = std::max<std::int64_t>(0, b.most - 1);
        return {0, a.least >= 0 ? std::min(below, a.most) : below};
      }
      default:
        return {};
    }
  }

  /// The text of a part, in parentheses where it would be read otherwise.
  static std::string within(const Built& part, Binding binding, bool tighter = false) {
    const bool bare = tighter ? part.binding > binding : part.binding >= binding;
    return bare ? part.text : fmt::format("({})", part.text);
  }

  Built made(const Tree& tree, const Formula::Node& node, std::string text, Binding binding,
             Range range = {}) {
    if (range.least < -Formula::kFurthest || range.most > Formula::kFurthest) {
      fail(tree, fmt::format("this may come to {}, beyond 2^30; bound a name with min, mod or /",
                             range.most > Formula::kFurthest ? range.most : range.least));
    }
    if (std::ssize(formula_.nodes) == Formula::kMostNodes) fail(tree, "the formula is too long");
    formula_.nodes.push_back(node);
    return {static_cast<int>(formula_.nodes.size()) - 1, std::move(text), binding, range};
  }

  const FormulaInfo& info_;
  const std::string& text_;
  const bool shortens_;
  Formula formula_;
};

}  // namespace

Formula parse_formula(const FormulaInfo& info, const std::string& text) {
  using namespace tao::pegtl;
  // Whatever nests in it is parsed by recursion.
  if (text.size() > kMostText) throw an_error("a formula has {} characters at most", kMostText);
  memory_input input(text, "");
  try {
    const auto root =
        parse_tree::parse<grammar::formula, grammar::selector, nothing, grammar::control>(input);
    return Builder(info, text).build(*root);
  } catch (const parse_error& error) {
    fail(text, error.positions().front().column, std::string(error.message()));
  }
}

}  // namespace cuvier
