#include "solver/invention/axis_searches.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

namespace cuvier {
namespace {

/// Where the first that finds something ends the search: so many go on at once.
constexpr std::size_t kAtOnce = 4;
/// All go on up to some work, then up to so many times as much.
constexpr double kStep = 1.25;

/// each(0), each(1), ... on all cores.
void all_at_once(std::size_t count, const std::function<void(std::size_t)>& each) {
  tbb::parallel_for(std::size_t{0}, count, each, tbb::simple_partitioner());
}

void append(std::vector<std::vector<Proposal>>& of_each, std::vector<Proposal>& found) {
  for (auto& of_one : of_each) std::ranges::move(of_one, std::back_inserter(found));
}

}  // namespace

bool Sought::is_as(const Sought& other) const {
  if (axis != other.axis || names != other.names) return false;
  Hypothesis alike = other.mechanism;
  alike.values[axis] = mechanism.values[axis];
  if (axis == index_of<TieBreak>()) alike.order = mechanism.order;
  return mechanism == alike;
}

AxisSearches::AxisSearches(const Device& device, const std::vector<Sought>& sought,
                           const Assumptions& assumptions, const ProposalLimits& limits,
                           double work_one_by_one, const Task& task)
    : searches_(sought.size()) {
  all_at_once(sought.size(), [&](std::size_t i) {
    const auto& [mechanism, axis, names, sessions, wrong] = sought[i];
    task.doing(fmt::format("inventing: what {} decides", axis_info(axis).name));
    searches_[i] =
        std::make_unique<AxisSearch>(device, *sessions, mechanism, wrong, axis, names, assumptions);
    searches_[i]->explain_one_by_one(limits, work_one_by_one, task);
  });
  std::ranges::stable_sort(searches_, std::greater{},
                           [](const auto& search) { return search->one_by_one(); });
}

double AxisSearches::work() const {
  return std::transform_reduce(begin(), end(), 0.0, std::plus{},
                               [](const auto& search) { return search->work(); });
}

std::vector<Proposal> AxisSearches::by_size(int largest, Which which, const ProposalLimits& limits,
                                            const Task& task) {
  const auto share = [&](const AxisSearch& search) {
    return which == &AxisSearch::explains_some ? search.plausibility() : 1;
  };
  double most_work = limits.most_work;
  double up_to = 1;
  const auto may_go_on = [&](const AxisSearch& search) {
    return (search.*which)() && search.size() < largest &&
           search.work_on_sizes() < most_work * share(search);
  };
  std::vector<Proposal> found;
  while (work() < limits.most_work_in_all) {
    double least = std::numeric_limits<double>::max();
    for (const auto& search : searches_) {
      if (may_go_on(*search)) least = std::min(least, search->work_on_sizes());
    }
    if (least == std::numeric_limits<double>::max()) break;
    up_to = kStep * std::max(up_to, least);
    std::vector<std::vector<Proposal>> of_each(searches_.size());
    all_at_once(searches_.size(), [&](std::size_t i) {
      AxisSearch& search = *searches_[i];
      ProposalLimits limits_of_one = limits;
      limits_of_one.most_work *= share(search);
      while (of_each[i].empty() && may_go_on(search) && search.work_on_sizes() < up_to) {
        of_each[i] = search.next_size(limits_of_one, task);
      }
    });
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      if (!of_each[i].empty()) most_work = std::min(most_work, searches_[i]->work_on_sizes());
    }
    append(of_each, found);
  }
  return found;
}

std::vector<Proposal> AxisSearches::in_two_cases(bool of_some, AxisSearch::Cases cases,
                                                 ProposalLimits limits, const Task& task) {
  std::vector<AxisSearch*> these;
  for (const auto& search : searches_) {
    if (search->explains_some() == of_some) these.push_back(search.get());
  }
  std::vector<Proposal> found;
  for (std::size_t first = 0; first < these.size(); first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, these.size() - first);
    std::vector<std::vector<Proposal>> of_each(count);
    std::vector<double> work(count);
    all_at_once(count, [&](std::size_t i) {
      const double before = these[first + i]->work();
      of_each[i] = these[first + i]->in_two_cases(cases, limits, task);
      work[i] = these[first + i]->work() - before;
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (!of_each[i].empty()) limits.most_work = std::min(limits.most_work, work[i]);
    }
    append(of_each, found);
  }
  return found;
}

std::vector<Proposal> AxisSearches::grown(double most_work, const Task& task) {
  std::vector<AxisSearch*> these;
  for (const auto& search : searches_) {
    if (search->explains_some()) these.push_back(search.get());
  }
  std::vector<Proposal> found;
  for (std::size_t first = 0; first < these.size() && found.empty(); first += kAtOnce) {
    std::vector<std::vector<Proposal>> of_each(std::min(kAtOnce, these.size() - first));
    all_at_once(of_each.size(), [&](std::size_t i) {
      AxisSearch& search = *these[first + i];
      of_each[i] = search.grown(most_work * search.plausibility(), task);
    });
    append(of_each, found);
  }
  return found;
}

std::vector<Proposal> AxisSearches::best(Which which, int most, int largest, double least,
                                         const ProposalLimits& limits, const Task& task) {
  std::vector<AxisSearch*> these;
  for (const auto& search : searches_) {
    if ((search.get()->*which)() && std::ssize(these) < most) these.push_back(search.get());
  }
  std::vector<std::vector<Proposal>> of_each(these.size());
  all_at_once(these.size(), [&](std::size_t i) {
    auto best = these[i]->best(largest, least, limits, task);
    if (best) of_each[i].push_back(std::move(*best));
  });
  std::vector<Proposal> found;
  append(of_each, found);
  return found;
}

}  // namespace cuvier
