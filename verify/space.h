#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "verify/mechanism.h"
#include "verify/recording.h"

namespace cuvier::verify {

/// Hypotheses: any combination of these values of the axes.
class Space {
 public:
  /// All of one outcome and with a named order that the device permits.
  explicit Space(const Device& device);
  /// That one alone.
  explicit Space(const Mechanism& hypothesis);

  /// Only these: "AXIS=VALUE,VALUE", where a value may be a formula. Throws Unreadable.
  void restrict_to(const std::string& assumption, const std::string& where);
  /// Of that axis only that value, a last resort. Whether it is permitted.
  bool consider(int axis, const std::string& last_resort);

  /// Whether there are only last resorts.
  bool nothing() const {
    return std::ranges::any_of(values_, [](const auto& values) { return values.empty(); });
  }
  const std::vector<const Value*>& values(int axis) const { return values_[axis]; }
  /// How many there are, last resorts among them that are not considered.
  double combinations() const;

 private:
  std::array<std::vector<const Value*>, axis_count> values_;
  std::array<std::vector<const Value*>, axis_count> last_resorts_;  ///< that are permitted
};

/// Considered only where nothing else is left: it explains whatever others do.
bool is_last_resort(std::string_view value);

}  // namespace cuvier::verify
