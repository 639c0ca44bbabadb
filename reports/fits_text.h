#pragma once

#include <string>
#include <vector>

#include "reports/model_evidence.h"
#include "uses/fits/changes.h"
#include "uses/fits/fits.h"
#include "uses/fits/survivors.h"

namespace cuvier {

/// "always", "under_model", "unsafe", "never" or "undecided".
const char* verdict_name(Fits::Verdict verdict);

/// The answer for people: the verdict, what it rests on, and what would change it. Of these models,
/// or of what survives an inference.
std::string fits_text(const Fits& fits, const std::vector<Change>& changes, const Device& device,
                      const std::vector<Model>& models,
                      const std::optional<SurvivorCount>& survivors,
                      const std::vector<Kernel>& kernels);

/// "11 blocks of schedulers instead of 80".
std::string change_words(const Change& change, const std::vector<Kernel>& kernels);

}  // namespace cuvier
