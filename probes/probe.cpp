#include "probes/probe.h"

#include <algorithm>
#include <utility>

#include "probes/json_fields.h"
#include "probes/kernel_fault.h"

namespace cuvier {

std::optional<int> Probe::find(const std::string& kernel) const {
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].name == kernel) return static_cast<int>(i);
  }
  return std::nullopt;
}

int Probe::launch_of(int kernel) const {
  const auto launch = std::ranges::find(script, kernel, &Action::launch);
  return static_cast<int>(launch - script.begin());
}

std::int64_t Probe::blocks() const {
  std::int64_t blocks = 0;
  for (const Kernel& kernel : kernels) blocks += kernel.blocks;
  return blocks;
}

Probe launch_all(const std::string& name, std::vector<Kernel> kernels) {
  Probe probe{name, std::move(kernels), {}};
  for (int k = 0; k < std::ssize(probe.kernels); ++k) probe.script.push_back({k, {}});
  return probe;
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
