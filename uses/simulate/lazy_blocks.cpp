#include "uses/simulate/lazy_blocks.h"

#include <algorithm>
#include <numeric>

namespace cuvier {
namespace {

/// The cycles until the first block ends, and what each issued by then.
struct Watched {
  int cycles = 0;
  std::vector<int> issued;
};

Watched watch(const IssueProfile& profile, int blocks) {
  Watched watched{0, std::vector(blocks, 0)};
  std::vector<int> ready_at(blocks, 0);
  int latest = 0;
  for (; watched.issued[latest] < profile.instructions; ++watched.cycles) {
    const auto is_ready = [&](int at) { return at <= watched.cycles; };
    int next = latest;
    if (!is_ready(ready_at[latest])) {
      next = static_cast<int>(std::ranges::find_if(ready_at, is_ready) - ready_at.begin());
    }
    if (next == blocks) continue;
    ++watched.issued[next];
    ready_at[next] = watched.cycles + 1 + profile.stall_cycles;
    latest = next;
  }
  return watched;
}

}  // namespace

std::vector<int> issued_when_first_ends(const IssueProfile& profile, int blocks) {
  return watch(profile, blocks).issued;
}

std::vector<double> throughput_by_blocks(const IssueProfile& profile, int most) {
  std::vector<double> throughput;
  for (int blocks = 1; blocks <= most; ++blocks) {
    const Watched watched = watch(profile, blocks);
    const int issued = std::reduce(watched.issued.begin(), watched.issued.end());
    throughput.push_back(static_cast<double>(issued) / watched.cycles);
  }
  return throughput;
}

int lazy_blocks(const std::vector<int>& issued, BlockRounding rounding) {
  const int sum = std::reduce(issued.begin(), issued.end());
  const int most = issued.empty() ? 0 : std::ranges::max(issued);
  if (most == 0) return 1;
  const int add = rounding == BlockRounding::up        ? most - 1
                  : rounding == BlockRounding::nearest ? most / 2
                                                       : 0;
  return std::max(1, (sum + add) / most);
}

}  // namespace cuvier
