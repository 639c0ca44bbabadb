#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "probes/error.h"
#include "probes/fact.h"
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

/// Reads the lines of a file in order.
class RecordingsReader {
 public:
  explicit RecordingsReader(const std::string& path) : path_(path) {}

  void read_line(std::string_view text, std::size_t number) {
    const std::string where = fmt::format("{}:{}", path_, number);
    const Json line = parse_json(text, where);
    Fields fields(line, Place(where));
    const std::string type = fields.text("type");
    if (!has_device_) {
      if (type != "device") {
        fields.place("type").fail("the first line must be of type \"device\"");
      }
      read_device(fields);
    } else if (type == "recording") {
      set_.recordings.push_back(recording_from_json(line, set_.device, where));
      set_.recordings.back().fresh = fresh_;
      fresh_ = !is_session_;
    } else if (type == "session") {
      fields.refuse_unknown();
      fresh_ = true;
    } else {
      fields.place("type").fail(in_quotes(type) +
                                " is none that may follow; there are recording, session");
    }
  }

  RecordingSet finish() {
    if (!has_device_) throw Error(path_ + ": is empty; its first line must be of type \"device\"");
    return std::move(set_);
  }

 private:
  void read_device(Fields& fields) {
    set_.source = fields.text("source");
    if (fields.has("session")) {
      is_session_ = read_boolean(fields.at("session"), fields.place("session"));
    }
    set_.device = device_from_json(fields.at("device"), fields.place().where(), "device");
    fields.refuse_unknown();
    has_device_ = true;
  }

  std::string path_;
  RecordingSet set_;
  bool has_device_ = false;
  bool is_session_ = false;
  bool fresh_ = true;  ///< what the next recording is
};

}  // namespace

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
  Fields fields(json, Place(where));
  if (fields.text("type") != "recording") fields.place("type").fail("must be \"recording\"");
  // The probe's fields stand among others here; a probe on its own is strict about them.
  Json probe = Json::object();
  for (const char* name : {"name", "kernels", "script"}) {
    if (fields.has(name)) probe[name] = fields.at(name);
  }
  Recording recording;
  recording.where = where;
  recording.probe = probe_from_json(probe, where);
  validate(recording.probe, device, where);
  const Json& facts = fields.at("facts");
  const Place facts_place = fields.place("facts");
  expect_array(facts, facts_place);
  const FactReader reader(recording.probe, device);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    recording.facts.push_back(reader.read(facts[i], facts_place.item(i)));
  }
  return recording;
}

nlohmann::ordered_json to_json(const Recording& recording) {
  Json json = {{"type", "recording"}};
  json.update(to_json(recording.probe));
  Json facts = Json::array();
  for (const Fact& fact : recording.facts) facts.push_back(to_json(fact, recording.probe));
  json["facts"] = std::move(facts);
  return json;
}

}  // namespace cuvier
