#include "probes/probe.h"

#include "probes/json_fields.h"
#include "probes/kernel_fault.h"

namespace cuvier {
std::optional<int> Probe::find(const std::string& kernel) const {
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].name == kernel) return static_cast<int>(i);
  }
  return std::nullopt;
}

void validate(const Probe& probe, const Device& device, const std::string& where) {
  for (const Kernel& kernel : probe.kernels) {
    const auto fault = fault_of(kernel, device);
    if (!fault) continue;
    const Place place = Place(where).field("kernels").field(kernel.name);
    (fault->field.empty() ? place : place.field(fault->field)).fail(fault->what);
  }
}

bool is_legal(const Kernel& kernel, const Device& device) {
  return !fault_of(kernel, device).has_value();
}

bool same_question(const Probe& a, const Probe& b) {
  return a.kernels == b.kernels && a.script == b.script;
}

}  // namespace cuvier
