#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>

#include "hypotheses/readings/concrete.h"
#include "hypotheses/scheduler/sm_rules.h"
#include "solver/smt/term.h"

namespace cuvier {

/// One hypothesis, over terms.
using Terms = UnderHypothesis<TermInt, TermBool>;
static_assert(ValueDomain<Terms>);

/// A kernel of which nothing is known but its name.
template <>
Demand<Terms> demand<Terms>(const Kernel& k);
/// Of which nothing is known: its terms have this name.
inline Kernel kernel_named(const char* name) {
  Kernel kernel;
  kernel.name = name;
  return kernel;
}

/// That a launch of that kernel is legal on the device, as far as terms can say it.
TermBool legal(const Demand<Terms>& k, const Device& device);

/// Address spaces of which only this is known: what is done to equal ones in the same way leaves
/// them equal, and what is asked of equal ones has the same answer. `space` numbers them.
template <>
struct AddressSpace<Terms> {
  using Int = TermInt;
  using Bool = TermBool;

  static constexpr int kSpaces = 4;
  /// None: nothing is allocated in it.
  std::array<std::optional<z3::expr>, kSpaces> contents;
  std::array<std::optional<z3::expr>, kSpaces> before;  ///< contents before the latest blocks came
  Int arrived = 0;                                      ///< what has been allocated since

  /// Spaces of any contents, named after `name`.
  static AddressSpace any(const std::string& name);

  void allocate(const Bool& used, const Int& space, const Int& base, const Int& size, int owner);
  void release(int owner);
  /// Of blocks that stay the last, as all do in proofs: then nothing moves.
  void move_last(int /*last*/, int ahead_of) const {
    if (ahead_of != 0) throw std::logic_error("in proofs a block is the last of the residents");
  }
  Int total() const;
  Int left(const Int& capacity) const { return capacity - total(); }  ///< where it is sound
  Int longest_gap(const Int& space, const Int& capacity) const;
  Int units(const Int& space, const Int& capacity, const Int& size) const;
  Int longest_ring_gap(const Int& capacity) const;
  Int ring_units(const Int& capacity, const Int& size) const;
  Int ring_fit(const Int& capacity, const Int& size) const;
  Int first_fit(const Int& space, const Int& capacity, const Int& size) const {
    return fit_by(SharedPlacement::first_fit, space, capacity, size);
  }
  Int first_multiple(const Int& space, const Int& capacity, const Int& size, const Int& step) const;
  Int best_fit(const Int& space, const Int& capacity, const Int& size) const {
    return fit_by(SharedPlacement::best_fit, space, capacity, size);
  }
  Int fit_by(int placement, const Int& space, const Int& capacity, const Int& size,
             const auto& /*key*/) const {
    return fit_by(placement, space, capacity, size);
  }

  /// What is true of gaps whatever there is.
  Bool sound(const Int& space, const Int& capacity) const;

  /// That they hold the same.
  static Bool same(const AddressSpace& a, int space_of_a, const AddressSpace& b, int space_of_b);

 private:
  Int fit_by(int placement, const Int& space, const Int& capacity, const Int& size) const;
};

}  // namespace cuvier
