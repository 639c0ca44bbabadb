#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "solver/invention/axis_search.h"

namespace cuvier {

/// What to search for: a formula of one axis, under what is otherwise this mechanism.
struct Sought {
  Hypothesis mechanism;
  int axis = 0;
  std::uint32_t names = 0;  ///< what it may read of the axis's names, a bit each
  const std::vector<Session>* sessions = nullptr;
  std::vector<int> wrong = {};  ///< those that the mechanism does not explain

  bool is_as(const Sought& other) const;
};

/// AxisSearches that go on beside each other, on all cores. What they find, and in which order,
/// does not depend on how many cores there are.
class AxisSearches {
 public:
  AxisSearches() = default;
  /// Has each find out what its rule may be the reason of, in so many blocks; what explains most
  /// comes first. Device, sessions and assumptions must outlive it.
  AxisSearches(const Device& device, const std::vector<Sought>& sought,
               const Assumptions& assumptions, const ProposalLimits& limits, double work_one_by_one,
               const Task& task);

  auto begin() const { return searches_.begin(); }
  auto end() const { return searches_.end(); }
  double work() const;  ///< ProposalLimits::most_work

  using Which = bool (AxisSearch::*)() const;
  /// Formulas up to that size. What was worked on least goes on, until it has found something and
  /// the others had as much. An axis that could be the reason of few sessions gets as much less.
  std::vector<Proposal> by_size(int largest, Which which, const ProposalLimits& limits,
                                const Task& task);

  /// Rules in two cases, of the axes that could be the reason of some session or of the others.
  /// Once one has found any, the others get as much work as that took.
  std::vector<Proposal> in_two_cases(bool of_some, AxisSearch::Cases cases, ProposalLimits limits,
                                     const Task& task);

  /// Formulas come to by single changes, of the likeliest axes first.
  std::vector<Proposal> grown(double most_work, const Task& task);

  /// Of the first of these axes, the formulas that explain most (AxisSearch::best).
  std::vector<Proposal> best(Which which, int most, int largest, double least,
                             const ProposalLimits& limits, const Task& task);

 private:
  std::vector<std::unique_ptr<AxisSearch>> searches_;
};

}  // namespace cuvier
