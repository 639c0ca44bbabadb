#include "uses/simulate/throughput.h"

#include <algorithm>

namespace cuvier {

Throughput throughput_of(const Job& job, int most_blocks) {
  Throughput of;
  std::vector<double> curve = job.throughput;
  if (job.issue) {
    of.issues = throughput_by_blocks(*job.issue, most_blocks);
    if (curve.empty()) curve = of.issues;
    of.issues.insert(of.issues.begin(), 0);
  }
  if (curve.empty()) return of;
  of.speed.push_back(1);
  for (int blocks = 1; blocks <= most_blocks; ++blocks) {
    const auto index = std::min(static_cast<std::size_t>(blocks), curve.size()) - 1;
    of.speed.push_back(curve[index] / (curve[0] * blocks));
  }
  return of;
}

}  // namespace cuvier
