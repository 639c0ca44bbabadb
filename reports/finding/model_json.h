#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "solver/finding/finding.h"

namespace cuvier {

class Place;

/// model.json: what is known of one device's mechanism, for other programs and for
/// `--model`. `mechanism` is null, and `clash` there, where no hypothesis is left.
nlohmann::ordered_json model_json(const Finding& finding);

/// Writes it to the path, whole or not at all. Throws Error.
void write_model(const Finding& finding, const std::string& path);

/// The `mechanism` of a model, or of what comes nearest to one, with the `order` that it learned;
/// none where it is null. Fails at `place`, where the object is.
std::optional<Hypothesis> mechanism_in(const nlohmann::ordered_json& json, const Place& place);

/// The mechanism of a model file. Throws Error with file and field.
Hypothesis read_model(const std::string& path);

/// The device that it is a model of. Throws Error with file and field.
Device read_model_device(const std::string& path);

/// `cuvier check --json`: a model, and beside it every fact that a single hypothesis gets
/// wrong: `mismatches`, each with recording, where, step (absent for a configuration),
/// kernel, seen and predicted.
nlohmann::ordered_json check_json(const Finding& finding);

/// The fact that a hypothesis gets wrong: where, `seen` and `predicted`.
nlohmann::ordered_json mismatch_json(const Mismatch& mismatch);
nlohmann::ordered_json mismatches_json(const std::vector<Mismatch>& mismatches);

/// For maps of a recording: the step and kernel of each, and its SMs, or words where it is about
/// something else.
nlohmann::ordered_json wrong_placements_json(const std::vector<Mismatch>& wrong);

nlohmann::ordered_json pattern_json(const Pattern& pattern);

}  // namespace cuvier
