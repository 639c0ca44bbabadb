#pragma once

#include <string>

#include "probes/oracle.h"
#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// Where another map of the device may explain what its own does not (Finding::maps), it is asked
/// for what shows that: clusters, where the device launches them, as each lies in one GPC; of a map
/// of TPCs carve-outs, which the SMs of one may share. What is left of the maps is what all answers
/// leave, those that counted before among them. Of an order that nothing showed before, a
/// block on each SM comes first. Each answer is in a journal below the folder: in FOLDER/order-N,
/// FOLDER/carve-outs-N or FOLDER/clusters-N, whose device has the map that was likeliest then. If
/// the task is to end, it is left as it is.
void ask_about_maps(Oracle& oracle, const std::string& folder, Finding& finding, const Task& task);

}  // namespace cuvier
