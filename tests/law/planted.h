#pragma once

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "hypotheses/simulated_oracle.h"
#include "hypotheses/topology.h"
#include "solver/inference.h"
#include "solver/version_space.h"

namespace cuvier {

/// A small device of round numbers, with a GPC map: two GPCs of different size.
inline Device small_device(int sms) {
  Device device;
  device.name = fmt::format("{} SMs", sms);
  device.architecture = "sm_86";
  device.sms = sms;
  device.max_blocks_per_sm = 16;
  device.max_warps_per_sm = 48;
  device.shared_configs = {8192, 16384, 32768, 65536, 102400};
  device.max_shared_per_block = 101376;
  for (int sm = 0; sm < sms; ++sm) device.gpc_of_sm.push_back(sm / 2 % 3 == 1 ? 1 : 0);
  return device;
}

/// Any hypothesis that the device's facts permit, each value as likely as its siblings.
inline Hypothesis random_hypothesis(const Device& device, Rng& rng) {
  Hypothesis hypothesis;
  for (int axis = 0; axis < kAxes; ++axis) {
    do {
      hypothesis.values[axis] = static_cast<std::uint8_t>(uniform(rng, 0, axis_size(axis) - 1));
    } while (!available(device, axis, hypothesis.values[axis]));
  }
  if (hypothesis.get<TieBreak>() == TieBreak::learned) {
    hypothesis.order = named_order(device, TieBreak::linear);
    std::ranges::shuffle(hypothesis.order, rng);
  }
  return hypothesis;
}

/// How the inference of a planted mechanism went.
struct Recovery {
  Finding finding;
  std::vector<std::string> lost_axes;  ///< where the planted value is not among the survivors
  int survivors_tried = 0;
  int disagreements = 0;  ///< survivors that predict a fresh random probe differently
};

/// Plants the mechanism in a simulated device, infers it, and compares up to eight
/// survivors with it on fresh random probes.
inline Recovery recover(const Device& device, const Hypothesis& planted, std::uint64_t seed,
                        int fresh_probes) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / fmt::format("cuvier-planted-{}-{}", ::getpid(), seed);
  fs::remove_all(folder);
  Recovery recovery;
  SimulatedOracle oracle("planted", device, planted);
  {
    Journal journal(folder, device, "planted");
    InferenceOptions options;
    options.seed = seed;
    recovery.finding = infer(oracle, journal, Assumptions::all(device), options, {});
  }
  // A named order may stand for the planted one, if nothing tells them apart.
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!matters(axis, planted)) continue;
    const auto& values = recovery.finding.surviving[axis];
    if (std::ranges::find(values, planted.values[axis]) == values.end()) {
      recovery.lost_axes.emplace_back(axis_info(axis).name);
    }
  }
  VersionSpace space(device, Assumptions::all(device));
  for (const Recording& recording : read_recordings((folder / "journal.jsonl").string()).recordings) {
    space.observe(recording);
  }
  fs::remove_all(folder);
  Rng rng(seed + 1);
  for (const Hypothesis& survivor : space.draw(8, rng)) {
    ++recovery.survivors_tried;
    for (int i = 0; i < fresh_probes; ++i) {
      const auto& family = probe_families()[uniform(rng, 0, static_cast<int>(probe_families().size()) - 1)];
      const Probe probe = family.draw(device, rng);
      const auto seen = facts_of(predict(device, planted, probe), probe);
      const Observation predicted = predict(device, survivor, probe);
      const bool agree = std::ranges::all_of(seen, [&](const Fact& fact) {
        return fact.kind == Fact::Kind::warp_slot || fact.kind == Fact::Kind::shared_config ||
               agrees(fact, predicted, probe);
      });
      if (!agree) {
        ++recovery.disagreements;
        break;
      }
    }
  }
  return recovery;
}

}  // namespace cuvier
