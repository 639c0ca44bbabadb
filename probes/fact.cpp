#include "probes/fact.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/json_fields.h"

namespace cuvier {
namespace {

constexpr std::size_t most_listed = 16;  // numbers that a message shows

WarpSlots subpartitions_of(WarpSlots slots) {
  for (int& slot : slots.row()) slot %= Device::kSubpartitions;
  return slots;
}

std::string listed(const std::vector<int>& values) {
  const std::size_t shown = std::min(values.size(), most_listed);
  const std::string text =
      fmt::format("{}", fmt::join(values.begin(), values.begin() + shown, ", "));
  return shown == values.size() ? text : fmt::format("{}, ... ({} in all)", text, values.size());
}

std::string meaning(const Fact& fact) {
  const int value = fact.values.empty() ? 0 : fact.values[0];
  switch (fact.kind) {
    case Fact::Kind::sm:
      return fact.values.empty() ? "starts no block" : "starts on SMs " + listed(fact.values);
    case Fact::Kind::sm_set:
      return "starts on SMs {" + listed(fact.values) + "}";
    case Fact::Kind::started:
      return fmt::format("starts {} block{}", value, value == 1 ? "" : "s");
    case Fact::Kind::starts:
      return value != 0 ? "starts a block" : "starts no block";
    case Fact::Kind::complete:
      return value != 0 ? "starts all of its blocks" : "does not start all of its blocks";
    case Fact::Kind::warp_slot:
      return "its warps take the slots " + listed(fact.slots.row());
    case Fact::Kind::shared_config:
      return fmt::format("its target configuration is {} bytes of shared memory", value);
  }
  return {};
}

}  // namespace

const Started* started_of(const Step& step, int kernel) {
  const auto found = std::ranges::find(step.started, kernel, &Started::kernel);
  return found == step.started.end() ? nullptr : &*found;
}

std::vector<Fact> facts_of(const Observation& observation, const Probe& probe) {
  std::vector<Fact> facts;
  std::vector<int> left(probe.kernels.size());  // blocks launched and not started
  for (std::size_t s = 0; s < observation.steps.size(); ++s) {
    const int step = static_cast<int>(s);
    const std::optional<int> launched = probe.script[s].launch;
    if (launched) left[*launched] = probe.kernels[*launched].blocks;
    for (int kernel = 0; kernel < static_cast<int>(probe.kernels.size()); ++kernel) {
      const Started* started = started_of(observation.steps[s], kernel);
      if (started == nullptr) {
        if (left[kernel] > 0) facts.push_back({Fact::Kind::started, step, kernel, {0}, {}});
        continue;
      }
      left[kernel] -= static_cast<int>(started->block.size());
      facts.push_back({Fact::Kind::sm, step, kernel, started->sm, {}});
      if (!started->warp_slot.empty()) {
        facts.push_back({Fact::Kind::warp_slot, step, kernel, {}, started->warp_slot});
      }
    }
    for (const auto& [kernel, bytes] : observation.steps[s].shared_config) {
      facts.push_back({Fact::Kind::shared_config, -1, kernel, {bytes}, {}});
    }
  }
  return facts;
}

std::string describe(const Fact& fact, const Probe& probe) {
  const std::string text = probe.kernels[fact.kernel].name + ": " + meaning(fact);
  return one_line(fact.step < 0 ? text : fmt::format("step {}, {}", fact.step, text));
}

std::set<int> sms_in(const std::vector<Fact>& facts) {
  std::set<int> sms;
  for (const Fact& fact : facts) {
    if (fact.lists_sms()) sms.insert(fact.values.begin(), fact.values.end());
  }
  return sms;
}

std::vector<int> values_of(Fact::Kind kind, std::vector<int> sms, const Kernel& kernel) {
  const int count = static_cast<int>(sms.size());
  if (kind == Fact::Kind::sm_set) std::ranges::sort(sms);
  if (kind == Fact::Kind::started) return {count};
  if (kind == Fact::Kind::starts) return {count > 0 ? 1 : 0};
  if (kind == Fact::Kind::complete) return {count == kernel.blocks ? 1 : 0};
  return sms;
}

bool agrees(const Fact& fact, const Observation& observation, const Probe& probe) {
  if (fact.kind == Fact::Kind::shared_config) {
    const std::size_t step = probe.launch_of(fact.kernel);
    if (step >= observation.steps.size()) return true;
    const auto& configs = observation.steps[step].shared_config;
    const auto found = configs.find(fact.kernel);
    return found == configs.end() || found->second == fact.values[0];
  }
  static const Started none;
  const Started* const found = started_of(observation.steps[fact.step], fact.kernel);
  const Started& started = found == nullptr ? none : *found;
  if (fact.kind == Fact::Kind::sm) return started.sm == fact.values;
  if (fact.kind != Fact::Kind::warp_slot) {
    return values_of(fact.kind, started.sm, probe.kernels[fact.kernel]) == fact.values;
  }
  if (fact.slots.size() != started.block.size()) return false;
  // Without the channel, nothing speaks against it.
  return started.warp_slot.empty() ||
         subpartitions_of(fact.slots) == subpartitions_of(started.warp_slot);
}

bool explains(const Observation& predicted, const Recording& recording) {
  return std::ranges::all_of(
      recording.facts, [&](const Fact& fact) { return agrees(fact, predicted, recording.probe); });
}

}  // namespace cuvier
