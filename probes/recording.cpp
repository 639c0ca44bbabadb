#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "probes/error.h"
#include "probes/fact.h"
#include "probes/initial_observation.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

/// Reads the facts of one probe.
class FactReader {
 public:
  FactReader(const Probe& probe, const Device& device) : probe_(probe), device_(device) {}

  Fact read(const Json& json, const Place& place) const {
    Fields fields(json, place);
    Fact fact;
    fact.kernel = read_kernel(fields.at("kernel"), fields.place("kernel"));
    const Kernel& kernel = probe_.kernels[fact.kernel];
    const Range blocks{0, kernel.blocks};
    int kinds = 0;
    const auto is = [&](Fact::Kind kind, std::string_view name) {
      if (!fields.has(name)) return false;
      fact.kind = kind;
      ++kinds;
      return true;
    };
    if (is(Fact::Kind::sm, "sm")) fact.values = read_sms(fields, "sm", kernel);
    if (is(Fact::Kind::sm_set, "sm_set")) fact.values = read_sm_set(fields, kernel);
    if (is(Fact::Kind::started, "started")) fact.values = {fields.integer("started", blocks)};
    if (is(Fact::Kind::starts, "starts")) fact.values = {read_flag(fields, "starts")};
    if (is(Fact::Kind::complete, "complete")) fact.values = {read_flag(fields, "complete")};
    if (is(Fact::Kind::warp_slot, "warp_slot")) fact.slots = read_slots(fields, kernel);
    if (is(Fact::Kind::shared_config, "shared_config")) {
      fact.values = {fields.integer("shared_config", {})};
    }
    if (kinds != 1) {
      place.fail(
          "must have exactly one of sm, sm_set, started, starts, complete, warp_slot and "
          "shared_config");
    }
    if (fact.kind != Fact::Kind::shared_config) fact.step = read_step(fields, fact.kernel);
    fields.refuse_unknown();
    return fact;
  }

 private:
  int read_kernel(const Json& json, const Place& place) const {
    const std::string name = read_text(json, place);
    const std::optional<int> kernel = probe_.find(name);
    if (!kernel) place.fail(in_quotes(name) + " is not among the probe's kernels");
    return *kernel;
  }

  int read_step(Fields& fields, int kernel) const {
    const int last = static_cast<int>(probe_.script.size()) - 1;
    const int step = fields.integer("step", {0, last});
    const bool launched =
        std::any_of(probe_.script.begin(), probe_.script.begin() + step + 1,
                    [&](const Action& action) { return action.launch == kernel; });
    if (!launched) {
      fields.place("step").fail(fmt::format("{} is before the launch of {}", step,
                                            in_quotes(probe_.kernels[kernel].name)));
    }
    return step;
  }

  std::vector<int> read_sms(Fields& fields, std::string_view name, const Kernel& kernel) const {
    const Place place = fields.place(name);
    std::vector<int> sms = read_integers(fields.at(name), place, {0, device_.sms - 1});
    expect_at_most(sms.size(), kernel, place);
    return sms;
  }

  std::vector<int> read_sm_set(Fields& fields, const Kernel& kernel) const {
    std::vector<int> sms = read_sms(fields, "sm_set", kernel);
    std::sort(sms.begin(), sms.end());
    const auto twice = std::adjacent_find(sms.begin(), sms.end());
    if (twice != sms.end()) {
      fields.place("sm_set").fail(
          fmt::format("SM {} stands twice; a set takes one block on each", *twice));
    }
    return sms;
  }

  static void expect_at_most(std::size_t count, const Kernel& kernel, const Place& place) {
    if (count > static_cast<std::size_t>(kernel.blocks)) {
      place.fail(fmt::format("has {} entries for a kernel of {} blocks", count, kernel.blocks));
    }
  }

  static int read_flag(Fields& fields, std::string_view name) {
    return read_boolean(fields.at(name), fields.place(name)) ? 1 : 0;
  }

  static std::vector<std::vector<int>> read_slots(Fields& fields, const Kernel& kernel) {
    const Place place = fields.place("warp_slot");
    const Json& json = fields.at("warp_slot");
    expect_array(json, place);
    expect_at_most(json.size(), kernel, place);
    std::vector<std::vector<int>> slots;
    for (std::size_t i = 0; i < json.size(); ++i) {
      slots.push_back(read_integers(json[i], place.item(i), {}));
      if (slots.back().size() != static_cast<std::size_t>(kernel.warps())) {
        place.item(i).fail(fmt::format("has {} entries for a block of {} warps",
                                       slots.back().size(), kernel.warps()));
      }
    }
    return slots;
  }

  const Probe& probe_;
  const Device& device_;
};

/// What a line of this type says of a probe and its outcome.
std::pair<Probe, std::vector<Fact>> read_outcome(const Json& json, const std::string& type,
                                                 const Device& device, const std::string& where) {
  Fields fields(json, Place(where));
  if (fields.text("type") != type) fields.place("type").fail("must be " + in_quotes(type));
  // The probe's fields stand among others here; a probe on its own is strict about them.
  Json probe_json = Json::object();
  for (const char* name : {"name", "kernels", "script"}) {
    if (fields.has(name)) probe_json[name] = fields.at(name);
  }
  Probe probe = probe_from_json(probe_json, where);
  validate(probe, device, where);
  const Json& facts_json = fields.at("facts");
  const Place facts_place = fields.place("facts");
  expect_array(facts_json, facts_place);
  const FactReader reader(probe, device);
  std::vector<Fact> facts;
  for (std::size_t i = 0; i < facts_json.size(); ++i) {
    facts.push_back(reader.read(facts_json[i], facts_place.item(i)));
  }
  return {std::move(probe), std::move(facts)};
}

Json outcome_json(const std::string& type, const Probe& probe, const std::vector<Fact>& facts) {
  Json json = {{"type", type}};
  json.update(to_json(probe));
  json["facts"] = Json::array();
  for (const Fact& fact : facts) json["facts"].push_back(to_json(fact, probe));
  return json;
}

/// Reads the lines of a file in order.
class RecordingsReader {
 public:
  explicit RecordingsReader(const std::string& path) : path_(path) {}

  void read_line(std::string_view text, std::size_t number) {
    const std::string where = fmt::format("{}:{}", path_, number);
    const Json line = parse_line(text, where);
    Fields fields(line, Place(where));
    const std::string type = fields.text("type");
    if (!has_device_) {
      if (type != "device") {
        fields.place("type").fail("the first line must be of type \"device\"");
      }
      read_device(fields);
    } else if (type == "recording") {
      if (!says_clusters_) learn_clusters(line);
      take(recording_from_json(line, set_.device, where));
    } else if (type == "session") {
      fields.refuse_unknown();
      begin_session(nullptr);
    } else if (type == "opening") {
      begin_session(read_opening(line, number, fields));
    } else {
      fields.place("type").fail(in_quotes(type) +
                                " is none that may follow; there are recording, session, opening");
    }
  }

  RecordingSet finish() {
    if (!has_device_) throw Error(path_ + ": is empty; its first line must be of type \"device\"");
    return std::move(set_);
  }

 private:
  /// Who takes another kind of file for one of recordings sees it in the first line.
  Json parse_line(std::string_view text, const std::string& where) const {
    try {
      return parse_json(text, where);
    } catch (const Error& error) {
      if (has_device_) throw;
      throw Error(
          fmt::format("{} (a file of recordings has a JSON object in each line)", error.what()));
    }
  }

  void begin_session(std::shared_ptr<const InitialObservation> opening) {
    fresh_ = true;
    is_known_ = true;
    opening_ = std::move(opening);
  }

  /// One of which nothing is exact counts for nothing, nor does what comes after it in its session.
  void take(Recording recording) {
    is_known_ = is_known_ && !recording.probe.script.empty();
    if (is_known_) {
      recording.fresh = fresh_;
      recording.opening = std::exchange(opening_, nullptr);
      set_.recordings.push_back(std::move(recording));
    }
    fresh_ = !is_session_;
    is_known_ = is_known_ || !is_session_;
  }

  /// Where the device does not say which clusters it launches, those that it did launch show it.
  void learn_clusters(const Json& line) {
    const Json kernels = line.value("kernels", Json::object());
    if (!kernels.is_object()) return;
    constexpr std::uint64_t most = Device::kLargestCluster;
    for (const Json& kernel : kernels) {
      if (!kernel.is_object() || !kernel.contains("cluster")) continue;
      const Json& cluster = kernel["cluster"];
      if (!cluster.is_number_unsigned()) continue;
      const auto size = std::min<std::uint64_t>(cluster.get<std::uint64_t>(), most);
      set_.device.max_cluster =
          std::max(set_.device.max_cluster, static_cast<int>(std::bit_ceil(size)));
    }
  }

  std::shared_ptr<const InitialObservation> read_opening(const Json& line, std::size_t number,
                                                         Fields& fields) {
    if (!fields.has("as_in_line")) {
      return openings_[static_cast<int>(number)] = std::make_shared<InitialObservation>(
                 opening_from_json(line, set_.device, fields.place().where()));
    }
    const int earlier = fields.integer("as_in_line", {});
    const auto opening = openings_.find(earlier);
    if (opening == openings_.end()) {
      fields.place("as_in_line")
          .fail(fmt::format("line {} writes out no opening before this one", earlier));
    }
    fields.refuse_unknown();
    return opening->second;
  }

  void read_device(Fields& fields) {
    set_.source = fields.text("source");
    if (fields.has("session")) {
      is_session_ = read_boolean(fields.at("session"), fields.place("session"));
    }
    set_.device = device_from_json(fields.at("device"), fields.place().where(), "device");
    says_clusters_ = fields.at("device").contains("max_cluster");
    fields.refuse_unknown();
    has_device_ = true;
  }

  std::string path_;
  RecordingSet set_;
  std::map<int, std::shared_ptr<const InitialObservation>>
      openings_;  ///< by the line that writes it out
  bool has_device_ = false;
  bool says_clusters_ = false;
  bool is_session_ = false;
  bool fresh_ = true;                                  ///< what the next recording is
  bool is_known_ = true;                               ///< in which state that begins
  std::shared_ptr<const InitialObservation> opening_;  ///< of the session that it begins
};

}  // namespace

Recording first_steps(Recording recording, int steps) {
  recording.probe.script.resize(std::min<std::size_t>(steps, recording.probe.script.size()));
  const auto is_launched = [&](int kernel) {
    return std::ranges::any_of(recording.probe.script,
                               [&](const Action& action) { return action.launch == kernel; });
  };
  std::erase_if(recording.facts,
                [&](const Fact& fact) { return fact.step >= steps || !is_launched(fact.kernel); });
  return recording;
}

RecordingSet read_recordings(const std::string& path) {
  const std::string text = read_file(path);
  RecordingsReader reader(path);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', begin);
    const std::size_t end = std::min(newline, text.size());
    const std::string_view line(text.data() + begin, end - begin);
    ++number;
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) reader.read_line(line, number);
    begin = end + 1;
  }
  return reader.finish();
}

Recording recording_from_json(const nlohmann::ordered_json& json, const Device& device,
                              const std::string& where) {
  Recording recording;
  recording.where = where;
  std::tie(recording.probe, recording.facts) = read_outcome(json, "recording", device, where);
  Fields fields(json, Place(where));
  if (!fields.has("exact")) return recording;
  const int most = static_cast<int>(recording.probe.script.size());
  return first_steps(std::move(recording), fields.integer("exact", {0, most}));
}

nlohmann::ordered_json to_json(const Recording& recording) {
  return outcome_json("recording", recording.probe, recording.facts);
}

InitialObservation opening_from_json(const nlohmann::ordered_json& json, const Device& device,
                                     const std::string& where) {
  auto [probe, facts] = read_outcome(json, "opening", device, where);
  return {std::move(probe), std::move(facts), Place(where)};
}

nlohmann::ordered_json to_json(const InitialObservation& opening) {
  return outcome_json("opening", opening.probe(), opening.facts());
}

}  // namespace cuvier
