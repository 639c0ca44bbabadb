#include "uses/kernel_set.h"

#include <algorithm>

#include "probes/kernel_fields.h"
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

struct ListedKernel {
  const CompilerReport& report;
  Kernel read(const Json& json, const Place& place) const {
    return object<Kernel>(kernel_fields).read(written_out(json, report, place), place);
  }
  Json schema() const {
    Json schema = object<Kernel>(kernel_fields).schema();
    schema["properties"]["entry"] = String().schema();
    schema["properties"]["entry"]["description"] =
        "in place of registers: a function in a --kernel-report";
    schema["required"] = {"blocks", "threads"};
    schema["oneOf"] = parse_json(R"([{"required": ["registers"]}, {"required": ["entry"]}])", "");
    return schema;
  }
};

auto by_names(const CompilerReport& report) {
  return by_name(
      ListedKernel{report}, [](Kernel & kernel) -> auto& { return kernel.name; });
}

auto format_with(const CompilerReport& report) {
  return object<KernelSet>([&report](auto& set, auto& field) {
    field.required("kernels", set.kernels, by_names(report), "by their names");
    field.optional("resident", set.others.resident, by_names(report),
                   "other kernels: their blocks have places already, whichever those are");
    field.optional("reserved_sms", set.others.reserved, ReservedSmsFormat(),
                   "SMs that take no blocks of the kernels: how many, or which");
  });
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
  KernelSet set = format_with(report).read(json, Place(where));
  auto& [resident, reserved] = set.others;
  validate(Probe{"", set.kernels, {}}, device, where);
  expect_apart(resident, set.kernels, device, where);
  forget_stacks(set.kernels);
  forget_stacks(resident);
  expect_some_left(reserved, device, Place(where).field("reserved_sms"));
  return set;
}

nlohmann::ordered_json kernels_schema() { return format_with(CompilerReport()).schema(); }

}  // namespace cuvier
