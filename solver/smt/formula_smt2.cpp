#include "solver/smt/formula_smt2.h"

#include <fmt/format.h>

namespace cuvier {
namespace {

/// Operations that SMT-LIB has, in the order of Formula::Op; empty: it has none.
constexpr std::string_view called[] = {"",   "",  "-",        "abs", "",   "+",   "-",
                                       "*",  "",  "",         "",    "",   "ite", "<",
                                       "<=", "=", "distinct", "and", "or", "not"};

/// What SMT-LIB cannot say without saying an operand twice binds it to a name of its own: with a
/// dot, as no name of a formula has one.
class Writer {
 public:
  Writer(const FormulaInfo& info, const Formula& formula) : info_(info), formula_(formula) {}

  std::string name(int index) const { return fmt::format("our.{}", info_.names[index].name); }

  std::string node(int index) const {
    using Op = Formula::Op;
    const Formula::Node& node = formula_.nodes[index];
    switch (node.op) {
      case Op::constant:
        return fmt::format("{}", node.value);
      case Op::name:
        return name(node.value);
      case Op::power:
        return power(node);
      case Op::quotient:
        return divided("div", node);
      case Op::remainder:
        return divided("mod", node);
      case Op::least:
        return chosen("<=", node);
      case Op::greatest:
        return chosen(">=", node);
      default:
        return call(called[static_cast<int>(node.op)], node);
    }
  }

  /// A part of the formula's value.
  std::string part(int index) const {
    const std::string value = node(formula_.parts[index]);
    const Formula::Range& range = formula_.ranges[index];
    if (info_.gives != FormulaInfo::Gives::number ||
        (range.least >= info_.least && range.most <= info_.most)) {
      return value;
    }
    return fmt::format(
        "(let ((our.a.1 {})) (ite (< our.a.1 {}) {} (ite (> our.a.1 {}) {} our.a.1)))", value,
        number(info_.least), number(info_.least), number(info_.most), number(info_.most));
  }

 private:
  static std::string number(int value) {
    return value < 0 ? fmt::format("(- {})", -std::int64_t{value}) : fmt::format("{}", value);
  }

  std::string power(const Formula::Node& of) const {
    std::string text = fmt::format("{}", Formula::kFurthest);
    for (int power = Formula::kFurthest / 2; power > 0; power /= 2) {
      text = fmt::format("(ite (<= our.a.1 {0}) {0} {1})", power, text);
    }
    return fmt::format("(let ((our.a.1 {})) {})", node(of.of[0]), text);
  }

  std::string call(std::string_view function, const Formula::Node& of) const {
    std::string text = fmt::format("({}", function);
    for (int i = 0; i < operands_of(of.op); ++i) text += ' ' + node(of.of[i]);
    return text + ')';
  }

  /// SMT-LIB rounds down by divisors above 0, as formulas do.
  std::string divided(std::string_view function, const Formula::Node& of) const {
    if (!of.may_divide_by_none) return call(function, of);
    return fmt::format(
        "(let ((our.a.1 {}) (our.b.1 {})) (ite (<= our.b.1 0) 0 ({} our.a.1 our.b.1)))",
        node(of.of[0]), node(of.of[1]), function);
  }

  std::string chosen(std::string_view relation, const Formula::Node& of) const {
    return fmt::format(
        "(let ((our.a.1 {}) (our.b.1 {})) (ite ({} our.a.1 our.b.1) our.a.1 our.b.1))",
        node(of.of[0]), node(of.of[1]), relation);
  }

  const FormulaInfo& info_;
  const Formula& formula_;
};

}  // namespace

std::string formula_smt2(const AxisInfo& axis, const Formula& formula) {
  const Writer writer(*axis.formula, formula);
  const bool is_condition = axis.formula->gives == FormulaInfo::Gives::condition;
  std::string names;
  for (int i = 0; i < std::ssize(axis.formula->names); ++i) {
    names += fmt::format("{}({} Int)", names.empty() ? "" : " ", writer.name(i));
  }
  std::string text;
  for (int part = 0; part < std::ssize(formula.parts); ++part) {
    const std::string which = formula.parts.size() == 1 ? "" : fmt::format(", part {}", part + 1);
    text += fmt::format("(define-fun |{}: {}{}| ({}) {}\n  {})\n", axis.name, formula.text, which,
                        names, is_condition ? "Bool" : "Int", writer.part(part));
  }
  return text;
}

}  // namespace cuvier
