#include "verify/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "verify/unreadable.h"

namespace cuvier::verify {
namespace {

template <class T>
void set_once(std::optional<T>& known, T value, const Fields& fields, const char* name) {
  if (known) fields.fail(name, "is told twice");
  known = std::move(value);
}

std::vector<std::vector<int>> subpartitions_from(const Json& json, const Kernel& kernel,
                                                 const std::string& where) {
  if (!json.is_array()) throw Unreadable(where + ": must be a list");
  std::vector<std::vector<int>> blocks;
  for (const Json& block : json) {
    blocks.push_back(integers_in(block, 0, 1000000000, where));
    if (static_cast<int>(blocks.back().size()) != kernel.warps()) {
      throw Unreadable(where + ": must have a number for each warp");
    }
    for (int& slot : blocks.back()) slot %= 4;
  }
  return blocks;
}

/// `steps`: of the script as it is written.
void read_fact(const Json& json, const std::string& where, int steps, int sms,
               Recording& recording) {
  Fields fields(json, where);
  const auto& kernels = recording.probe.kernels;
  const auto found = std::ranges::find(kernels, fields.text("kernel"), &Kernel::name);
  if (found == kernels.end()) fields.fail("kernel", "is none of the probe's");
  const std::size_t k = found - kernels.begin();
  ++recording.facts;
  if (fields.find("shared_config")) {
    set_once(recording.configs[k], static_cast<int>(fields.integer("shared_config", 0, 1000000000)),
             fields, "shared_config");
    fields.nothing_else();
    return;
  }
  const long step = fields.integer("step", 0, steps - 1);
  if (step >= static_cast<long>(recording.known.size())) {  // behind what is exact
    --recording.facts;
    return;
  }
  Known& known = recording.known[step][k];
  if (fields.find("sm")) {
    set_once(known.sms, fields.integers("sm", 0, sms - 1), fields, "sm");
  } else if (fields.find("sm_set")) {
    std::vector<int> set = fields.integers("sm_set", 0, sms - 1);
    std::ranges::sort(set);
    if (std::ranges::adjacent_find(set) != set.end()) fields.fail("sm_set", "has an SM twice");
    set_once(known.sm_set, set, fields, "sm_set");
  } else if (fields.find("started")) {
    set_once(known.started, static_cast<int>(fields.integer("started", 0, 1000000000)), fields,
             "started");
  } else if (fields.find("starts")) {
    set_once(known.starts, fields.boolean("starts"), fields, "starts");
  } else if (fields.find("complete")) {
    set_once(known.complete, fields.boolean("complete"), fields, "complete");
  } else {
    set_once(known.subpartitions,
             subpartitions_from(fields.at("warp_slot"), *found, fields.place("warp_slot")), fields,
             "warp_slot");
  }
  fields.nothing_else();
}

Recording recording_from(const Json& json, const Device& device, const std::string& where) {
  Fields fields(json, where);
  fields.at("type");
  Recording recording;
  recording.where = where;
  recording.probe = probe_from(fields, device);
  const int steps = static_cast<int>(recording.probe.script.size());
  const long exact = fields.integer("exact", 0, 1000000000, 1000000000);
  if (exact < steps) recording.probe.script.resize(exact);
  const std::size_t kernels = recording.probe.kernels.size();
  recording.known.resize(recording.probe.script.size(), std::vector<Known>(kernels));
  recording.configs.resize(kernels);
  const Json& facts = fields.at("facts");
  if (!facts.is_array()) fields.fail("facts", "must be a list");
  for (std::size_t i = 0; i < facts.size(); ++i) {
    read_fact(facts[i], fmt::format("{}[{}]", fields.place("facts"), i), steps, device.sms,
              recording);
  }
  recording.counts = exact > 0;
  return recording;
}

}  // namespace

Journal read_journal(const std::string& path) {
  Journal journal;
  std::istringstream lines(read_file(path));
  bool in_session = false;  // the next recording goes on from the one before
  bool one_session = false;
  bool known_state = true;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}:{}", path, ++number);
    if (line.empty()) throw Unreadable(where + ": is empty");
    const Json json = parse_json(line, where);
    Fields fields(json, where);
    const std::string type = fields.text("type");
    if ((type == "device") != (number == 1)) {
      throw Unreadable(where + ": the first line, and no other, must have the device");
    }
    if (type == "device") {
      journal.source = fields.text("source");
      one_session = fields.boolean("session", false);
      journal.device = device_from(fields.at("device"), fields.place("device"));
      fields.nothing_else();
    } else if (type == "session") {
      fields.nothing_else();
      in_session = false;
    } else if (type == "opening") {
      journal.has_openings = true;
      in_session = false;
    } else if (type == "recording") {
      Recording recording = recording_from(json, journal.device, where);
      recording.fresh = !in_session;
      known_state = (recording.fresh || known_state) && recording.counts;
      recording.counts = known_state;
      in_session = one_session;
      journal.recordings.push_back(std::move(recording));
    } else {
      fields.fail("type", "must be recording, session or opening");
    }
  }
  if (number == 0) throw Unreadable(path + ": is empty");
  return journal;
}

}  // namespace cuvier::verify
