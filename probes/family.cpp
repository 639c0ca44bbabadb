#include "probes/family.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "probes/families/families.h"

namespace cuvier {
namespace {

std::vector<ProbeFamily> for_device(const Device& device, std::vector<ProbeFamily> families) {
  if (device.largest_cluster() == 0) std::erase_if(families, &ProbeFamily::needs_clusters);
  return families;
}

}  // namespace

std::vector<ProbeFamily> probe_families(const Device& device) {
  return for_device(
      device,
      {
          {"order", "one block after another on equal SMs: tie-break, cursor, groups", draw_order},
          {"uniform_filling", "one shape up to the limit: what an SM holds", draw_uniform_filling},
          {"warp_pointer", "few warps of many registers: where the pointer stands",
           draw_warp_pointer},
          {"room", "unevenly full subpartitions: how room is counted", draw_room},
          {"fragmentation", "holes in shared memory and registers: which one is taken",
           draw_fragmentation},
          {"carve_out", "preferred configurations: occupancy, rounding, scope, gate",
           draw_carve_out},
          {"granularity", "one unit more per block: what is rounded, what is reserved",
           draw_granularity},
          {"selection", "SMs loaded unequally: what the choice compares", draw_selection},
          {"large_grid", "several blocks per SM: blocks placed in pairs", draw_large_grid},
          {"waiting_grid", "a large grid let in a few blocks at a time: pairs that part",
           draw_waiting_grid},
          {"queueing", "kernels that wait: head of line, streams, priorities", draw_queueing},
          {"local_memory", "local memory that grows: who waits for an idle device",
           draw_local_memory},
          {"paper_random", "the paper's random sequences of kernels and releases",
           draw_paper_random},
          {"clusters", "clusters beside each other and single blocks: which GPC, which SMs",
           draw_clusters, /*needs_clusters=*/true},
      });
}

std::vector<ProbeFamily> confirming_families(const Device& device) {
  return for_device(
      device,
      {
          {"edges", "one unit past what is round, and more of everything than others ask",
           draw_edges},
          {"overtaking", "kernels that pass one which waits, block by block", draw_overtaking},
          {"turnover", "blocks that leave full SMs in any order, and others in their places",
           draw_turnover},
          {"nearly_full", "small kernels that come to a device of which all SMs hold much",
           draw_nearly_full},
          {"unequal", "small kernels that come where some SMs are full and no two hold the same",
           draw_unequal},
          {"emptying", "SMs that all blocks leave at once, and others by and by", draw_emptying},
          {"reconfiguring", "SMs that become idle by and by, and blocks of other configurations",
           draw_reconfiguring},
          {"holes", "shared memory with holes of different sizes, and blocks that fit several",
           draw_holes},
          {"succession", "kernels of streams that join late, behind others that wait",
           draw_succession},
          {"iterations", "kernels behind their like in a stream, as in a loop", draw_iterations},
          {"waves", "grids of more blocks than there is capacity for, let in wave by wave",
           draw_waves},
          {"crowded_clusters", "clusters that come to GPCs of which no two hold the same",
           draw_crowded_clusters, /*needs_clusters=*/true},
      });
}

std::vector<ProbeFamily> all_probe_families(const Device& device) {
  std::vector<ProbeFamily> families = probe_families(device);
  std::ranges::copy(confirming_families(device), std::back_inserter(families));
  return families;
}

Probe ProbeFamily::draw(const Device& device, Rng& rng) const {
  Draft draft(name, device);
  add(draft, device, rng);
  return draft.finish();
}

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
