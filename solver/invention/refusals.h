#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hypotheses/axis.h"
#include "hypotheses/formulas/formula.h"
#include "solver/invention/conditions.h"
#include "solver/invention/placements.h"

namespace cuvier {

/// Learns rules of `admission`: conditions that hold for each SM that took a block, and for none
/// that comes before it by the mechanism's selection.
class Refusals {
 public:
  /// `given`: the names that a device has, a bit each.
  explicit Refusals(std::uint32_t given);

  /// Of so many parts at most; `own` is the mechanism's selection, a formula.
  std::vector<std::string> in(const std::vector<Placement>& placements, const std::string& own,
                              int most_parts) const;
  /// The same on two names together: their sum, difference, product, or twice one less the other.
  std::vector<std::string> of_two_names(const std::vector<Placement>& placements,
                                        const std::string& own) const;
  /// The same of what this rule of marks remembers. The placements have its marks.
  std::vector<std::string> beside(const Formula& mark, const std::vector<Placement>& placements,
                                  const std::string& own) const;

 private:
  /// What SMs held, of these names, that took a block, and that refused one.
  struct Parted {
    Kinds took;
    Kinds refused;
  };
  static Parted parted(const std::vector<Placement>& placements, const std::string& own,
                       const std::vector<FormulaName>& names);

  const std::vector<std::string> turns_;           ///< that conditions read
  const std::vector<std::string> turns_of_marks_;  ///< likewise, beside marks
  std::vector<FormulaName> names_;                 ///< formulas of numbers, which stand as names
  std::vector<FormulaName> names_and_turns_;
};

}  // namespace cuvier
