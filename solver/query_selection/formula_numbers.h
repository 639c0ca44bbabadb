#pragma once

#include <utility>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/probe.h"
#include "probes/rng.h"

namespace cuvier {

/// The numbers that hypotheses' formulas name, and others. A rule may be another at just one of
/// them (`bytes == 12345 ? …`), where no family of probes would look.
class FormulaNumbers {
 public:
  FormulaNumbers() = default;
  explicit FormulaNumbers(const std::vector<Hypothesis>& hypotheses, std::vector<int> others = {});

  explicit FormulaNumbers(std::vector<int> numbers) : numbers_(std::move(numbers)) {}

  bool empty() const { return numbers_.empty(); }

  /// The probe with some of the numbers, or one beside them, in one of its kernels: as registers,
  /// warps, bytes, blocks or (negative) priority, or as what blocks of two of them have together,
  /// as far as that is legal. If a formula is about connections: as further streams, perhaps.
  Probe put_into(Probe probe, const Device& device, Rng& rng) const;

 private:
  std::vector<int> numbers_;
  bool are_of_connections_ = false;  ///< some of them
};

}  // namespace cuvier
