#pragma once

#include "probes/format.h"
#include "probes/probe.h"

namespace cuvier {

/// The table of a kernel's fields.
constexpr auto kernel_fields = [](auto& kernel, auto& field) {
  field.required("blocks", kernel.blocks, Integer{{1}}, "of its grid");
  field.required("threads", kernel.threads, Integer{{1}}, "of a block");
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
