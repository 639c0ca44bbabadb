#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/model_evidence.h"
#include "uses/fits/changes.h"
#include "uses/fits/fits.h"
#include "uses/fits/survivors.h"

namespace cuvier {

/// {"verdict":...,"reason":...,"order":[...],"stranded":{KERNEL:BLOCKS},...}: docs/fits.md. Of
/// these models, or of what survives an inference.
nlohmann::ordered_json fits_json(const Fits& fits, const std::vector<Change>& changes,
                                 const Device& device, const std::vector<Model>& models,
                                 const std::optional<SurvivorCount>& survivors,
                                 const std::vector<Kernel>& kernels);

}  // namespace cuvier
