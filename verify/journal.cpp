#include "verify/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace cuvier::verify {
namespace {

void read_fact(const Json& json, const std::string& where, int steps, int sms,
               Recording& recording) {
  Fields fields(json, where);
  const auto& kernels = recording.probe.kernels;
  const auto kernel = std::ranges::find(kernels, fields.get<std::string>("kernel"), &Kernel::name);
  if (kernel == kernels.end()) fields.fail("kernel", "is none of the probe's");
  const int k = static_cast<int>(kernel - kernels.begin());
  const auto& script = recording.probe.script;
  std::size_t step = std::ranges::find(script, k, &Action::launch) - script.begin();
  if (!fields.find("shared_config")) step = fields.integer("step", 0, steps - 1);
  Known behind_what_is_exact;
  Known& known = step < recording.known.size() ? recording.known[step][k] : behind_what_is_exact;
  const auto is = [&](const char* name, auto& told, const auto& read) {
    if (!fields.find(name)) return false;
    if (told) fields.fail(name, "is told twice");
    told = read(name);
    return true;
  };
  const auto number = [&](const char* name) { return fields.integer(name, 0, most_in_files); };
  const auto truth = [&](const char* name) { return fields.get<bool>(name); };
  const auto list = [&](const char* name) { return fields.integers(name, 0, sms - 1); };
  const auto set = [&](const char* name) {
    std::vector<int> set = list(name);
    std::ranges::sort(set);
    if (std::ranges::adjacent_find(set) != set.end()) fields.fail(name, "has an SM twice");
    return set;
  };
  const auto slots = [&](const char* name) {
    std::vector<std::vector<int>> blocks;
    for (const auto& [block, where] : fields.list(name)) {
      blocks.push_back(integers_in(block, 0, most_in_files, where));
      if (static_cast<int>(blocks.back().size()) != kernel->warps()) {
        throw Unreadable(where + ": must have a number for each warp");
      }
    }
    return blocks;
  };
  if (!is("shared_config", known.config, number) && !is("sm", known.sms, list) &&
      !is("sm_set", known.sm_set, set) && !is("started", known.started, number) &&
      !is("starts", known.starts, truth) && !is("complete", known.complete, truth) &&
      !is("warp_slot", known.slots, slots)) {
    throw Unreadable(where + ": says nothing");
  }
  fields.nothing_else();
}

Recording recording_from(Fields& fields, const Device& device, const std::string& where) {
  Recording recording;
  recording.where = where;
  recording.probe = probe_from(fields, device);
  const int steps = static_cast<int>(recording.probe.script.size());
  const int exact = fields.integer("exact", 0, most_in_files, most_in_files);
  if (exact < steps) recording.probe.script.resize(exact);
  recording.known.resize(recording.probe.script.size(),
                         std::vector<Known>(recording.probe.kernels.size()));
  for (const auto& [fact, where] : fields.list("facts")) {
    read_fact(fact, where, steps, device.sms, recording);
  }
  recording.counts = exact > 0;
  return recording;
}

/// Of a recording whose script only launches, with the SM of every block.
std::shared_ptr<const Opening> opening_from(const Recording& seen, const std::string& written) {
  const auto fail = [&](const char* what) { throw Unreadable(seen.where + ": " + what); };
  auto opening = std::make_shared<Opening>();
  opening->written = written;
  std::vector<int> launched;
  std::vector<std::size_t> seen_of(seen.probe.kernels.size());  // blocks
  for (std::size_t step = 0; step < seen.probe.script.size(); ++step) {
    const int launch = seen.probe.script[step].launch;
    if (launch < 0) fail("an opening only launches");
    launched.push_back(launch);
    opening->kernels.push_back(seen.probe.kernels[launch]);
    for (int k = 0; k < static_cast<int>(launched.size()); ++k) {
      const Known& known = seen.known[step][launched[k]];
      if (!known.sms) continue;
      const std::size_t blocks = known.sms->size();
      if (known.slots && known.slots->size() != blocks)
        fail("must have the slots of as many blocks as it has SMs");
      seen_of[k] += blocks;
      for (std::size_t i = 0; i < blocks; ++i) {
        const int sm = (*known.sms)[i];
        std::erase_if(opening->latest, [&](const auto& earlier) { return earlier.sm == sm; });
        opening->latest.push_back({sm, k, {}});
        if (known.slots) opening->latest.back().subpartition = (*known.slots)[i].back() % 4;
      }
    }
  }
  for (std::size_t k = 0; k < launched.size(); ++k) {
    if (seen_of[k] != static_cast<std::size_t>(opening->kernels[k].blocks))
      fail("must have the SM of every block");
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
  std::map<int, std::shared_ptr<const Opening>> openings;  // by the line that writes it out
  std::shared_ptr<const Opening> opening;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}:{}", path, ++number);
    const Json json = parse_json(line, where);
    Fields fields(json, where);
    const auto type = fields.get<std::string>("type");
    if ((type == "device") != (number == 1)) {
      throw Unreadable(where + ": the first line, and no other, must have the device");
    }
    if (type == "device") {
      journal.source = fields.get<std::string>("source");
      one_session = fields.get<bool>("session", false);
      journal.device = device_from(fields.at("device"), fields.place("device"));
      fields.nothing_else();
    } else if (type == "session") {
      in_session = false;
      opening = nullptr;
      fields.nothing_else();
    } else if (type == "opening" && fields.find("as_in_line")) {
      const auto written = openings.find(fields.integer("as_in_line", 2, number - 1));
      if (written == openings.end()) fields.fail("as_in_line", "writes out no opening");
      in_session = false;
      opening = written->second;
      fields.nothing_else();
    } else if (type == "opening") {
      in_session = false;
      opening = openings[number] =
          opening_from(recording_from(fields, journal.device, where), line);
    } else if (type == "recording") {
      Recording recording = recording_from(fields, journal.device, where);
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
