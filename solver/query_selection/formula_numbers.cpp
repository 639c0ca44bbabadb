#include "solver/query_selection/formula_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hypotheses/axes.h"
#include "probes/families/families.h"
#include "probes/family.h"

namespace cuvier {

namespace {
constexpr int kMostUrgent = 5;  // streams have priorities from 0 to -5
constexpr int kMostWaves = 3;   // of a grid; more take long to predict

/// So many small kernels more before some action, each in a stream of its own.
Probe with_streams(Probe probe, int more, Rng& rng) {
  const int at = uniform(rng, 0, static_cast<int>(probe.script.size()));
  for (int number = 1; more > 0; ++number) {
    Kernel kernel = small_block(rng, 1);
    kernel.name = fmt::format("s{}", number);
    if (probe.find(kernel.name)) continue;
    const auto launched = static_cast<int>(probe.kernels.size());
    probe.kernels.push_back(std::move(kernel));
    probe.script.insert(probe.script.begin() + at, Action{launched, {}});
    --more;
  }
  return probe;
}
}  // namespace

FormulaNumbers::FormulaNumbers(const std::vector<Hypothesis>& hypotheses, std::vector<int> others)
    : numbers_(std::move(others)) {
  for (const Hypothesis& hypothesis : hypotheses) {
    for (int axis = 0; axis < kAxes; ++axis) {
      if (hypothesis.values[axis] < named_values(axis)) continue;
      if (axis == index_of<Connection>()) are_of_connections_ = true;
      for (const Formula::Node& node : formula_of(axis, hypothesis.values[axis]).nodes) {
        if (node.op == Formula::Op::constant) numbers_.push_back(node.value);
      }
    }
  }
  std::ranges::sort(numbers_);
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
}

Probe FormulaNumbers::put_into(Probe probe, const Device& device, Rng& rng) const {
  if (are_of_connections_ && uniform(rng, 0, 1) == 0) {
    const int number = pick_from(rng, numbers_) - uniform(rng, 0, 2);
    return with_streams(std::move(probe), std::clamp(number, 0, device.max_resident_kernels), rng);
  }
  const int which = uniform(rng, 0, static_cast<int>(probe.kernels.size()) - 1);
  Kernel kernel = probe.kernels[which];
  const Kernel& other = pick_from(rng, probe.kernels);
  // A number may be what an SM holds: of two blocks.
  const auto beside = [&](int number, int others) {
    return number > others && pick(rng, {false, true}) ? number - others : number;
  };
  for (int more = uniform(rng, 1, 3); more > 0; --more) {
    const int number = pick_from(rng, numbers_) + pick(rng, {-1, 0, 0, 0, 1});
    switch (uniform(rng, 0, 4)) {
      case 0:
        kernel.registers = number;
        break;
      case 1:
        kernel.threads = 32 * std::min(beside(number, other.warps()), device.max_threads_per_block);
        break;
      case 2:  // without or with what the runtime reserves, as documented
        kernel.shared = beside(number, other.shared) - pick(rng, {0, kKiB});
        break;
      case 3:
        kernel.blocks = std::min(number, kMostWaves * device.sms * device.max_blocks_per_sm);
        break;
      case 4:
        kernel.priority = -std::clamp(number, 0, kMostUrgent);
    }
  }
  auto changed = with_kernel(probe, which, to_legal(std::move(kernel), device), device);
  return changed ? std::move(*changed) : std::move(probe);
}

}  // namespace cuvier
