#pragma once

#include "probes/family.h"

namespace cuvier {

// One file each. What a family is for stands above its definition and, in one
// line, in the table of family.cpp.
Probe draw_carve_out(const Device& device, Rng& rng);
Probe draw_clusters(const Device& device, Rng& rng);
Probe draw_edges(const Device& device, Rng& rng);
Probe draw_fragmentation(const Device& device, Rng& rng);
Probe draw_granularity(const Device& device, Rng& rng);
Probe draw_large_grid(const Device& device, Rng& rng);
Probe draw_local_memory(const Device& device, Rng& rng);
Probe draw_order(const Device& device, Rng& rng);
Probe draw_paper_random(const Device& device, Rng& rng);
Probe draw_queueing(const Device& device, Rng& rng);
Probe draw_room(const Device& device, Rng& rng);
Probe draw_selection(const Device& device, Rng& rng);
Probe draw_uniform_filling(const Device& device, Rng& rng);
Probe draw_waiting_grid(const Device& device, Rng& rng);
Probe draw_warp_pointer(const Device& device, Rng& rng);

}  // namespace cuvier
