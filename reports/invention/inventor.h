#pragma once

#include "reports/invention/invention_means.h"

namespace cuvier {

/// An inference that goes on where no hypothesis explains the answers: formulas of one axis or two
/// are proposed that do, and told apart as any hypotheses are, until one behaviour is left that
/// random sequences do not contradict either. The folder holds what that of an inference does, and
/// invention.html and invention.json. Throws Error.
Finding invent(Oracle& oracle, const InferenceRun& run, const InventionMeans& means);

}  // namespace cuvier
