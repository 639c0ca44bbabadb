#pragma once

#include "reports/document/page.h"
#include "reports/model/model_evidence.h"
#include "uses/fits/changes.h"
#include "uses/fits/fits.h"
#include "uses/fits/survivors.h"

namespace cuvier {

// Of these models, or of what survives an inference.

/// The verdict, what it rests on, and what would change it.
Page fits_page(const Fits& fits, const std::vector<Change>& changes, const Device& device,
               const std::vector<Model>& models, const std::optional<SurvivorCount>& survivors,
               const std::vector<Kernel>& kernels);

/// {"verdict":...,"reason":...,"order":[...],"stranded":{KERNEL:BLOCKS},...}: docs/howto/fits.md.
nlohmann::ordered_json fits_json(const Fits& fits, const std::vector<Change>& changes,
                                 const Device& device, const std::vector<Model>& models,
                                 const std::optional<SurvivorCount>& survivors,
                                 const std::vector<Kernel>& kernels);

}  // namespace cuvier
