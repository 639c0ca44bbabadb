#include "uses/kernel_set.h"

#include "probes/kernel_fields.h"

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

auto format_with(const CompilerReport& report) {
  return object<Probe>([&report](auto& probe, auto& field) {
    field.required("kernels", probe.kernels,
                   by_name(
                       ListedKernel{report}, [](Kernel & kernel) -> auto& { return kernel.name; }),
                   "by their names");
  });
}

}  // namespace

std::vector<Kernel> kernels_from_json(const nlohmann::ordered_json& json, const Device& device,
                                      const CompilerReport& report, const std::string& where) {
  Probe probe = format_with(report).read(json, Place(where));
  validate(probe, device, where);
  for (Kernel& kernel : probe.kernels) {
    if (kernel.local <= kStackOfContext) kernel.local = 0;
  }
  return probe.kernels;
}

nlohmann::ordered_json kernels_schema() { return format_with(CompilerReport()).schema(); }

}  // namespace cuvier
