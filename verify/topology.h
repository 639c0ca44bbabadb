#pragma once

// The order of the SMs and the groups that they make: scheduler.md, 4.3 and 4.4.

#include <map>

#include "verify/mechanism.h"

namespace cuvier::verify {

/// SMs in groups, which come by their first SM in an order.
struct Groups {
  /// Those with the same label are together; no labels, no groups.
  Groups(const std::vector<int>& order, const std::vector<int>& labels);

  std::vector<std::vector<int>> sms;
  std::vector<int> of_sm;
  std::vector<int> place;  ///< of each SM in its group

  int count() const { return static_cast<int>(sms.size()); }
  int size(int group) const { return static_cast<int>(sms[group].size()); }
};

/// What is so on a device whatever it runs.
class Topology {
 public:
  /// Of a device, for hypotheses of the space; `learned`: the order where tie_break=learned. The
  /// device must outlive it.
  Topology(const Device& device, const Space& space, const std::vector<int>& learned);

  const Device& device;
  const std::vector<int> linear;  ///< the SMs by their number
  const Groups tpcs;
  const Groups gpcs;
  std::vector<Groups> tpcs_of_gpc;
  /// What numbering=by_gpc goes by: GPCs of a single TPC (kind 0) in pairs, the others (1) alone;
  /// and which of its kind the GPC is.
  struct NumberGroup {
    int kind = 1;
    int group = 0;
    int gpc = 0;
  };
  std::vector<NumberGroup> number_groups;  ///< by SM
  std::array<int, 2> gpcs_of_kind{};
  /// How many of a kind come between two, round and round.
  int turns_behind(int kind, int behind, int gpc) const {
    return (gpc - behind - 1 + gpcs_of_kind[kind]) % gpcs_of_kind[kind];
  }
  std::vector<int> pass;    ///< GPCs as clusters pass by pass go through them
  int whole_tpc = 1;        ///< SMs of the largest TPC
  int sms_of_lone_tpc = 0;  ///< the same of those that are GPCs

  /// What formulas read of an SM's GPC: which it is, SMs of it before this one, and all. 0 where
  /// nobody knows.
  struct InGpc {
    int gpc = 0;
    int place = 0;
    int sms = 0;
  };
  /// Those in the SM's group, itself among them; where there are no groups, all.
  const std::vector<int>& mates(const Groups& groups, int sm) const {
    return groups.count() == 0 ? linear : groups.sms[groups.of_sm[sm]];
  }
  InGpc in_gpc(int sm) const {
    if (gpcs.count() == 0) return {};
    return {gpcs.of_sm[sm], gpcs.place[sm], gpcs.size(gpcs.of_sm[sm])};
  }

  /// Of each SM its group's label in a hierarchy; all have one where it is flat: no formula.
  std::vector<int> labels(const Formula* hierarchy) const;
  /// The groups of a hierarchy, and their SMs, by the tie-break: values of the space.
  const Groups& in_order(const Value* tie_break, const Value* hierarchy) const {
    return in_order_.at({tie_break, hierarchy});
  }
  /// All SMs by the tie-break.
  const Groups& in_order(const Value* tie_break) const {
    return in_order_.at({tie_break, nullptr});
  }

 private:
  Formula::Key said_of(int sm, const Formula& rule) const;

  std::map<std::pair<const Value*, const Value*>, Groups> in_order_;
};

}  // namespace cuvier::verify
