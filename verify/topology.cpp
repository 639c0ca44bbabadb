#include "verify/topology.h"

namespace cuvier::verify {

Groups::Groups(const std::vector<int>& order, const std::vector<int>& labels)
    : of_sm(labels.size(), -1), place(labels.size(), -1) {
  if (labels.empty()) return;
  std::map<int, int> group_of_label;
  for (const int sm : order) {
    const int group = group_of_label.emplace(labels[sm], count()).first->second;
    if (group == count()) sms.emplace_back();
    of_sm[sm] = group;
    place[sm] = size(group);
    sms[group].push_back(sm);
  }
}

Topology::Topology(const Device& of, std::vector<int> learned)
    : device(of),
      linear(numbers_below(of.sms)),
      tpcs(linear, of.tpc_of_sm),
      gpcs(linear, of.gpc_of_sm),
      learned_(std::move(learned)) {
  for (const auto& sms : gpcs.sms) tpcs_of_gpc.emplace_back(sms, of.tpc_of_sm);
}

std::vector<int> Topology::order_by(const Formula& tie_break) const {
  const bool has_gpcs = gpcs.count() > 0;
  return by_key(linear, [&](int sm) {
    const int tpc = tpcs.of_sm[sm];
    const int gpc = has_gpcs ? gpcs.of_sm[sm] : 0;
    return tie_break.tuple({sm, device.sms, tpc, tpcs.count(), tpcs.place[sm], gpc, gpcs.count(),
                            has_gpcs ? gpcs.place[sm] : 0, has_gpcs ? gpcs.size(gpc) : 0,
                            has_gpcs ? tpcs_of_gpc[gpc].of_sm[sm] : 0});
  });
}

const Groups& Topology::in_order(const Value* tie_break, const Value* hierarchy) const {
  const auto known = in_order_.find({tie_break, hierarchy});
  if (known != in_order_.end()) return known->second;
  const std::vector<int> sms = tie_break->rule ? order_by(*tie_break->rule) : learned_;
  const Groups groups(sms, hierarchy->text == "flat"  ? std::vector<int>(device.sms)
                           : hierarchy->text == "tpc" ? device.tpc_of_sm
                                                      : device.gpc_of_sm);
  return in_order_.emplace(std::pair(tie_break, hierarchy), groups).first->second;
}

}  // namespace cuvier::verify
