#include "probes/probe_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/json_fields.h"

namespace cuvier {
namespace {

Kernel read_kernel(const std::string& name, const Json& json, const Place& place) {
  Fields fields(json, place);
  Kernel kernel;
  kernel.name = name;
  kernel.blocks = fields.integer("blocks", {1, largest_number});
  kernel.threads = fields.integer("threads", {1, largest_number});
  kernel.registers = fields.integer("registers", {1, largest_number});
  kernel.shared = fields.integer("shared", {}, 0);
  kernel.local = fields.integer("local", {}, 0);
  kernel.priority = fields.integer("priority", {-largest_number, largest_number}, 0);
  if (fields.has("stream")) kernel.stream = fields.text("stream");
  if (fields.has("cluster")) kernel.cluster = fields.integer("cluster", {1, largest_number});
  fields.refuse_unknown();
  return kernel;
}

int read_kernel_name(const Json& json, const Place& place, const Probe& probe) {
  const std::string name = read_text(json, place);
  const std::optional<int> kernel = probe.find(name);
  if (!kernel) place.fail(in_quotes(name) + " is not among the kernels; declare it there");
  return *kernel;
}

std::vector<int> read_blocks(const Json& json, const Place& place, int blocks) {
  std::vector<int> named = read_integers(json, place, {0, blocks - 1});
  std::sort(named.begin(), named.end());
  const auto twice = std::adjacent_find(named.begin(), named.end());
  if (twice != named.end()) place.fail(fmt::format("block {} stands twice; name it once", *twice));
  return named;
}

/// Reads a script in order, so that it knows what has been launched.
class ScriptReader {
 public:
  explicit ScriptReader(const Probe& probe) : probe_(probe), launched_(probe.kernels.size()) {}

  Action read(const Json& json, const Place& place) {
    Fields fields(json, place);
    Action action;
    const bool launches = fields.has("launch");
    if (launches == fields.has("release")) {
      place.fail("must have either \"launch\" or \"release\"");
    }
    if (launches) {
      action.launch = read_launch(fields.at("launch"), fields.place("launch"));
    } else {
      action.releases = read_releases(fields.at("release"), fields.place("release"));
    }
    fields.refuse_unknown();
    return action;
  }

 private:
  int read_launch(const Json& json, const Place& place) {
    const int kernel = read_kernel_name(json, place, probe_);
    if (launched_[kernel]) {
      place.fail(in_quotes(probe_.kernels[kernel].name) +
                 " is launched twice; declare another kernel like it");
    }
    launched_[kernel] = true;
    return kernel;
  }

  std::vector<Release> read_releases(const Json& json, const Place& place) {
    expect_array(json, place);
    std::vector<Release> releases;
    std::vector<bool> named(probe_.kernels.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::optional<Release> release = read_release(json[i], place.item(i), named);
      if (release) releases.push_back(*release);
    }
    return releases;
  }

  std::optional<Release> read_release(const Json& json, const Place& place,
                                      std::vector<bool>& named) {
    if (json.is_string()) return Release{released_kernel(json, place, named), {}};
    Fields fields(json, place);
    Release release;
    release.kernel = released_kernel(fields.at("kernel"), fields.place("kernel"), named);
    release.blocks = read_blocks(fields.at("blocks"), fields.place("blocks"),
                                 probe_.kernels[release.kernel].blocks);
    fields.refuse_unknown();
    // In a Release, no blocks means all that are resident; here it means none.
    if (release.blocks.empty()) return std::nullopt;
    return release;
  }

  int released_kernel(const Json& json, const Place& place, std::vector<bool>& named) const {
    const int kernel = read_kernel_name(json, place, probe_);
    const std::string name = in_quotes(probe_.kernels[kernel].name);
    if (!launched_[kernel]) place.fail(name + " is not launched yet; launch it before");
    if (named[kernel]) place.fail(name + " stands twice in one release; name it once");
    named[kernel] = true;
    return kernel;
  }

  const Probe& probe_;
  std::vector<bool> launched_;
};

}  // namespace

Probe probe_from_json(const nlohmann::ordered_json& json, const std::string& where,
                      const std::string& path) {
  Fields fields(json, Place(where, path));
  Probe probe;
  probe.name = fields.text("name");

  const Place kernels_place = fields.place("kernels");
  const Json& kernels = fields.at("kernels");
  expect_object(kernels, kernels_place);
  if (kernels.empty()) kernels_place.fail("is empty; declare a kernel");
  for (const auto& [name, kernel] : kernels.items()) {
    if (name.empty()) kernels_place.fail("a kernel has an empty name; give it one");
    probe.kernels.push_back(read_kernel(name, kernel, kernels_place.field(name)));
  }

  const Place script_place = fields.place("script");
  const Json& script = fields.at("script");
  expect_array(script, script_place);
  if (script.empty()) script_place.fail("is empty; launch a kernel");
  ScriptReader reader(probe);
  for (std::size_t i = 0; i < script.size(); ++i) {
    probe.script.push_back(reader.read(script[i], script_place.item(i)));
  }
  fields.refuse_unknown();
  return probe;
}

nlohmann::ordered_json to_json(const Probe& probe) {
  Json kernels = Json::object();
  for (const Kernel& kernel : probe.kernels) {
    Json fields = {{"blocks", kernel.blocks},
                   {"threads", kernel.threads},
                   {"registers", kernel.registers},
                   {"shared", kernel.shared},
                   {"local", kernel.local}};
    if (kernel.stream) fields["stream"] = *kernel.stream;
    if (kernel.priority != 0) fields["priority"] = kernel.priority;
    if (kernel.cluster) fields["cluster"] = *kernel.cluster;
    kernels[kernel.name] = std::move(fields);
  }
  Json script = Json::array();
  for (const Action& action : probe.script) {
    if (action.launch) {
      script.push_back({{"launch", probe.kernels[*action.launch].name}});
      continue;
    }
    Json releases = Json::array();
    for (const Release& release : action.releases) {
      const std::string& name = probe.kernels[release.kernel].name;
      releases.push_back(
          release.blocks.empty() ? Json(name) : Json{{"kernel", name}, {"blocks", release.blocks}});
    }
    script.push_back({{"release", std::move(releases)}});
  }
  return {{"name", probe.name}, {"kernels", std::move(kernels)}, {"script", std::move(script)}};
}

}  // namespace cuvier
