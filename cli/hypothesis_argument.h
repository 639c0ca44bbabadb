#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// HYPOTHESIS: a model file (*.json), a name that `cuvier axes` lists, or AXIS=VALUE,... over
/// Algorithm 1. Throws Error, also where the device's facts do not suffice for it.
Hypothesis read_hypothesis(const std::string& text, const Device& device);

/// The device of that name, or in that .json file; the model file's own where none is named. Throws
/// Error, also where the model is no file.
Device device_of_model(const std::string& model, const std::string& device);

/// What predicts, and where: --device, and --model or --assume.
struct PredictionArguments {
  std::string device;
  std::string model;
  std::vector<std::string> assumptions;
};
void add_prediction_options(CLI::App& app, PredictionArguments& arguments);

/// Algorithm 1 where nothing else was named. Throws Error as read_hypothesis does.
Hypothesis hypothesis_of(const PredictionArguments& arguments, const Device& device);

/// What such an argument may be, for --help.
constexpr const char* const hypothesis_meaning =
    "a model file (*.json), a hypothesis that `cuvier axes` names, or\n"
    "AXIS=VALUE,... (the rest Algorithm 1's).";

}  // namespace cuvier
