#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "hypotheses/axes/config_scope.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/scheduler/options.h"

namespace cuvier {

/// A carve-out domain: how many blocks it holds, and its configuration. Int is what quantities are.
template <class Int>
struct CarveOutDomain {
  static constexpr int kNobody = -1;

  int blocks = 0;
  int setter = kNobody;  ///< the kernel whose block brought the configuration about
  bool emptied = false;  ///< its last block left in this action
  Int config{};          ///< of an idle domain, what is remembered

  bool operator==(const CarveOutDomain&) const = default;

  bool idle() const { return blocks == 0; }
  void configure(int kernel, Int with_block) {
    if (idle() || !same_at_once(config, with_block)) setter = kernel;
    config = std::move(with_block);
    emptied = false;
  }
};

/// The carve-out domains of TPCs and of the device. Copies share what never changes.
template <class Int>
class CarveOutDomains {
 public:
  using Domain = CarveOutDomain<Int>;

  explicit CarveOutDomains(const Device& device)
      : tpcs_(std::make_shared<Grouping>(grouping_of(device, Hierarchy::tpc))),
        all_(tpcs_->members.size() + 1) {}
  bool operator==(const CarveOutDomains& other) const { return all_ == other.all_; }

  const Domain& device() const { return all_.back(); }
  const Domain& tpc_of(int sm) const { return all_[tpcs_->of_sm[sm]]; }
  /// The SMs of its TPC.
  const std::vector<int>& mates_of(int sm) const { return tpcs_->mates_of(sm); }
  /// Those of the TPCs, then that of the device.
  const std::vector<Domain>& all() const { return all_; }
  std::vector<Domain>& all() { return all_; }

  void change_around(int sm, auto&& change) {
    change(ConfigScope::tpc, all_[tpcs_->of_sm[sm]]);
    change(ConfigScope::device, all_.back());
  }

 private:
  std::shared_ptr<const Grouping> tpcs_;
  std::vector<Domain> all_;
};

/// Which carve-out domains around an SM are idle, by ConfigScope.
struct IdleDomains {
  bool sm = true;
  bool tpc = true;
  bool device = true;

  bool of(ConfigScope::Value scope) const {
    if (scope == ConfigScope::tpc) return tpc;
    if (scope == ConfigScope::sm) return sm;
    return scope == ConfigScope::device && device;
  }
  bool operator==(const IdleDomains&) const = default;
  std::size_t hash() const { return sm + 2 * tpc + 4 * device; }
};
/// Those, and which of them became idle in this action.
struct DomainsAround {
  IdleDomains idle;
  IdleDomains emptied;
};

}  // namespace cuvier
