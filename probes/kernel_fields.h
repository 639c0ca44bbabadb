#pragma once

#include <array>

#include "probes/format.h"
#include "probes/probe.h"
#include "probes/warp_slots.h"

namespace cuvier {

/// How many blocks or threads: a number or, as in <<<grid, block>>>, up to three that are
/// multiplied, [x, y, z]. Blocks are numbered along x first.
struct Extent {
  std::array<std::int64_t, 3> most;  ///< by dimension

  int read(const Json& json, const Place& place) const {
    if (!json.is_array()) return Integer{{1}}.read(json, place);
    if (json.empty() || json.size() > most.size()) {
      place.fail("must be a number, or [x, y, z] with at most three");
    }
    std::int64_t product = 1;
    for (std::size_t i = 0; i < json.size(); ++i) {
      product *= read_integer(json[i], place.item(i), {1, most[i]});
      if (product > largest_number) place.fail("is more than there can be in all");
    }
    return static_cast<int>(product);
  }
  Json schema() const {
    const Json one = Integer{{1}}.schema();
    return {
        {"oneOf", {one, {{"type", "array"}, {"items", one}, {"minItems", 1}, {"maxItems", 3}}}}};
  }
};

/// CUDA's limits, of all devices.
inline constexpr Extent kGrid{{largest_number, 65535, 65535}};
inline constexpr Extent kBlock{{1024, 1024, 64}};

/// The table of a kernel's fields.
constexpr auto kernel_fields = [](auto& kernel, auto& field) {
  field.required("blocks", kernel.blocks, kGrid, "of its grid: a number, or [x, y, z]");
  field.required("threads", kernel.threads, kBlock, "of a block: a number, or [x, y, z]");
  field.required("registers", kernel.registers, Integer{{1}},
                 "of a thread, as drivers report them");
  field.defaulted("shared", kernel.shared, Integer(),
                  "dynamic shared memory of a block in bytes, without what the runtime reserves");
  field.defaulted("local", kernel.local, Integer(), "local memory of a thread in bytes");
  field.optional("stream", kernel.stream, String(), "without one: a stream of its own");
  field.optional("priority", kernel.priority, Integer{{-largest_number}},
                 "as in CUDA: a lower number goes first");
  field.optional("cluster", kernel.cluster, Integer{{1}},
                 "blocks of a cluster; without one: launched without clusters");
};

/// One of a probe's kernels, by its name.
struct KernelName {
  const Probe& probe;
  int of(const std::string& name, const Place& place) const {
    const std::optional<int> kernel = probe.find(name);
    if (!kernel) place.fail(in_quotes(name) + " is not among the kernels; declare it there");
    return *kernel;
  }
  int read(const Json& json, const Place& place) const { return of(read_text(json, place), place); }
  Json write(int kernel) const { return probe.kernels[kernel].name; }
  Json schema() const { return String().schema(); }
};

/// The slots of the warps of blocks, block by block.
inline WarpSlots read_warp_slots(const Json& json, const Place& place, const Kernel& kernel) {
  WarpSlots slots;
  for (const std::vector<int>& block : ListOf{Integers()}.read(json, place)) {
    if (std::ssize(block) != kernel.warps()) {
      place.item(slots.size())
          .fail("has {} entries for a block of {} warps", block.size(), kernel.warps());
    }
    slots.push_back(block);
  }
  return slots;
}

/// "kernels": an object of them, by their names and in its order. `name` is that of one.
template <class Kind, class Name>
struct ByName {
  Kind kind;
  Name name;
  auto read(const Json& json, const Place& place) const {
    expect_object(json, place);
    if (json.empty()) place.fail("is empty; declare a kernel");
    std::vector<decltype(kind.read(json, place))> all;
    for (const auto& [called, value] : json.items()) {
      if (called.empty()) place.fail("a kernel has an empty name; give it one");
      all.push_back(kind.read(value, place.field(called)));
      name(all.back()) = called;
    }
    return all;
  }
  Json write(const auto& all) const {
    Json json = Json::object();
    for (const auto& value : all) json[name(value)] = written(kind, value);
    return json;
  }
  Json schema() const {
    return {{"type", "object"},
            {"propertyNames", {{"minLength", 1}}},
            {"minProperties", 1},
            {"additionalProperties", kind.schema()}};
  }
};

template <class Kind, class Name>
constexpr ByName<Kind, Name> by_name(Kind kind, Name name) {
  return {kind, name};
}

}  // namespace cuvier
