#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "reports/model/model_evidence.h"

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

/// The same with what is known for and against it.
Model read_model_argument(const std::string& text, const Device& device);

/// Where nothing was named, what is likeliest of the device (plausible_models). Throws Error as
/// read_hypothesis does.
Model model_of(const PredictionArguments& arguments, const Device& device);
Model likeliest_model(const Device& device);

/// What predicts where nothing was named, for --help.
constexpr const char* const default_model_meaning =
    "what explains the recordings of such a GPU (`cuvier devices`), else Algorithm 1";

/// What such an argument may be, for --help.
constexpr const char* const hypothesis_meaning =
    "a model file (*.json), a hypothesis that `cuvier axes` names, or\n"
    "AXIS=VALUE,... (the rest Algorithm 1's).";

}  // namespace cuvier
