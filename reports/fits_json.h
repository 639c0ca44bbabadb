#pragma once

#include <nlohmann/json_fwd.hpp>

#include "uses/fits/changes.h"
#include "uses/fits/fits.h"

namespace cuvier {

/// {"verdict":...,"reason":...,"order":[...],"stranded":{KERNEL:BLOCKS},...}: docs/fits.md.
nlohmann::ordered_json fits_json(const Fits& fits, const std::vector<Change>& changes,
                                 const Device& device, const std::vector<Hypothesis>& hypotheses,
                                 const std::vector<Kernel>& kernels);

}  // namespace cuvier
