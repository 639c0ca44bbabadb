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

Topology::Topology(const Device& of, const Space& space, const std::vector<int>& learned)
    : device(of),
      linear(numbers_below(of.sms)),
      tpcs(linear, of.tpc_of_sm),
      gpcs(linear, of.gpc_of_sm) {
  for (const auto& sms : gpcs.sms) tpcs_of_gpc.emplace_back(sms, of.tpc_of_sm);
  number_groups.resize(of.sms);
  for (const int kind : {0, 1}) {
    int& gpcs = gpcs_of_kind[kind];
    for (int gpc = 0; gpc < this->gpcs.count(); ++gpc) {
      if ((tpcs_of_gpc[gpc].count() == 1) != (kind == 0)) continue;
      const NumberGroup group{kind, kind == 0 ? gpcs / 2 : gpcs, gpcs};
      for (const int sm : this->gpcs.sms[gpc]) number_groups[sm] = group;
      pass.push_back(gpc);
      if (kind == 0) sms_of_lone_tpc = std::max(sms_of_lone_tpc, this->gpcs.size(gpc));
      ++gpcs;
    }
  }
  for (const auto& sms : tpcs.sms) whole_tpc = std::max(whole_tpc, static_cast<int>(sms.size()));
  std::vector<const Value*> hierarchies = space.values(Axis("hierarchy"));
  hierarchies.push_back(nullptr);
  for (const Value* tie_break : space.values(Axis("tie_break"))) {
    const auto key = [&](int sm) { return said_of(sm, *tie_break->rule); };
    const std::vector<int> order = tie_break->rule ? by_key(linear, key) : learned;
    for (const Value* hierarchy : hierarchies) {
      const bool is_flat = !hierarchy || !hierarchy->rule;
      in_order_.try_emplace({tie_break, hierarchy}, order,
                            labels(is_flat ? nullptr : &*hierarchy->rule));
    }
  }
}

Formula::Key Topology::said_of(int sm, const Formula& rule) const {
  const auto [gpc, place, sms_of_gpc] = in_gpc(sm);
  return rule.tuple({sm, device.sms, tpcs.of_sm[sm], tpcs.count(), tpcs.place[sm], gpc,
                     gpcs.count(), place, sms_of_gpc,
                     gpcs.count() > 0 ? tpcs_of_gpc[gpc].of_sm[sm] : 0});
}

std::vector<int> Topology::labels(const Formula* hierarchy) const {
  if (!hierarchy) return std::vector<int>(device.sms);
  std::map<Formula::Key, int> known;
  std::vector<int> labels;
  for (const int sm : linear) {
    const int next = static_cast<int>(known.size());
    labels.push_back(known.try_emplace(said_of(sm, *hierarchy), next).first->second);
  }
  return labels;
}

}  // namespace cuvier::verify
