#pragma once

#include <cstddef>
#include <vector>

#include "probes/device.h"
#include "probes/fact.h"

namespace cuvier {

/// Devices that are this one but for their map of GPCs or TPCs, under which a named order may come
/// out as this order of all SMs: one that goes round the TPCs or the GPCs falls into rounds, one
/// that goes GPC by GPC into ascending runs. Of the latter `most`, the fewest GPCs first.
std::vector<Device> maps_for(const Device& device, const std::vector<int>& order, std::size_t most);

/// The SMs of each cluster that was seen to start.
std::vector<std::vector<int>> clusters_in(const std::vector<RecordingSet>& sets);

/// The device with a map of GPCs that has no more SMs together than clusters show.
Device mapped_by(const std::vector<std::vector<int>>& clusters, Device device);

/// Whether each cluster lies in one GPC of the device, as far as it says which SMs these have.
bool holds_together(const Device& device, const std::vector<std::vector<int>>& clusters);

}  // namespace cuvier
