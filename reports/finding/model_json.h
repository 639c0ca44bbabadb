#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "solver/finding/finding.h"

namespace cuvier {

/// model.json: what is known of one device's mechanism, for other programs and for
/// `--model`. `mechanism` is null, and `clash` there, where no hypothesis is left.
nlohmann::ordered_json model_json(const Finding& finding);

/// Writes it to the path, whole or not at all. Throws Error.
void write_model(const Finding& finding, const std::string& path);

/// The mechanism of a model file. Throws Error with file and field.
Hypothesis read_model(const std::string& path);

/// The device that it is a model of. Throws Error with file and field.
Device read_model_device(const std::string& path);

}  // namespace cuvier
