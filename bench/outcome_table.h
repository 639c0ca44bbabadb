#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "hypotheses/simulator.h"
#include "probes/fact.h"

namespace cuvier {

/// Classes of hypotheses by their numbers, ascending.
using Subset = std::vector<int>;

/// The least sum of the depths of `leaves` leaves in a tree of which no node has more than so
/// many children: the fewest probes that tell them apart, over all of them together.
inline double least_depth_sum(double leaves, int children) {
  // Full down to a level; what it cannot hold goes one below, where a leaf that becomes a node
  // makes room for children - 1 more.
  if (leaves <= 1) return 0;
  double level = 1;
  double depth = 0;
  while (level * children <= leaves) {
    level *= children;
    ++depth;
  }
  const double split = std::ceil((leaves - level) / (children - 1));
  return depth * leaves + (leaves - level + split);
}

inline double least_depth(double leaves, int children) {
  double depth = 0;
  for (double held = 1; held < leaves; held *= children) ++depth;
  return depth;
}

/// What each probe of a pool shows, in a session of its own, under each of some hypotheses.
/// Hypotheses that no probe separates are one class.
class OutcomeTable {
 public:
  OutcomeTable(const Device& device, const std::vector<Hypothesis>& members,
               const std::vector<Probe>& pool) {
    std::vector<Simulator> simulators;
    simulators.reserve(members.size());
    for (const Hypothesis& member : members) simulators.emplace_back(device, member);
    std::vector<std::vector<int>> columns;  // of a probe: the outcome of each member
    for (const Probe& probe : pool) {
      std::map<std::vector<int>, int> numbers;
      std::vector<int>& column = columns.emplace_back();
      for (Simulator& simulator : simulators) {
        column.push_back(static_cast<int>(
            numbers.try_emplace(sms(simulator.preview(probe)), numbers.size()).first->second));
      }
    }
    std::map<std::vector<int>, std::vector<int>> classes;  // by what all probes show
    for (int member = 0; member < static_cast<int>(members.size()); ++member) {
      std::vector<int> row;
      for (const auto& column : columns) row.push_back(column[member]);
      classes[row].push_back(member);
    }
    for (auto& [row, alike] : classes) members_of_class_.push_back(std::move(alike));
    for (const auto& column : columns) {
      std::vector<int>& outcomes = outcomes_.emplace_back();
      for (const auto& alike : members_of_class_) outcomes.push_back(column[alike.front()]);
    }
  }

  int classes() const { return static_cast<int>(members_of_class_.size()); }
  int probes() const { return static_cast<int>(outcomes_.size()); }
  int outcome(int probe, int of_class) const { return outcomes_[probe][of_class]; }
  const std::vector<std::vector<int>>& members_of_class() const { return members_of_class_; }

  Subset all() const {
    Subset all(classes());
    for (int i = 0; i < classes(); ++i) all[i] = i;
    return all;
  }

  Subset left(const Subset& among, int probe, int truth) const {
    Subset left;
    for (const int c : among) {
      if (outcome(probe, c) == outcome(probe, truth)) left.push_back(c);
    }
    return left;
  }

  /// By outcome.
  std::vector<Subset> split(const Subset& among, int probe) const {
    std::map<int, Subset> parts;
    for (const int c : among) parts[outcome(probe, c)].push_back(c);
    std::vector<Subset> split;
    for (auto& [outcome, part] : parts) split.push_back(std::move(part));
    std::ranges::sort(split);
    return split;
  }

  int most_outcomes() const {
    std::size_t most = 0;
    for (int probe = 0; probe < probes(); ++probe) {
      most = std::max(most, split(all(), probe).size());
    }
    return static_cast<int>(most);
  }

  /// Asks the probe of most entropy until one class is left, whichever it is: calls `end` with
  /// the number of probes for each.
  template <class End>
  void greedy(const Subset& among, int asked, const End& end) const {
    if (among.size() == 1) return end(asked);
    double best = among.size() * std::log2(static_cast<double>(among.size()));
    std::vector<Subset> parts;
    for (int probe = 0; probe < probes(); ++probe) {
      double left = 0;  // bits times classes
      std::vector<Subset> here = split(among, probe);
      for (const Subset& part : here) {
        left += part.size() * std::log2(static_cast<double>(part.size()));
      }
      if (parts.empty() ? here.size() > 1 : left < best - 1e-9) {
        best = left;
        parts = std::move(here);
      }
    }
    for (const Subset& part : parts) greedy(part, asked + 1, end);
  }

 private:
  static std::vector<int> sms(const Observation& observation) {
    std::vector<int> sms;
    for (const Step& step : observation.steps) {
      sms.push_back(-1);
      for (const Started& started : step.started) {
        sms.push_back(-2 - started.kernel);
        sms.insert(sms.end(), started.sm.begin(), started.sm.end());
      }
    }
    return sms;
  }

  std::vector<std::vector<int>> members_of_class_;
  std::vector<std::vector<int>> outcomes_;  ///< by probe and class
};

/// The fewest probes of the pool that tell all classes apart, each probe chosen knowing the
/// answers before it: branch and bound over what may be left.
class Optimum {
 public:
  enum class Goal { average, worst };

  /// Gives up after so many splits of a set.
  Optimum(const OutcomeTable& table, long steps) : table_(table), steps_allowed_(steps) {}

  /// Of `average`: the sum over all classes. None where it gave up.
  std::optional<double> of(Goal goal) {
    goal_ = goal;
    known_.clear();
    steps_ = 0;
    std::vector<int> probes(table_.probes());
    for (int i = 0; i < table_.probes(); ++i) probes[i] = i;
    const double least = search(table_.all(), probes);
    if (steps_ > steps_allowed_) return std::nullopt;
    return least;
  }

 private:
  double bound(double classes, int outcomes) const {
    return goal_ == Goal::worst ? least_depth(classes, outcomes)
                                : least_depth_sum(classes, outcomes);
  }

  struct Choice {
    double bound;
    std::vector<Subset> parts;
  };

  double search(const Subset& among, const std::vector<int>& probes) {
    const double size = static_cast<double>(among.size());
    if (among.size() <= 1) return 0;
    if (among.size() == 2) return goal_ == Goal::worst ? 1 : 2;
    if (const auto known = known_.find(among); known != known_.end()) return known->second;

    // Probes that split this set alike are one, and one that does not split it splits no part.
    std::set<std::vector<Subset>> splits;
    std::vector<int> useful;
    std::size_t most = 1;
    for (const int probe : probes) {
      if (++steps_ > steps_allowed_) return 0;
      std::vector<Subset> parts = table_.split(among, probe);
      if (parts.size() == 1) continue;
      most = std::max(most, parts.size());
      useful.push_back(probe);
      splits.insert(std::move(parts));
    }
    std::vector<Choice> choices;
    for (const auto& parts : splits) {
      double least = goal_ == Goal::worst ? 0 : size;
      for (const Subset& part : parts) {
        const double of_part = bound(static_cast<double>(part.size()), static_cast<int>(most));
        least = goal_ == Goal::worst ? std::max(least, 1 + of_part) : least + of_part;
      }
      choices.push_back({least, parts});
    }
    std::ranges::stable_sort(choices, {}, &Choice::bound);
    double best = 1e300;
    for (const Choice& choice : choices) {
      if (choice.bound >= best) break;
      double cost = goal_ == Goal::worst ? 1 : choice.bound;
      for (const Subset& part : choice.parts) {
        const double of_part = search(part, useful);
        if (steps_ > steps_allowed_) return 0;
        if (goal_ == Goal::worst) {
          cost = std::max(cost, 1 + of_part);
        } else {
          cost += of_part - bound(static_cast<double>(part.size()), static_cast<int>(most));
        }
        if (cost >= best) break;
      }
      best = std::min(best, cost);
    }
    return known_[among] = best;
  }

  const OutcomeTable& table_;
  const long steps_allowed_;
  Goal goal_ = Goal::average;
  long steps_ = 0;
  std::map<Subset, double> known_;
};

}  // namespace cuvier
