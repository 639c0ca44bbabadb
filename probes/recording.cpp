#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "probes/an_error.h"
#include "probes/fact.h"
#include "probes/fact_format.h"
#include "probes/format.h"
#include "probes/initial_observation.h"
#include "probes/schemas.h"

namespace cuvier {
namespace {

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
  std::vector<Fact> facts =
      facts_from_json(fields.at("facts"), fields.place("facts"), probe, device);
  return {std::move(probe), std::move(facts)};
}

Json outcome_json(const std::string& type, const Probe& probe, const std::vector<Fact>& facts) {
  Json json = {{"type", type}};
  json.update(to_json(probe));
  json["facts"] = Json::array();
  for (const Fact& fact : facts) json["facts"].push_back(to_json(fact, probe));
  return json;
}

/// The type of a line, which is known when its other fields are read.
struct Type {
  std::string type;
  std::string read(const Json& json, const Place& place) const { return read_text(json, place); }
  Json schema() const { return {{"const", type}}; }
};

struct DeviceLine {
  std::string type;
  std::string source;
  bool is_session = false;
  Device device;
};

constexpr auto device_line = object<DeviceLine>([](auto& line, auto& field) {
  field.required("type", line.type, Type{"device"}, "of the line");
  field.required("source", line.source, String(), "who recorded it, and how");
  field.optional("session", line.is_session, Boolean(),
                 "whether each recording ran after the one before; if not, each is fresh");
  field.required("device", line.device, DeviceFormat(), "on which all was recorded");
});

/// A line of this type that says what became of a probe; `more` is what else it may say.
Json outcome_schema(const char* type, const Json& more) {
  Json schema = probe_schema();
  schema["properties"]["type"] = Type{type}.schema();
  schema["properties"]["facts"] = facts_schema();
  schema["properties"].update(more);
  for (const char* name : {"type", "facts"}) schema["required"].push_back(name);
  schema["additionalProperties"] = true;
  return schema;
}

/// A line of this type with this field, and no other.
Json short_schema(const char* type, const Json& fields) {
  Json schema = {{"type", "object"}, {"properties", {{"type", Type{type}.schema()}}}};
  schema["properties"].update(fields);
  schema["required"] = Json::array({"type"});
  for (const auto& [name, field] : fields.items()) schema["required"].push_back(name);
  schema["additionalProperties"] = false;
  return schema;
}

/// Reads the lines of a file in order.
class RecordingsReader {
 public:
  RecordingsReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  void read_line(std::string_view text, std::size_t number) {
    const std::string where = fmt::format("{}:{}", path_, number);
    const Json line = parse_line(text, where);
    Fields fields(line, Place(where));
    const std::string type = fields.text("type");
    if (!has_device_) {
      if (type != "device") {
        fields.place("type").fail("the first line must be of type \"device\"");
      }
      read_device(line, fields);
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
      const char* const rule = "a file of recordings has a JSON object in each line";
      const auto whole = looks_like(text_);
      if (!whole) throw an_error("{} ({})", error.what(), rule);
      throw an_error("{}: is one JSON value over several lines, and {}{}", path_, rule, *whole);
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
      set_.device.max_cluster = std::max(set_.device.max_cluster, static_cast<int>(size));
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
      fields.place("as_in_line").fail("line {} writes out no opening before this one", earlier);
    }
    fields.refuse_unknown();
    return opening->second;
  }

  void read_device(const Json& line, const Fields& fields) {
    DeviceLine read = device_line.read(line, fields.place());
    set_.source = std::move(read.source);
    set_.device = std::move(read.device);
    is_session_ = read.is_session;
    says_clusters_ = line["device"].contains("max_cluster");
    has_device_ = true;
  }

  std::string_view text_;  ///< all of it
  std::string path_;
  RecordingSet set_;
  /// By the line that writes it out.
  std::map<int, std::shared_ptr<const InitialObservation>> openings_;
  bool has_device_ = false;
  bool says_clusters_ = false;
  bool is_session_ = false;
  bool fresh_ = true;                                  ///< what the next recording is
  bool is_known_ = true;                               ///< in which state that begins
  std::shared_ptr<const InitialObservation> opening_;  ///< of the session that it begins
};

}  // namespace

Recording first_steps(Recording recording, int steps) {
  Probe& probe = recording.probe;
  probe.script.resize(std::min<std::size_t>(steps, probe.script.size()));
  std::erase_if(recording.facts, [&](const Fact& fact) {
    return fact.step >= steps || probe.launch_of(fact.kernel) == std::ssize(probe.script);
  });
  return recording;
}

RecordingSet read_recordings(const std::string& path) {
  return recordings_from_text(read_file(path), path);
}

RecordingSet recordings_from_text(std::string_view text, const std::string& path) {
  RecordingsReader reader(text, path);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', begin);
    const std::size_t end = std::min(newline, text.size());
    const std::string_view line = text.substr(begin, end - begin);
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

nlohmann::ordered_json recordings_line_schema() {
  const Json as_in_line = {{"as_in_line", Integer{{2}}.schema()}};
  Json schema;
  schema["oneOf"] = {
      device_line.schema(), outcome_schema("recording", {{"exact", Integer().schema()}}),
      short_schema("session", Json::object()), outcome_schema("opening", {{"as_in_line", false}}),
      short_schema("opening", as_in_line)};
  return schema;
}

}  // namespace cuvier
