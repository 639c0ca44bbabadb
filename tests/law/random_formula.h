#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "hypotheses/formulas/formula.h"
#include "probes/device.h"
#include "probes/error.h"
#include "probes/rng.h"

namespace cuvier {

/// Draws formulas over an axis's names, of any shape.
class RandomFormula {
 public:
  RandomFormula(const FormulaInfo& info, const Device& device, Rng& rng) : info_(info), rng_(rng) {
    for (const FormulaName& name : info.names) {
      if (name.needs == Needs::gpc_map && device.gpc_of_sm.empty()) continue;
      names_.emplace_back(name.name);
    }
  }

  /// One that the axis takes.
  Formula draw() {
    return first_taken([&] {
      return gives_condition() ? condition(2) : info_.orders() ? tuple() : number(3);
    });
  }

  /// One that says nearly what this one does, or the same.
  Formula draw_near(const std::string& text) {
    return first_taken([&] {
      const bool is_tuple = parse_formula(info_, text).parts.size() > 1;
      const std::string same = '(' + text + ')';
      if (is_tuple || uniform(rng_, 0, 9) == 0) return draw().text;
      if (gives_condition()) {
        return fmt::format("{} {} {}", same, pick(rng_, {"and", "or"}), condition(1));
      }
      switch (uniform(rng_, 0, info_.orders() ? 4 : 2)) {
        case 0:
          return fmt::format("{} + ({} ? 1 : 0)", same, condition(1));
        case 1:
          return fmt::format("max({}, {})", same, number(0));
        case 2:
          return fmt::format("{} ? {} : {}", condition(1), same, number(1));
        case 3:
          return fmt::format("{} * 2 + ({} ? 1 : 0)", same, condition(0));
        default:
          return fmt::format("({}, {})", same, number(1));
      }
    });
  }

 private:
  bool gives_condition() const { return info_.gives == FormulaInfo::Gives::condition; }

  Formula first_taken(const auto& text) {
    for (;;) {
      try {
        return parse_formula(info_, text());
      } catch (const Error&) {  // it could leave what a number may be
      }
    }
  }

  std::string tuple() {
    std::string parts = number(2);
    const int more = uniform(rng_, 0, 2);
    for (int i = 0; i < more; ++i) parts += ", " + number(1);
    return more == 0 ? parts : '(' + parts + ')';
  }

  std::string number(int depth) {
    if (depth == 0 || uniform(rng_, 0, 4) == 0) {
      if (uniform(rng_, 0, 3) > 0) return pick_from(rng_, names_);
      return std::to_string(pick(rng_, {0, 1, 2, 3, 5, 8, 31, 64, 100, 1024, 4096}));
    }
    const std::string a = number(depth - 1);
    const std::string b = number(depth - 1);
    switch (uniform(rng_, 0, 8)) {
      case 0:
        return fmt::format("min({}, {})", a, b);
      case 1:
        return fmt::format("max({}, {})", a, b);
      case 2:
        return fmt::format("abs({})", a);
      case 3:
        return fmt::format("power({})", a);
      case 4:
        return fmt::format("({} ? {} : {})", condition(depth - 1), a, b);
      default:
        return fmt::format("({} {} {})", a, pick(rng_, {"+", "-", "*", "/", "mod"}), b);
    }
  }

  std::string condition(int depth) {
    if (depth > 0 && uniform(rng_, 0, 2) == 0) {
      const std::string a = condition(depth - 1);
      if (uniform(rng_, 0, 3) == 0) return fmt::format("not ({})", a);
      return fmt::format("({} {} {})", a, pick(rng_, {"and", "or"}), condition(depth - 1));
    }
    const char* const op = pick(rng_, {"<", "<=", ">", ">=", "==", "!="});
    return fmt::format("{} {} {}", number(depth), op, number(depth > 0 ? depth - 1 : 0));
  }

  const FormulaInfo& info_;
  Rng& rng_;
  std::vector<std::string> names_;  ///< that the device has
};

inline Formula random_formula(const FormulaInfo& info, const Device& device, Rng& rng) {
  return RandomFormula(info, device, rng).draw();
}

}  // namespace cuvier
