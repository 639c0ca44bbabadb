#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "verify/device.h"
#include "verify/mechanism.h"

namespace cuvier::verify {

/// The hypotheses that are considered: any combination of these values of the axes.
class Space {
 public:
  /// All of one outcome and with a named order that the device permits.
  explicit Space(const Device& device);

  /// Only these: "AXIS=VALUE,VALUE", where a value may be a formula. Throws Unreadable.
  void restrict_to(const std::string& assumption, const std::string& where);

  /// Of that axis only that value, a last resort. Whether it is permitted.
  bool consider(int axis, std::string_view last_resort);
  /// Whether some of them have several outcomes.
  bool has_drift() const;

  /// Whether there are only last resorts.
  bool nothing() const {
    return std::ranges::any_of(values_, [](const auto& values) { return values.empty(); });
  }
  const std::vector<Value>& values(int axis) const { return values_[axis]; }
  /// The value of that name, or which is that formula. Throws Unreadable.
  Value value(int axis, const std::string& text, const std::string& where);
  std::string text(int axis, const Value& value) const;
  /// How many there are, last resorts among them that are not considered.
  double combinations() const;
  /// Nothing decided but axes with one value.
  Mechanism undecided() const;

 private:
  struct Written {
    int axis;
    std::string text;
    std::unique_ptr<Formula> formula;
  };
  std::array<std::vector<Value>, axis_count> values_;
  std::array<std::vector<Value>, axis_count> last_resorts_;  ///< that are permitted
  std::vector<Written> formulas_;
};

/// What the value asks of a device: a map of its GPCs, or that it launches clusters.
Needs needs_of(int axis, int named);
/// Considered only where nothing else is left: it explains whatever others do.
bool is_last_resort(std::string_view value);

}  // namespace cuvier::verify
