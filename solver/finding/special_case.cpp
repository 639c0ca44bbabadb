#include "solver/finding/special_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "hypotheses/neighbours.h"
#include "hypotheses/scheduler/choice_rules.h"
#include "hypotheses/scheduler/sm_rules.h"

namespace cuvier {
namespace {

/// Rules that know what a block asks for, and those that do not.
using RulesOfBlocks =
    RuleList<FitsWarps, RoomForWarps, PlaceWarps, SharedBytes, PreferredConfig, TargetConfig,
             ConfigWithBlock, FitsShared, RoomInShared, PlaceShared, Admits>;
using OtherRulesOfSms = RuleList<ReleaseWarps, ResetWarps, RememberedConfig, ConfigOfSm>;

/// Whether a rule that reads the axis knows the SM's configuration.
template <class... Rules>
constexpr bool is_under_config(RuleList<Rules...>, int axis) {
  return ((requires { Rules::kConfig; } && members(typename Rules::Axes{})[axis]) || ...);
}

struct Treatment {
  std::string_view words;
  void (*taken_for)(Kernel&);
};

/// What kernels of a kind may be taken for, whatever the rules then are.
constexpr std::array kTreatments{
    Treatment{"has no priority", [](Kernel& k) { k.priority = 0; }},
    Treatment{"needs no local memory", [](Kernel& k) { k.local = 0; }},
    Treatment{"has a stream of its own", [](Kernel& k) { k.stream.reset(); }},
    Treatment{"takes a warp more", [](Kernel& k) { k.threads += kThreadsPerWarp; }},
    Treatment{"takes an even number of warps",
              [](Kernel& k) { k.threads = 2 * kThreadsPerWarp * ((k.warps() + 1) / 2); }},
    Treatment{"takes warps by fours",
              [](Kernel& k) { k.threads = 4 * kThreadsPerWarp * ((k.warps() + 3) / 4); }},
    Treatment{"takes 8 registers more", [](Kernel& k) { k.registers += 8; }},
    Treatment{"takes 128 bytes of shared memory more", [](Kernel& k) { k.shared += 128; }},
    Treatment{"takes 1 KiB of shared memory more", [](Kernel& k) { k.shared += kKiB; }},
};

/// Each documented limit, one unit lower and one higher, and each configuration left out.
std::vector<Deviation> other_limits(const Device& device) {
  std::vector<Deviation> all;
  const auto add = [&](Device other, std::string words) {
    all.push_back({{}, {}, nullptr, std::move(other), std::move(words)});
  };
  const auto vary = [&](int Device::*limit, int unit, std::string_view what) {
    for (const int by : {-unit, unit}) {
      Device other = device;
      other.*limit += by;
      add(other, fmt::format("{} {}", other.*limit, what));
    }
  };
  vary(&Device::max_blocks_per_sm, 1, "block slots of an SM");
  vary(&Device::max_warps_per_sm, device.subpartitions, "warps of an SM");
  vary(&Device::max_resident_kernels, 1, "resident kernels");
  for (const int times : {1, 2, 4}) {
    vary(&Device::registers_per_sm, times * device.subpartitions * 256, "registers of an SM");
  }
  for (std::size_t i = 0; i < device.shared_configs.size(); ++i) {
    const int bytes = device.shared_configs[i];
    for (const int by : {-kKiB, kKiB}) {
      if (bytes + by < 0) continue;
      Device other = device;
      other.shared_configs[i] += by;
      add(other, fmt::format("a configuration of {} bytes instead of {}", bytes + by, bytes));
    }
    if (device.shared_configs.size() < 2) continue;
    Device without = device;
    without.shared_configs.erase(without.shared_configs.begin() + static_cast<std::ptrdiff_t>(i));
    add(without, fmt::format("no configuration of {} bytes", bytes));
  }
  return all;
}

}  // namespace

bool Deviation::of_blocks() const {
  static constexpr auto is_of_blocks = [] {
    auto axes = members(RulesOfBlocks::Axes{});
    constexpr auto others = members(OtherRulesOfSms::Axes{});
    for (int axis = 0; axis < kAxes; ++axis) axes[axis] = axes[axis] && !others[axis];
    return axes;
  }();
  return axis && is_of_blocks[*axis];
}

bool Deviation::knows_config() const {
  return of_blocks() && is_under_config(RulesOfBlocks{}, *axis);
}

std::vector<bool> Deviation::matter(const Simulator& simulator, const Probe& latest) const {
  if (of_blocks()) return simulator.judged_otherwise(latest, *other);
  std::vector<bool> matter(latest.kernels.size(), !axis || !simulator.is_as_under(*other));
  for (std::size_t k = 0; taken_for && k < matter.size(); ++k) {
    matter[k] = as_taken(latest.kernels[k], simulator.device()) != latest.kernels[k];
  }
  return matter;
}

Kernel Deviation::as_taken(const Kernel& kernel, const Device& device) const {
  Kernel taken = kernel;
  taken_for(taken);
  return is_legal(taken, device) ? taken : kernel;
}

bool Deviation::concerns(const KernelClass& kernels) const {
  if (!kernels.quantity) return true;
  const Quantity& quantity = *kernels.quantity;
  const bool is_known = axis == index_of<Admission>() ? quantity.of_admission : quantity.of_block;
  return !device && (!of_blocks() || is_known);
}

std::vector<Deviation> deviations(const Device& device, const Hypothesis& base, Rng& rng) {
  std::vector<Deviation> all = other_limits(device);
  std::vector<Hypothesis> others = single_axis_changes(device, base, rng);
  std::ranges::move(reversed_axes(device, base), std::back_inserter(others));
  for (Hypothesis& other : others) {
    const int axis = changed_axis(base, other);
    std::string words = differences(base, other);
    all.push_back({axis, std::move(other), nullptr, {}, std::move(words)});
  }
  for (const Treatment& treatment : kTreatments) {
    all.push_back({{}, {}, treatment.taken_for, {}, std::string(treatment.words)});
  }
  return all;
}

/// The rules by which these blocks are judged.
std::optional<OtherRules> SpecialCase::rules_for(const Deviation& deviation,
                                                 std::shared_ptr<const Blocks> blocks) {
  if (!deviation.of_blocks()) return std::nullopt;
  return OtherRules{*deviation.other, [blocks = std::move(blocks)](const JudgedBlock& block) {
                      if (blocks->config && blocks->config != block.config) return false;
                      Kernel kernel;
                      kernel.threads = kThreadsPerWarp * block.warps;
                      kernel.registers = block.registers;
                      kernel.shared = block.shared;
                      kernel.priority = block.priority;
                      return blocks->of(kernel);
                    }};
}

SpecialCase::SpecialCase(const Device& device, const Hypothesis& base, const Deviation& deviation,
                         Kernels of)
    : deviation_(&deviation),
      singled_out_(std::make_shared<Blocks>(Blocks{std::move(of)})),
      simulator_(device, base, rules_for(deviation, singled_out_)) {
  if (!deviation.of_probes()) return;
  other_.emplace(deviation.device.value_or(device), deviation.other.value_or(base));
}

void SpecialCase::begin_session(const InitialObservation* opening) {
  simulator_.begin_session(opening);
  if (other_) other_->begin_session(opening);
}

Observation SpecialCase::preview(const Probe& probe) { return preview(probe, {}); }

Observation SpecialCase::preview(const Probe& probe, const Simulator::IsEnough& is_enough) {
  if (deviation_->taken_for) return simulator_.preview(as_taken(probe), nullptr, is_enough);
  Simulator& simulator = goes_otherwise(probe) ? *other_ : simulator_;
  return simulator.preview(probe, nullptr, is_enough);
}

bool SpecialCase::shows_otherwise(const Probe& probe, const Observation& seen,
                                  const std::vector<std::string>& channels) {
  bool is_otherwise = false;
  preview(probe, [&](const Observation& shown) {
    const Step& expected = seen.steps[shown.steps.size() - 1];
    return is_otherwise = seen_through(channels, shown.steps.back()) != expected;
  });
  return is_otherwise;
}

std::vector<bool> SpecialCase::matter(const Probe& latest) const {
  // As a whole it goes by another rule already.
  if (other_) return std::vector<bool>(latest.kernels.size());
  return deviation_->matter(simulator_, latest);
}

Observation SpecialCase::replay(const Recording& recording) {
  if (deviation_->taken_for) {
    Recording taken = recording;
    taken.probe = as_taken(recording.probe);
    return simulator_.replay(taken);
  }
  Observation observation = simulator_.replay(recording);
  if (!other_) return observation;
  Observation otherwise = other_->replay(recording);
  return goes_otherwise(recording.probe) ? otherwise : observation;
}

bool SpecialCase::goes_otherwise(const Probe& probe) const {
  return other_ && std::ranges::any_of(probe.kernels, singled_out_->of);
}

Probe SpecialCase::as_taken(Probe probe) const {
  for (Kernel& kernel : probe.kernels) {
    if (singled_out_->of(kernel)) kernel = deviation_->as_taken(kernel, simulator_.device());
  }
  return probe;
}

}  // namespace cuvier
