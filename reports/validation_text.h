#pragma once

#include <string>

#include "solver/check/validation.h"

namespace cuvier {

/// How a validation went, for people: the bound, the counts, the first contradictions, the
/// smallest one.
std::string validation_text(const Validation& validation);

/// How it ended, in a sentence.
std::string validation_verdict(const Validation& validation);

/// A rate in percent, rounded up to two digits: "0.3 %".
std::string percent_words(double rate);

}  // namespace cuvier
