#pragma once

#include "hypotheses/scheduler/carve_out_domains.h"
#include "hypotheses/scheduler/options.h"
#include "hypotheses/scheduler/sm_rules.h"

namespace cuvier {

/// What becomes of the configurations of carve-out domains, over a reading R: of each by itself, as
/// if SMs shared no other.
template <class R>
class DomainConfigs {
 public:
  using Int = typename R::Int;
  using Domain = CarveOutDomain<Int>;

  explicit DomainConfigs(R& reading) : reading_(reading) {}

  /// Sees whether a formula may say it. Else the reading is asked only where values of the table
  /// differ.
  void begin() { by_formula_ = may_be_formula<ConfigChange>(); }
  bool by_formula() const { return by_formula_; }

  Int with_block(const ConfigWithBlock& block, const Int& preferred, const Int& target,
                 const Int& current) {
    if (by_formula_ || block.emptied) return reading_.apply(block, preferred, target, current);
    return block.idle.of(block.domain) ? target : current;
  }
  /// Of a domain that became idle in an earlier action.
  Int remembered(const Int& config) {
    return by_formula_ ? reading_.apply(RememberedConfig{}, config) : reading_.constant(0);
  }
  /// Of a domain to which one block came, the first of all, and left.
  Int left_by(const OnKernel& block, ConfigScope::Value domain) {
    const Int preferred = reading_.apply(PreferredConfig{block});
    const Int target = reading_.apply(TargetConfig{block}, preferred);
    return remembered(with_block({block, domain, {}}, preferred, target, reading_.constant(0)));
  }

  /// Whether it is another with each block, perhaps, and not only with the first.
  bool may_change(const Domain& domain) const { return by_formula_ || domain.idle(); }
  bool changed(const Int& config, const Int& before) const {
    return by_formula_ && !same_at_once(config, before);
  }
  /// Whether SMs find another domain than before a block came or left.
  bool changed(const Domain& domain, const Domain& before) const {
    return domain.idle() != before.idle() || domain.emptied != before.emptied ||
           changed(domain.config, before.config);
  }

 private:
  R& reading_;
  bool by_formula_ = false;
};

}  // namespace cuvier
