#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "probes/families/families.h"

namespace cuvier {

namespace {

/// A configuration with room for holes that is not the largest.
std::optional<int> smaller_config(const Device& device, Rng& rng) {
  std::vector<int> configs = device.shared_configs;
  std::erase_if(configs,
                [&](int bytes) { return bytes < 16 * kKiB || bytes == device.largest_config(); });
  if (configs.empty()) return std::nullopt;
  return pick_from(rng, configs);
}

}  // namespace

/// Opens holes of different sizes in shared memory, in any order. Blocks that fit all of them, then
/// one that needs all of each hole, the largest first: what waits first says which holes were
/// taken.
void draw_holes(Draft& draft, const Device& device, Rng& rng) {
  constexpr int parts = 16;    // of the configuration
  constexpr int smallest = 2;  // hole, in parts
  const int largest = std::max(device.largest_config(), 32 * kKiB);
  // A selection whose cursor sticks to full SMs shows holes only where every SM has them; one
  // that fills an SM before it takes the next, on that one.
  const int way = uniform(rng, -2, 9);  // below 0: in a smaller configuration
  const int capacity = way < 0 ? smaller_config(device, rng).value_or(largest) : largest;
  const int part = capacity / parts / kKiB * kKiB;
  const int open = way < 3 ? device.sms : pick(rng, {1, 2, 2});
  if (way > 3) plug(draft, device, rng, Plug::everything, open);

  // What a block takes, one KiB of it for the runtime, as documented.
  const auto block = [&](int bytes) {
    Kernel kernel = narrow_block(open);
    kernel.shared = bytes - kKiB;
    // So many warps that the blocks of a full SM need no larger configuration.
    if (capacity < largest) {
      kernel.threads *= std::clamp(device.max_warps_per_sm * bytes / capacity, 1, 32);
    }
    return kernel;
  };
  int left = capacity;
  const auto build = [&](int bytes) {
    left -= bytes;
    return draft.launch(block(bytes));
  };
  const auto about = [&](int bytes) { return bytes + 128 * pick(rng, {0, 0, 1, 4, 8, 8}); };
  const auto build_wall = [&] { build(about(part)); };
  const int count = open == device.sms ? uniform(rng, 1, 2) : uniform(rng, 1, 3);
  // One alone can be as large as what is free behind its wall.
  const std::vector<int> ascending = choose_some(rng, count, count == 1 ? 6 : 4);
  std::vector<int> order = choose_some(rng, count, count);
  for (int i = 0; i < count; ++i) std::swap(order[i], order[uniform(rng, i, count - 1)]);
  if (chance(rng, 60)) build_wall();
  std::vector<int> holes;
  std::vector<Kernel> requests;
  for (const int i : order) {
    holes.push_back(build(about(part * (smallest + ascending[i]))));
    requests.push_back(draft.kernel(holes.back()));
    build_wall();
  }
  // What is free behind the last wall is a hole, too.
  if (left > part) {
    requests.push_back(block(left - 2 * kKiB));
    if (chance(rng, 50)) holes.push_back(draft.launch(requests.back()));
  }
  draft.release(holes);
  const int most = smallest + (chance(rng, 50) ? ascending.front() : 0);
  for (int i = uniform(rng, 1, std::max(count - 1, 1)); i > 0; --i) {
    draft.launch(block(part * uniform(rng, 1, most)));
  }
  std::ranges::sort(requests, std::greater(), &Kernel::shared);
  for (const Kernel& request : requests) draft.launch(request);
}

}  // namespace cuvier
