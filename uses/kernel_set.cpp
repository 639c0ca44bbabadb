#include "uses/kernel_set.h"

#include <fmt/format.h>

#include "probes/json_fields.h"
#include "probes/probe_json.h"

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

}  // namespace

std::vector<Kernel> kernels_from_json(const nlohmann::ordered_json& json, const Device& device,
                                      const CompilerReport& report, const std::string& where) {
  const Place root(where);
  Fields fields(json, root);
  const Json& kernels = fields.at("kernels");
  const Place kernels_place = fields.place("kernels");
  expect_object(kernels, kernels_place);
  fields.refuse_unknown();
  Json probe = {{"name", "kernels"}, {"kernels", Json::object()}, {"script", Json::array()}};
  for (const auto& [name, kernel] : kernels.items()) {
    probe["kernels"][name] = written_out(kernel, report, kernels_place.field(name));
    probe["script"].push_back({{"launch", name}});
  }
  if (kernels.empty()) kernels_place.fail("is empty; declare a kernel");
  Probe read = probe_from_json(probe, where);
  validate(read, device, where);
  for (Kernel& kernel : read.kernels) {
    if (kernel.local <= kStackOfContext) kernel.local = 0;
  }
  return read.kernels;
}

}  // namespace cuvier
