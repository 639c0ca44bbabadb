#include "solver/check/device_corrections.h"

#include <algorithm>
#include <optional>

namespace cuvier {
namespace {

constexpr std::size_t most_corrections = 2;

/// The hypothesis with what the granularities leave, the first candidate that shows all of each;
/// those that nothing explains are counted.
Hypothesis with_granularities(const Device& device, Hypothesis hypothesis, const Measured& measured,
                              int& unexplained) {
  for (const GranularityCheck& each : measured.granularities) {
    const auto candidate = std::ranges::find_if(
        each.candidates, [&](const Hypothesis& some) { return shows(device, some, each); });
    if (candidate == each.candidates.end()) {
      ++unexplained;
    } else {
      for (const int axis : each.axes) hypothesis.values[axis] = candidate->values[axis];
    }
  }
  return hypothesis;
}

class Corrector {
 public:
  Corrector(const Measured& measured, const Task& task) : measured_(measured), task_(task) {}

  /// Corrections of just so many facts, if such explain everything.
  std::optional<std::vector<DeviceCorrection>> of(const Device& device, std::size_t size) const {
    int unexplained = 0;
    const Hypothesis hypothesis = with_granularities(device, {}, measured_, unexplained);
    const auto wrong = std::ranges::find_if(measured_.limits, [&](const LimitCheck& limit) {
      return !shows(device, hypothesis, limit);
    });
    if (wrong == measured_.limits.end()) {
      if (unexplained > 0 || size > 0) return std::nullopt;
      return std::vector<DeviceCorrection>{};
    }
    if (size == 0) return std::nullopt;
    for (const DeviceCorrection& correction : single_corrections(device)) {
      task_.still();
      const Device other = corrected(device, {correction});
      if (!shows(other, hypothesis, *wrong)) continue;
      if (auto more = of(other, size - 1)) {
        more->insert(more->begin(), correction);
        return more;
      }
    }
    return std::nullopt;
  }

 private:
  const Measured& measured_;
  const Task& task_;
};

}  // namespace

bool explains(const Device& device, const Hypothesis& hypothesis, const Measured& measured) {
  int unexplained = 0;
  const Hypothesis granular = with_granularities(device, hypothesis, measured, unexplained);
  return unexplained == 0 && std::ranges::all_of(measured.limits, [&](const LimitCheck& limit) {
           return shows(device, granular, limit);
         });
}

std::vector<DeviceCorrection> smallest_corrections(const Device& device, const Measured& measured,
                                                   const Task& task) {
  for (std::size_t size = 1; size <= most_corrections; ++size) {
    if (auto found = Corrector(measured, task).of(device, size)) return *std::move(found);
  }
  return {};
}

}  // namespace cuvier
