#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "verify/recording.h"

namespace cuvier::verify {
namespace {

void read_fact(Field fact, int steps, int sms, Recording& recording) {
  const auto& kernels = recording.probe.kernels;
  const int k = kernel_named(recording.probe, fact.at("kernel"));
  const auto& script = recording.probe.script;
  std::size_t step = std::ranges::find(script, k, &Action::launch) - script.begin();
  if (!fact.find("shared_config")) step = fact.at("step").number(0, steps - 1);
  Known behind_what_is_exact;
  Known& known = step < recording.known.size() ? recording.known[step][k] : behind_what_is_exact;
  const auto is = [&](const char* name, auto& told, const auto& read) {
    const std::optional<Field> field = fact.find(name);
    if (!field) return false;
    if (told) field->fail("is told twice");
    told = read(*field);
    return true;
  };
  const auto number = [&](const Field& field) { return field.number(0, most_in_files); };
  const auto truth = [&](const Field& field) { return field.get<bool>(); };
  const auto list = [&](const Field& field) { return field.numbers(0, sms - 1); };
  const auto set = [&](const Field& field) {
    std::vector<int> set = list(field);
    std::ranges::sort(set);
    if (std::ranges::adjacent_find(set) != set.end()) field.fail("has an SM twice");
    return set;
  };
  const auto slots = [&](const Field& field) {
    std::vector<std::vector<int>> blocks;
    for (const Field& block : field.list()) {
      blocks.push_back(block.numbers(0, most_in_files));
      if (std::ssize(blocks.back()) != kernels[k].warps()) {
        block.fail("must have a number for each warp");
      }
    }
    return blocks;
  };
  if (!is("shared_config", known.config, number) && !is("sm", known.sms, list) &&
      !is("sm_set", known.sm_set, set) && !is("started", known.started, number) &&
      !is("starts", known.starts, truth) && !is("complete", known.complete, truth) &&
      !is("warp_slot", known.slots, slots)) {
    fact.fail("says nothing");
  }
  fact.nothing_else();
}

Recording recording_from(Field& line, const Device& device, const std::string& where) {
  Recording recording;
  recording.where = where;
  recording.probe = probe_from(line, device);
  auto& script = recording.probe.script;
  const int steps = static_cast<int>(script.size());
  const std::optional<Field> exact = line.find("exact");
  if (exact) script.resize(std::min(steps, exact->number(0, most_in_files)));
  recording.known.resize(script.size(), std::vector<Known>(recording.probe.kernels.size()));
  for (const Field& fact : line.at("facts").list()) {
    read_fact(fact, steps, device.sms, recording);
  }
  recording.counts = !exact || !script.empty();
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
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    const Json json = parse_json(line, where);
    Field fields(json, where);
    const auto type = fields.at("type").get<std::string>();
    const bool has_device = journal.device.sms > 0;
    if ((type == "device") == has_device) {
      fields.fail("the first line, and no other, must have the device");
    }
    if (type == "device") {
      fields.at("source").get<std::string>();
      if (const auto session = fields.find("session")) one_session = session->get<bool>();
      journal.device = device_from(fields.at("device"));
    } else if (type == "session") {
      in_session = false;
      opening = nullptr;
    } else if (type == "opening") {
      in_session = false;
      if (const auto as_in_line = fields.find("as_in_line")) {
        const auto written = openings.find(as_in_line->number(2, number - 1));
        if (written == openings.end()) as_in_line->fail("writes out no opening");
        opening = written->second;
      } else {
        opening = openings[number] =
            opening_from(recording_from(fields, journal.device, where), line);
        continue;
      }
    } else if (type == "recording") {
      Recording recording = recording_from(fields, journal.device, where);
      recording.fresh = !in_session;
      known_state = (recording.fresh || known_state) && recording.counts;
      recording.counts = known_state;
      if (recording.fresh) recording.opening = std::exchange(opening, nullptr);
      in_session = one_session;
      journal.recordings.push_back(std::move(recording));
      continue;
    } else {
      fields.at("type").fail("must be recording, session or opening");
    }
    fields.nothing_else();
  }
  if (journal.device.sms == 0) throw Unreadable(path + ": is empty");
  return journal;
}

}  // namespace cuvier::verify
