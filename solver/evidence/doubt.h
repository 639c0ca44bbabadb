#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/conflicts/conflicts.h"
#include "solver/evidence/runs.h"
#include "solver/space/version_space.h"

namespace cuvier {

/// A probe that is doubted is rephrased so often: asked again with something small after it.
inline constexpr int kRephrased = 6;

/// Whether a probe is another one, and more after it.
bool continues(const Probe& longer, const Probe& shorter);

/// Whether these of the probes asked may be doubted together: no more than two and one in ten of
/// all, and with none of them more than two that rephrase it. Else it was right, and nothing
/// explains what was seen.
bool may_be_doubted(std::span<const Runs> asked, const Subset& doubted);

/// How often this one was rephrased: often enough if it rephrases another one itself.
int times_rephrased(std::span<const Runs> asked, std::size_t index);

/// The name of a probe that some way to explain the others leaves out, and that was not rephrased
/// often enough for that.
std::optional<std::string> doubted_too_soon(
    std::span<const Runs> asked, const std::vector<Correction<VersionSpace>>& corrections);

}  // namespace cuvier
