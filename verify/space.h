#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "verify/device.h"
#include "verify/mechanism.h"

namespace verify {

/// The hypotheses that are considered: any combination of these values of the axes.
class Space {
 public:
  /// All of one outcome and with a named order that the device permits.
  explicit Space(const Device& device);

  /// Only these: "AXIS=VALUE,VALUE", where a value may be a formula. Throws Unreadable.
  void restrict_to(const std::string& assumption, const std::string& where);

  const std::vector<Value>& values(int axis) const { return values_[axis]; }
  /// The value of that name, or which is that formula. Throws Unreadable.
  Value value(int axis, const std::string& text, const std::string& where);
  std::string text(int axis, const Value& value) const;
  double combinations() const;
  /// Nothing decided but axes with one value.
  Mechanism undecided() const;

 private:
  struct Written {
    int axis;
    std::string text;
    std::unique_ptr<Formula> formula;
  };
  bool permits_gpcs_ = false;
  bool permits_clusters_ = false;
  std::array<std::vector<Value>, axis_count> values_;
  std::vector<Written> formulas_;
};

/// What the value asks of a device: a map of its GPCs, or that it launches clusters.
Needs needs_of(int axis, int named);
/// Considered only where nothing else is left: it explains whatever others do.
bool is_last_resort(int axis, int named);

}  // namespace verify
