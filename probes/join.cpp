#include <string>

#include "probes/family.h"

namespace cuvier {

Probe join(const Probe& first, const Probe& second) {
  Probe joined = first;
  Action release;
  for (const Action& action : first.script) {
    if (action.launch) release.releases.push_back({*action.launch, {}});
  }
  joined.script.push_back(std::move(release));

  const int before = static_cast<int>(first.kernels.size());
  joined.kernels.insert(joined.kernels.end(), second.kernels.begin(), second.kernels.end());
  for (Action action : second.script) {
    if (action.launch) *action.launch += before;
    for (Release& let_go : action.releases) let_go.kernel += before;
    joined.script.push_back(std::move(action));
  }
  int number = 0;
  for (Kernel& kernel : joined.kernels) kernel.name = "k" + std::to_string(++number);
  return joined;
}

}  // namespace cuvier
