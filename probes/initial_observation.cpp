#include "probes/initial_observation.h"

#include <algorithm>

#include "probes/json_fields.h"

namespace cuvier {
namespace {

const Fact* find(const std::vector<Fact>& facts, Fact::Kind kind, int step, int kernel) {
  const auto found = std::ranges::find_if(facts, [&](const Fact& fact) {
    return fact.kind == kind && fact.step == step && fact.kernel == kernel;
  });
  return found == facts.end() ? nullptr : &*found;
}

}  // namespace

InitialObservation::InitialObservation(Probe probe, std::vector<Fact> facts, const Place& place)
    : probe_(std::move(probe)), facts_(std::move(facts)) {
  std::vector<int> launched;
  std::vector<int> told(probe_.kernels.size());  // blocks, by kernel
  for (int step = 0; step < static_cast<int>(probe_.script.size()); ++step) {
    const std::optional<int> launch = probe_.script[step].launch;
    if (!launch) place.fail("its script must only launch kernels, since it is an opening");
    launched.push_back(*launch);
    for (const int kernel : launched) told[kernel] += take(step, kernel, place);
  }
  for (const int k : launched) {
    const Kernel& kernel = probe_.kernels[k];
    if (told[k] == kernel.blocks) continue;
    place.fail("says of {} of the {} blocks of {} on which SM they went; an opening must of each",
               told[k], kernel.blocks, in_quotes(kernel.name));
  }
}

int InitialObservation::take(int step, int kernel, const Place& place) {
  const Fact* sms = find(facts_, Fact::Kind::sm, step, kernel);
  if (!sms) return 0;
  const Fact* slots = find(facts_, Fact::Kind::warp_slot, step, kernel);
  if (slots && slots->slots.size() != sms->values.size()) {
    place.fail("warp_slot has {} entries for {} blocks of {}", slots->slots.size(),
               sms->values.size(), in_quotes(probe_.kernels[kernel].name));
  }
  for (std::size_t i = 0; i < sms->values.size(); ++i) {
    std::erase_if(latest_, [&](const Latest& other) { return other.sm == sms->values[i]; });
    latest_.push_back({sms->values[i], kernel, std::nullopt});
    if (slots) latest_.back().slot = slots->slots[i].back();
  }
  return static_cast<int>(sms->values.size());
}

}  // namespace cuvier
