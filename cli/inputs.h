#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "hypotheses/assumptions.h"
#include "probes/device.h"
#include "probes/fact.h"
#include "probes/probe.h"
#include "reports/model/model_report.h"
#include "uses/kernel_set.h"

namespace cuvier {

/// The device of that name, or in that .json file; the model file's own where none is named. Throws
/// Error, also where the model is no file.
Device device_of_model(const std::string& model, const std::string& device);

/// What predicts, and where: --device, and --model or --assume.
struct PredictionArguments {
  std::string device;
  std::string model;
  std::vector<std::string> assumptions;
};
void add_prediction_options(Options& options, PredictionArguments& arguments);
/// --assume alone: how it changes Algorithm 1.
CLI::Option* add_changes(Options& options, std::vector<std::string>& changes);

/// --assume, of what is still to be found out.
CLI::Option* add_assumptions(Options& options, std::vector<std::string>& assumptions,
                             const std::string& meaning =
                                 "Consider only these values of an axis, or only a hypothesis that "
                                 "`cuvier axes` names; may be repeated");
/// What these leave of all that the device permits. Throws Error.
Assumptions read_assumptions(const std::vector<std::string>& texts, const Device& device);

/// FILE.jsonl...: recordings, all of one device. Throws Error that names the field where they are
/// not.
CLI::Option* add_recordings(Options& options, std::vector<std::string>& paths);
/// Throws Error where a file is named twice: what it says would count twice.
void expect_each_once(const std::vector<std::string>& paths);
std::vector<RecordingSet> read_sets(const std::vector<std::string>& paths);

/// A line on standard error where a model file says that it is of another GPU.
void tell_of_another_gpu(const std::string& model, const Device& device);

/// PROBE.json, checked against the device. Throws Error.
void add_probe(Options& options, std::string& path);
Probe read_probe(const std::string& path, const Device& device);

/// The same with --kernel-report.
struct ProbeArguments {
  std::string probe;
  std::vector<std::string> reports;
};
void add_probe(Options& options, ProbeArguments& arguments);
Probe read_probe(const ProbeArguments& arguments, const Device& device);

/// KERNELS.json, as an argument or in an option, and --kernel-report.
struct KernelsArguments {
  std::string kernels;
  std::vector<std::string> reports;
};
void add_kernels(Options& options, KernelsArguments& arguments,
                 const std::string& form = "KERNELS.json",
                 const std::string& meaning = "The kernels");
/// Throws Error.
KernelSet read_kernels(const KernelsArguments& arguments, const Device& device);

/// Where nothing was named, what is likeliest of the device. Throws Error as read_hypothesis does.
Model model_of(const PredictionArguments& arguments);

/// What predicts where nothing was named, for --help.
constexpr const char* const default_model_meaning =
    "what explains the recordings of such a GPU (`cuvier devices`), else Algorithm 1";

}  // namespace cuvier
