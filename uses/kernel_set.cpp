#include "uses/kernel_set.h"

#include "probes/kernel_fields.h"
#include "probes/probe_json.h"
#include "uses/others_fields.h"

namespace cuvier {
namespace {

/// Of local memory, bytes for each thread: a context is set up for that much stack from the start
/// (cudaLimitStackSize), so a kernel that needs no more never waits for it.
constexpr int kStackOfContext = 1024;

/// The kernel with what the report says of its entry written out.
Json written_out(Json kernel, const CompilerReport& report, const Place& place) {
  if (!kernel.is_object() || !kernel.contains("entry")) return kernel;
  const Place entry_place = place.field("entry");
  if (kernel.contains("registers")) {
    entry_place.fail("says what \"registers\" says; leave one of them out");
  }
  const ReportedKernel& reported =
      report.find(read_text(kernel.at("entry"), entry_place), entry_place);
  kernel.erase("entry");
  kernel["registers"] = reported.registers;
  if (!kernel.contains("local")) kernel["local"] = reported.local;
  const std::int64_t dynamic =
      kernel.contains("shared") ? read_integer(kernel.at("shared"), place.field("shared"), {}) : 0;
  kernel["shared"] = dynamic + reported.shared;
  return kernel;
}

/// A kernel, and how it is launched.
struct LaunchedKernel {
  Kernel kernel;
  bool cooperative = false;
  std::vector<std::string> after = {};
  std::vector<std::string> programmatic_after = {};
};

constexpr auto launched_fields = [](auto& launched, auto& field) {
  kernel_fields(launched.kernel, field);
  field.optional("cooperative", launched.cooperative, Boolean(),
                 "launched by cudaLaunchCooperativeKernel");
  field.optional("after", launched.after, ListOf{String()},
                 "kernels that have ended once it comes, as along the edges of a graph");
  field.optional("programmatic_after", launched.programmatic_after, ListOf{String()},
                 "kernels of which all blocks have begun once it comes: a programmatic dependent "
                 "launch");
};

/// With "entry" or "registers".
template <class Kind>
struct Reported {
  const CompilerReport& report;
  Kind kind;
  auto read(const Json& json, const Place& place) const {
    return kind.read(written_out(json, report, place), place);
  }
  Json schema() const {
    Json schema = kind.schema();
    schema["properties"]["entry"] = String().schema();
    schema["properties"]["entry"]["description"] =
        "in place of registers: a function in a --kernel-report";
    schema["required"] = {"blocks", "threads"};
    schema["oneOf"] = parse_json(R"([{"required": ["registers"]}, {"required": ["entry"]}])", "");
    return schema;
  }
};

/// As the file has them.
struct ListedSet {
  std::vector<LaunchedKernel> kernels;
  Others others;
};

auto format_with(const CompilerReport& report) {
  return object<ListedSet>([&report](auto& set, auto& field) {
    field.required("kernels", set.kernels,
                   by_name(
                       Reported{report, object<LaunchedKernel>(launched_fields)},
                       [](LaunchedKernel & launched) -> auto& { return launched.kernel.name; }),
                   "by their names");
    field.optional("resident", set.others.resident,
                   by_name(
                       Reported{report, object<Kernel>(kernel_fields)},
                       [](Kernel & kernel) -> auto& { return kernel.name; }),
                   "other kernels: their blocks have places already, whichever those are");
    field.optional("reserved_sms", set.others.reserved, ReservedSmsFormat(),
                   "SMs that take no blocks of the kernels: how many, or which");
  });
}

Launching launching_of(const std::vector<LaunchedKernel>& kernels, const Probe& all,
                       const Place& place) {
  Launching launching;
  const auto add = [&](int later, const char* field, const std::vector<std::string>& names,
                       Precedence::Once once) {
    const Place list = place.field(kernels[later].kernel.name).field(field);
    for (std::size_t i = 0; i < names.size(); ++i) {
      launching.edges.push_back({later, KernelName{all}.of(names[i], list.item(i)), once});
      if (Sequence(kernels.size(), launching.edges).is_circular()) {
        list.item(i).fail("with this one a kernel comes after itself; leave an edge out");
      }
    }
  };
  for (int k = 0; k < std::ssize(kernels); ++k) {
    if (kernels[k].cooperative) launching.cooperative.push_back(k);
    add(k, "after", kernels[k].after, Precedence::Once::ended);
    add(k, "programmatic_after", kernels[k].programmatic_after, Precedence::Once::begun);
  }
  return launching;
}

/// Without local memory that every context comes with.
void forget_stacks(std::vector<Kernel>& kernels) {
  for (Kernel& kernel : kernels) {
    if (kernel.local <= kStackOfContext) kernel.local = 0;
  }
}

}  // namespace

KernelSet kernels_from_json(const nlohmann::ordered_json& json, const Device& device,
                            const CompilerReport& report, const std::string& where) {
  const ListedSet listed = format_with(report).read(json, Place(where));
  Probe all;
  for (const LaunchedKernel& launched : listed.kernels) all.kernels.push_back(launched.kernel);
  KernelSet set{all.kernels, listed.others,
                launching_of(listed.kernels, all, Place(where).field("kernels"))};
  set.others.where = where + ": resident";
  validate(all, device, where);
  expect_apart(set.others.resident, set.kernels, device, where);
  forget_stacks(set.kernels);
  forget_stacks(set.others.resident);
  expect_some_left(set.others.reserved, device, Place(where).field("reserved_sms"));
  return set;
}

Probe probe_with_entries(nlohmann::ordered_json json, const Device& device,
                         const CompilerReport& report, const std::string& where) {
  const Place kernels = Place(where).field("kernels");
  if (json.is_object() && json.contains("kernels") && json["kernels"].is_object()) {
    for (auto& [name, kernel] : json["kernels"].items()) {
      const bool is_reported = kernel.is_object() && kernel.contains("entry");
      kernel = written_out(kernel, report, kernels.field(name));
      if (is_reported && kernel["local"] <= kStackOfContext) kernel["local"] = 0;
    }
  }
  Probe probe = probe_from_json(json, where);
  validate(probe, device, where);
  return probe;
}

nlohmann::ordered_json kernels_schema() { return format_with(CompilerReport()).schema(); }

}  // namespace cuvier
