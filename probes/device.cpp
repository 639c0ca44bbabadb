#include "probes/device.h"

#include <map>

namespace cuvier {

std::vector<int> numbered_by_first_sm(const std::vector<int>& group_of_sm) {
  std::map<int, int> number;
  std::vector<int> numbered;
  for (const int group : group_of_sm) {
    numbered.push_back(number.try_emplace(group, static_cast<int>(number.size())).first->second);
  }
  return numbered;
}

}  // namespace cuvier
