#include <algorithm>
#include <numeric>
#include <vector>

#include "probes/families/families.h"

namespace cuvier {

namespace {

/// Clusters of any size, whose blocks leave each other much room on an SM, or little, or none.
Kernel in_clusters(const Device& device, Rng& rng, int clusters) {
  const int largest = std::max(device.largest_cluster(), 1);
  const int usual = std::min(pick(rng, {1, 2, 2, 4, 4, 8, 8, 16}), largest);
  const int size = chance(rng, 25) ? uniform(rng, 1, largest) : usual;  // also 3, 5, 6, ...
  Kernel kernel = small_block(rng, clusters * size);
  kernel.cluster = size;
  const int per_sm = pick(rng, {1, 1, 2, 3, 0});
  if (per_sm > 0) kernel.shared = device.max_shared_per_block / per_sm - 1024 * (per_sm - 1);
  return kernel;
}

/// One after another, until about all SMs are taken.
void fill(Draft& draft, const Device& device, Rng& rng) {
  Kernel kernel = in_clusters(device, rng, 1);
  const int clusters = device.sms / *kernel.cluster;
  kernel.blocks *= uniform(rng, 1, clusters + 1);
  draft.launch(kernel);
  if (chance(rng, 50)) draft.launch(in_clusters(device, rng, uniform(rng, 1, 2)));
}

/// SMs and GPCs that hold unequally much.
void among_loads(Draft& draft, const Device& device, Rng& rng) {
  Kernel load = small_block(rng, uniform(rng, 1, 2 * device.sms));
  if (chance(rng, 50)) load.shared = device.max_shared_per_block / pick(rng, {1, 2, 2, 3});
  const int loaded = draft.launch(load);
  if (chance(rng, 60)) {
    const int there = std::min(draft.kernel(loaded).blocks, device.sms);
    draft.release_blocks({{loaded, choose_some(rng, uniform(rng, 1, there), there)}});
  }
  const int kernels = uniform(rng, 1, 2);
  for (int i = 0; i < kernels; ++i) {
    draft.launch(in_clusters(device, rng, uniform(rng, 1, device.sms / 4 + 1)));
  }
}

/// On a device that is full but for a few SMs: what comes behind clusters that wait.
void waiting(Draft& draft, const Device& device, Rng& rng) {
  const int most = std::min(device.largest_cluster() + 2, device.sms);
  const int plugged = plug(draft, device, rng, Plug::everything, uniform(rng, 1, most));
  draft.launch(in_clusters(device, rng, uniform(rng, 1, 2)));
  const int behind = uniform(rng, 1, 2);
  for (int i = 0; i < behind; ++i) {
    Kernel kernel = chance(rng, 50) ? in_clusters(device, rng, 1) : small_block(rng, 1);
    kernel.priority = chance(rng, 20) ? -1 : 0;
    draft.launch(kernel);
  }
  const int there = draft.kernel(plugged).blocks;
  draft.release_blocks({{plugged, choose_some(rng, uniform(rng, 1, most), there)}});
}

/// A few at a time, of different kernels, with single blocks between them.
void in_turns(Draft& draft, const Device& device, Rng& rng) {
  const int kernels = uniform(rng, 2, 5);
  for (int i = 0; i < kernels; ++i) {
    if (chance(rng, 30)) {
      draft.launch(small_block(rng, uniform(rng, 1, 3)));
    } else {
      draft.launch(in_clusters(device, rng, uniform(rng, 1, 3)));
    }
    if (i > 0 && chance(rng, 15)) draft.release_everything();
  }
}

/// Loads of which some SMs keep more than others. What is still there of each.
std::vector<Release> uneven_loads(Draft& draft, const Device& device, Rng& rng) {
  if (chance(rng, 40)) {
    const int open = device.sms / 3;
    plug(draft, device, rng, Plug::everything, uniform(rng, open, std::max(open, device.sms - 2)));
  }
  std::vector<Release> there;
  std::vector<Release> leaving;
  for (int loads = uniform(rng, 1, 2); loads > 0; --loads) {
    Kernel load = chance(rng, 50) ? one_sided(device, rng) : small_block(rng, 1);
    const int fit = nominal_fit(to_legal(load, device), device);
    load.blocks = device.sms * uniform(rng, 1, std::clamp(fit / 3, 1, 2));
    Release& all = there.emplace_back(Release{draft.launch(load), {}});
    all.blocks.resize(load.blocks);
    std::iota(all.blocks.begin(), all.blocks.end(), 0);
    leaving.push_back(take_some(all, uniform(rng, 1, (3 * load.blocks + 3) / 4), rng));
  }
  draft.release_blocks(leaving);
  return there;
}

}  // namespace

/// Clusters go to one GPC each: which one, on which of its SMs, behind what, and who waits for them
/// shows where they are few, where SMs hold unequally much, and where one does not fit.
void draw_clusters(Draft& draft, const Device& device, Rng& rng) {
  switch (uniform(rng, 0, 3)) {
    case 0:
      fill(draft, device, rng);
      break;
    case 1:
      among_loads(draft, device, rng);
      break;
    case 2:
      waiting(draft, device, rng);
      break;
    default:
      in_turns(draft, device, rng);
  }
}

/// GPCs are compared by what their SMs hold, and clusters wait, where no two SMs hold the same.
void draw_crowded_clusters(Draft& draft, const Device& device, Rng& rng) {
  std::vector<Release> loads = uneven_loads(draft, device, rng);
  const int largest = std::max(device.largest_cluster(), 1);
  for (int readers = uniform(rng, 3, 6); readers > 0; --readers) {
    const int size = std::min(uniform(rng, 1, 8), largest);
    Kernel reader = small_block(rng, size * uniform(rng, 1, device.sms / (2 * size) + 1));
    if (chance(rng, 80)) reader.cluster = size;
    reader.priority = chance(rng, 30) ? -1 : 0;
    draft.launch(reader);
    Release& load = pick_from(rng, loads);
    const int left = static_cast<int>(load.blocks.size());
    if (left > 0 && chance(rng, 30)) {
      draft.release_blocks({take_some(load, uniform(rng, 1, std::min(left, 8)), rng)});
    }
  }
}

}  // namespace cuvier
