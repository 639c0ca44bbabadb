#include "probes/fact_format.h"

#include <algorithm>

#include "probes/kernel_fields.h"

namespace cuvier {
namespace {

// What a fact says of a kernel of `probe`, on `device`; `kernel` is which.

struct StepOf {
  const Probe& probe;
  const int& kernel;
  int read(const Json& json, const Place& place) const {
    const int step = Integer{{0, std::ssize(probe.script) - 1}}.read(json, place);
    if (step < probe.launch_of(kernel)) {
      place.fail("{} is before the launch of {}", step, in_quotes(probe.kernels[kernel].name));
    }
    return step;
  }
  Json schema() const { return Integer().schema(); }
};

void expect_at_most(std::size_t count, const Kernel& kernel, const Place& place) {
  if (count > static_cast<std::size_t>(kernel.blocks)) {
    place.fail("has {} entries for a kernel of {} blocks", count, kernel.blocks);
  }
}

struct SmsOf {
  const Probe& probe;
  const Device& device;
  const int& kernel;
  bool is_set = false;
  std::vector<int> read(const Json& json, const Place& place) const {
    std::vector<int> sms = read_integers(json, place, {0, device.sms - 1});
    expect_at_most(sms.size(), probe.kernels[kernel], place);
    if (!is_set) return sms;
    std::ranges::sort(sms);
    const auto twice = std::ranges::adjacent_find(sms);
    if (twice == sms.end()) return sms;
    place.fail("SM {} stands twice; a set takes one block on each", *twice);
  }
  Json schema() const {
    Json schema = Integers{{0, 4095}}.schema();
    if (is_set) schema["uniqueItems"] = true;
    return schema;
  }
};

struct CountOf {
  Range range;
  std::vector<int> read(const Json& json, const Place& place) const {
    return {Integer{range}.read(json, place)};
  }
  Json write(const std::vector<int>& values) const { return values[0]; }
  Json schema() const { return Integer().schema(); }
};

struct Flag : Boolean {
  std::vector<int> read(const Json& json, const Place& place) const {
    return {read_boolean(json, place) ? 1 : 0};
  }
  Json write(const std::vector<int>& values) const { return values[0] != 0; }
};

struct SlotsOf {
  const Probe& probe;
  const int& kernel;
  WarpSlots read(const Json& json, const Place& place) const {
    WarpSlots slots = read_warp_slots(json, place, probe.kernels[kernel]);
    expect_at_most(slots.size(), probe.kernels[kernel], place);
    return slots;
  }
  Json write(const WarpSlots& slots) const { return slots.by_block(); }
  Json schema() const { return ListOf{Integers()}.schema(); }
};

auto fact_format(const Probe& probe, const Device& device) {
  return object<Fact>([&](auto& fact, auto& field) {
    using Kind = Fact::Kind;
    const int& kernel = fact.kernel;
    field.required("kernel", fact.kernel, KernelName{probe}, "its name");
    field.choice("sm", fact.kind, Kind::sm, fact.values, SmsOf{probe, device, kernel},
                 "the SM of each block that starts, ascending by block");
    field.choice("sm_set", fact.kind, Kind::sm_set, fact.values, SmsOf{probe, device, kernel, true},
                 "the SMs on which blocks start, one on each");
    field.choice("started", fact.kind, Kind::started, fact.values,
                 CountOf{{0, probe.kernels[kernel].blocks}}, "how many blocks start");
    field.choice("starts", fact.kind, Kind::starts, fact.values, Flag(), "whether any does");
    field.choice("complete", fact.kind, Kind::complete, fact.values, Flag(),
                 "whether all of the kernel's start in that step");
    field.choice("warp_slot", fact.kind, Kind::warp_slot, fact.slots, SlotsOf{probe, kernel},
                 "%warpid of each warp of each block that starts");
    field.choice("shared_config", fact.kind, Kind::shared_config, fact.values, CountOf{{}},
                 "the kernel's preferred configuration in bytes; has no step");
    field.one_choice(
        "must have exactly one of sm, sm_set, started, starts, complete, warp_slot and "
        "shared_config");
    if (fact.kind == Kind::shared_config) return;
    field.required("step", fact.step, StepOf{probe, kernel}, "of the script, from 0");
  });
}

}  // namespace

std::vector<Fact> facts_from_json(const Json& json, const Place& place, const Probe& probe,
                                  const Device& device) {
  return ListOf{fact_format(probe, device)}.read(json, place);
}

nlohmann::ordered_json to_json(const Fact& fact, const Probe& probe) {
  Json json = Json::object();
  if (fact.kind != Fact::Kind::shared_config) json["step"] = fact.step;  // people read it first
  json.update(fact_format(probe, {}).write(fact));
  return json;
}

Json facts_schema() {
  Probe any;
  any.kernels.push_back({.blocks = largest_number});
  Json fact = fact_format(any, {}).schema();
  fact["required"] = Json::array({"kernel"});
  fact.update(parse_json(R"({"if": {"required": ["shared_config"]},
      "then": {"properties": {"step": false}}, "else": {"required": ["step"]}})",
                         ""));
  return {{"type", "array"}, {"items", fact}};
}

}  // namespace cuvier
