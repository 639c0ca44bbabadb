#include "verify/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "verify/unreadable.h"

namespace cuvier::verify {
namespace {

template <class T>
void set_once(std::optional<T>& known, T value, const Fields& fields, const char* name) {
  if (known) fields.fail(name, "is told twice");
  known = std::move(value);
}

std::vector<std::vector<int>> slots_from(const Json& json, const Kernel& kernel,
                                         const std::string& where) {
  if (!json.is_array()) throw Unreadable(where + ": must be a list");
  std::vector<std::vector<int>> blocks;
  for (const Json& block : json) {
    blocks.push_back(integers_in(block, 0, 1000000000, where));
    if (static_cast<int>(blocks.back().size()) != kernel.warps()) {
      throw Unreadable(where + ": must have a number for each warp");
    }
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
    set_once(known.slots, slots_from(fields.at("warp_slot"), *found, fields.place("warp_slot")),
             fields, "warp_slot");
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

/// `json`: with the fields of a recording whose script only launches, and the SM of every block.
std::shared_ptr<const Opening> opening_from(const Json& json, const Device& device,
                                            const std::string& where) {
  const Recording seen = recording_from(json, device, where);
  auto opening = std::make_shared<Opening>();
  opening->written = json.dump();
  std::vector<int> launched;
  std::vector<std::size_t> seen_of;  // blocks, by launched kernel
  for (std::size_t step = 0; step < seen.probe.script.size(); ++step) {
    const int launch = seen.probe.script[step].launch;
    if (launch < 0) throw Unreadable(where + ": an opening only launches");
    launched.push_back(launch);
    opening->kernels.push_back(seen.probe.kernels[launch]);
    seen_of.push_back(0);
    for (std::size_t k = 0; k < launched.size(); ++k) {
      const Known& known = seen.known[step][launched[k]];
      if (!known.sms) continue;
      const std::size_t blocks = known.sms->size();
      if (known.slots && known.slots->size() != blocks)
        throw Unreadable(where + ": must have the slots of as many blocks as it has SMs");
      seen_of[k] += blocks;
      for (std::size_t i = 0; i < blocks; ++i) {
        const int sm = (*known.sms)[i];
        std::erase_if(opening->latest, [&](const auto& earlier) { return earlier.sm == sm; });
        opening->latest.push_back({sm, static_cast<int>(k), {}});
        if (known.slots) opening->latest.back().subpartition = (*known.slots)[i].back() % 4;
      }
    }
  }
  for (std::size_t k = 0; k < launched.size(); ++k) {
    if (seen_of[k] != static_cast<std::size_t>(opening->kernels[k].blocks))
      throw Unreadable(where + ": must have the SM of every block");
  }
  return opening;
}

}  // namespace

std::vector<int> subpartitions_of(std::vector<int> slots) {
  for (int& slot : slots) slot %= 4;
  return slots;
}

Journal read_journal(const std::string& path) {
  Journal journal;
  std::istringstream lines(read_file(path));
  bool in_session = false;  // the next recording goes on from the one before
  bool one_session = false;
  bool known_state = true;
  int number = 0;
  std::map<long, std::shared_ptr<const Opening>> openings;  // by the line that writes it out
  std::shared_ptr<const Opening> opening;
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
      opening = nullptr;
    } else if (type == "opening") {
      in_session = false;
      if (fields.find("as_in_line")) {
        const auto written = openings.find(fields.integer("as_in_line", 2, number - 1));
        if (written == openings.end()) fields.fail("as_in_line", "writes out no opening");
        opening = written->second;
        fields.nothing_else();
      } else {
        opening = openings[number] = opening_from(json, journal.device, where);
      }
    } else if (type == "recording") {
      Recording recording = recording_from(json, journal.device, where);
      recording.fresh = !in_session;
      known_state = (recording.fresh || known_state) && recording.counts;
      recording.counts = known_state;
      if (recording.fresh) recording.opening = std::exchange(opening, nullptr);
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
