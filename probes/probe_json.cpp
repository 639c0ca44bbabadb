#include "probes/probe_json.h"

#include <algorithm>

#include "probes/kernel_fields.h"
#include "probes/schemas.h"

namespace cuvier {
namespace {

/// What a script may name. It is read in order, and so knows what has been launched.
struct Known {
  const Probe& probe;
  std::vector<bool> launched = {};
  std::vector<bool> released = {};  ///< by this release

  explicit Known(const Probe& probe) : probe(probe) {}

  std::string quoted(int kernel) const { return in_quotes(probe.kernels[kernel].name); }
};

struct LaunchedName : KernelName {
  Known& known;
  int read(const Json& json, const Place& place) const {
    const int kernel = KernelName::read(json, place);
    if (known.launched[kernel]) {
      place.fail(known.quoted(kernel) + " is launched twice; declare another kernel like it");
    }
    known.launched[kernel] = true;
    return kernel;
  }
};

struct ReleasedName : KernelName {
  Known& known;
  int read(const Json& json, const Place& place) const {
    const int kernel = KernelName::read(json, place);
    const std::string name = known.quoted(kernel);
    if (!known.launched[kernel]) place.fail(name + " is not launched yet; launch it before");
    if (known.released[kernel]) place.fail(name + " stands twice in one release; name it once");
    known.released[kernel] = true;
    return kernel;
  }
};

/// Some blocks of a kernel.
struct BlocksOf {
  const Known& known;
  const int& kernel;
  std::vector<int> read(const Json& json, const Place& place) const {
    std::vector<int> named =
        read_integers(json, place, {0, known.probe.kernels[kernel].blocks - 1});
    std::ranges::sort(named);
    const auto twice = std::ranges::adjacent_find(named);
    if (twice != named.end()) place.fail("block {} stands twice; name it once", *twice);
    return named;
  }
  Json schema() const {
    Json schema = Integers().schema();
    schema["uniqueItems"] = true;
    return schema;
  }
};

struct Releases {
  Known& known;
  auto some_blocks() const {
    return object<Release>([known = &known](auto& release, auto& field) {
      field.required("kernel", release.kernel, ReleasedName{{known->probe}, *known}, "its name");
      field.required("blocks", release.blocks, BlocksOf{*known, release.kernel}, "which of it");
    });
  }
  std::vector<Release> read(const Json& json, const Place& place) const {
    expect_array(json, place);
    known.released.assign(known.probe.kernels.size(), false);
    std::vector<Release> releases;
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (json[i].is_string()) {
        releases.push_back({ReleasedName{{known.probe}, known}.read(json[i], place.item(i)), {}});
      } else if (Release some = some_blocks().read(json[i], place.item(i)); !some.blocks.empty()) {
        // In a Release, no blocks means all that are resident; here it means none.
        releases.push_back(std::move(some));
      }
    }
    return releases;
  }
  Json write(const std::vector<Release>& releases) const {
    return mapped(releases, [&](const Release& release) -> Json {
      return release.blocks.empty() ? KernelName{known.probe}.write(release.kernel)
                                    : some_blocks().write(release);
    });
  }
  Json schema() const {
    return {{"type", "array"}, {"items", {{"oneOf", {String().schema(), some_blocks().schema()}}}}};
  }
};

struct Script {
  const Probe& probe;
  static auto actions(Known& known) {
    return ListOf{object<Action>([&known](auto& action, auto& field) {
      bool launches = action.launch.has_value();
      field.choice("launch", launches, true, action.launch, LaunchedName{{known.probe}, known},
                   "a kernel; each at most once");
      field.choice("release", launches, false, action.releases, Releases{known},
                   "all blocks of a kernel that are resident, or some; after its launch");
      field.one_choice("must have either \"launch\" or \"release\"");
    })};
  }
  std::vector<Action> read(const Json& json, const Place& place) const {
    Known known(probe);
    known.launched.resize(probe.kernels.size());
    std::vector<Action> script = actions(known).read(json, place);
    if (script.empty()) place.fail("is empty; launch a kernel");
    return script;
  }
  Json write(const std::vector<Action>& script) const {
    Known known(probe);
    return actions(known).write(script);
  }
  Json schema() const {
    Known known(probe);
    Json schema = actions(known).schema();
    schema["minItems"] = 1;
    return schema;
  }
};

void expect_countable(const Probe& probe, Fields& fields) {
  if (probe.blocks() <= largest_number) return;
  fields.place("kernels").fail("have {} blocks in all; at most {}", probe.blocks(), largest_number);
}

constexpr auto probe_format = object<Probe>(
    [](auto& probe, auto& field) {
      field.required("name", probe.name, String(), "for people");
      field.required(
          "kernels", probe.kernels,
          by_name(
              object<Kernel>(kernel_fields), [](auto& kernel) -> auto& { return kernel.name; }),
          "that it may launch, by their names");
      field.required("script", probe.script, Script{probe}, "what happens, one after the other");
    },
    expect_countable);

}  // namespace

Probe probe_from_json(const nlohmann::ordered_json& json, const std::string& where,
                      const std::string& path) {
  return probe_format.read(json, Place(where, path));
}

nlohmann::ordered_json to_json(const Probe& probe) { return probe_format.write(probe); }

nlohmann::ordered_json probe_schema() { return probe_format.schema(); }

}  // namespace cuvier
