#pragma once

#include <cstddef>
#include <vector>

#include "probes/device.h"
#include "probes/fact.h"
#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// Maps under which a named order explains these recordings, all that the finding rests on, where
/// by the device's own an order has to be learned or nothing explains them; none for any other
/// finding. Each is one that the order suggests, or clusters do, under which what was assumed
/// explains every fact. If the task is to end, those
/// that were found by then.
std::vector<OtherMap> other_maps(const Finding& finding, const std::vector<RecordingSet>& sets,
                                 const Task& task);

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
