#include "probes/observation.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "probes/kernel_fields.h"

namespace cuvier {
namespace {

/// Reads the steps in order, so that it knows what was launched and has started.
class StepReader {
 public:
  StepReader(const Probe& probe, const Device& device)
      : probe_(probe),
        device_(device),
        launched_(probe.kernels.size()),
        has_started_(probe.kernels.size()) {}

  Step read(const Json& json, const Action& action, const Place& place) {
    if (action.launch) launched_[*action.launch] = true;
    Fields fields(json, place);
    Step step;
    const Json& started = fields.at("started");
    const Place started_place = fields.place("started");
    expect_object(started, started_place);
    for (const auto& [name, entry] : started.items()) {
      const Place entry_place = started_place.field(name);
      Started read = read_started(kernel_named(name, entry_place), entry, entry_place);
      if (!read.block.empty()) step.started.push_back(std::move(read));
    }
    std::sort(step.started.begin(), step.started.end(),
              [](const Started& a, const Started& b) { return a.kernel < b.kernel; });
    if (fields.has("shared_config")) {
      step.shared_config =
          read_configs(fields.at("shared_config"), action, fields.place("shared_config"));
    }
    fields.refuse_unknown();
    return step;
  }

 private:
  int kernel_named(const std::string& name, const Place& place) const {
    const std::optional<int> kernel = probe_.find(name);
    if (!kernel) place.fail("the probe has no such kernel");
    return *kernel;
  }

  Started read_started(int kernel, const Json& json, const Place& place) {
    Fields fields(json, place);
    Started started;
    started.kernel = kernel;
    started.block = read_integers(fields.at("block"), fields.place("block"),
                                  {0, probe_.kernels[kernel].blocks - 1});
    started.sm = read_integers(fields.at("sm"), fields.place("sm"), {0, device_.sms - 1});
    expect_length(started.sm.size(), started, fields.place("sm"));
    if (fields.has("warp_slot")) {
      const Place slots = fields.place("warp_slot");
      started.warp_slot = read_warp_slots(fields.at("warp_slot"), slots, probe_.kernels[kernel]);
      expect_length(started.warp_slot.size(), started, slots);
    }
    if (fields.has("start_ns"))
      read_times(fields.at("start_ns"), started, fields.place("start_ns"));
    fields.refuse_unknown();
    if (!launched_[kernel] && !started.block.empty()) place.fail("starts before its launch");
    mark(started, fields.place("block"));
    return started;
  }

  static void expect_length(std::size_t length, const Started& started, const Place& place) {
    if (length != started.block.size()) {
      place.fail("has {} entries for {} blocks", length, started.block.size());
    }
  }

  static void read_times(const Json& json, Started& started, const Place& place) {
    expect_array(json, place);
    expect_length(json.size(), started, place);
    for (std::size_t i = 0; i < json.size(); ++i) {
      started.start_ns.push_back(
          read_integer(json[i], place.item(i), {0, std::numeric_limits<std::int64_t>::max()}));
    }
  }

  void mark(const Started& started, const Place& place) {
    for (std::size_t i = 0; i < started.block.size(); ++i) {
      const int block = started.block[i];
      if (!has_started_[started.kernel].insert(block).second) {
        place.item(i).fail("block {} starts a second time", block);
      }
      if (i > 0 && block < started.block[i - 1]) {
        place.item(i).fail("blocks must be in ascending order");
      }
    }
  }

  std::map<int, int> read_configs(const Json& json, const Action& action,
                                  const Place& place) const {
    expect_object(json, place);
    std::map<int, int> configs;
    for (const auto& [name, bytes] : json.items()) {
      const Place entry_place = place.field(name);
      const int kernel = kernel_named(name, entry_place);
      if (action.launch != kernel) entry_place.fail("this step does not launch it");
      configs[kernel] = static_cast<int>(read_integer(bytes, entry_place, {}));
    }
    return configs;
  }

  const Probe& probe_;
  const Device& device_;
  std::vector<bool> launched_;
  std::vector<std::unordered_set<int>> has_started_;  ///< by kernel: its blocks
};

Json started_json(const Started& started) {
  Json json = {{"block", started.block}, {"sm", started.sm}};
  if (!started.warp_slot.empty()) json["warp_slot"] = started.warp_slot.by_block();
  if (!started.start_ns.empty()) json["start_ns"] = started.start_ns;
  return json;
}

}  // namespace

Observation observation_from_json(const nlohmann::ordered_json& json, const Probe& probe,
                                  const Device& device, const std::string& where,
                                  const std::string& path) {
  Fields fields(json, Place(where, path));
  const Json& steps = fields.at("steps");
  const Place steps_place = fields.place("steps");
  expect_array(steps, steps_place);
  if (steps.size() != probe.script.size()) {
    steps_place.fail("has {} entries for a script of {} actions", steps.size(),
                     probe.script.size());
  }
  // What a prediction says beside: why blocks wait, from where on there are other outcomes, and who
  // predicts with what evidence.
  fields.has("waits");
  fields.has("one_of_several_from");
  fields.has("model");
  fields.has("evidence");
  fields.refuse_unknown();
  Observation observation;
  StepReader reader(probe, device);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    observation.steps.push_back(reader.read(steps[i], probe.script[i], steps_place.item(i)));
  }
  return observation;
}

nlohmann::ordered_json to_json(const Observation& observation, const Probe& probe) {
  Json steps = Json::array();
  for (const Step& step : observation.steps) {
    Json started = Json::object();
    for (const Started& entry : step.started) {
      started[probe.kernels[entry.kernel].name] = started_json(entry);
    }
    Json json = {{"started", std::move(started)}};
    for (const auto& [kernel, bytes] : step.shared_config) {
      json["shared_config"][probe.kernels[kernel].name] = bytes;
    }
    steps.push_back(std::move(json));
  }
  return {{"steps", std::move(steps)}};
}

Step seen_through(const std::vector<std::string>& channels, Step step) {
  const auto sees = [&](const char* channel) {
    return std::ranges::find(channels, channel) != channels.end();
  };
  if (!sees("shared_config")) step.shared_config.clear();
  for (Started& started : step.started) {
    if (!sees("warp_slot")) started.warp_slot.clear();
    if (!sees("start_ns")) started.start_ns.clear();
  }
  return step;
}

Observation seen_through(const std::vector<std::string>& channels, Observation observation) {
  for (Step& step : observation.steps) step = seen_through(channels, std::move(step));
  return observation;
}

}  // namespace cuvier
