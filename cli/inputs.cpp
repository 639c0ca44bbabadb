#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/process.h"
#include "hypotheses/devices.h"
#include "probes/an_error.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "probes/probe_json.h"
#include "reports/finding/model_json.h"

namespace cuvier {
namespace {

void expect_same_device(const RecordingSet& first, const std::string& first_path,
                        const RecordingSet& other, const std::string& path) {
  const auto differing = differing_fields(first.device, other.device);
  if (differing.empty()) return;
  throw an_error("{}: is of another device than {}: {} differs; check them apart", path, first_path,
                 differing.front().name);
}

/// A file in which no clusters ran does not say that there are none.
void share_clusters(std::vector<RecordingSet>& sets) {
  int largest = 0;
  for (const RecordingSet& set : sets) largest = std::max(largest, set.device.max_cluster);
  for (RecordingSet& set : sets) set.device.max_cluster = largest;
}

CLI::Option* add_reports(Options& options, std::vector<std::string>& paths) {
  return options.add("--kernel-report FILE", paths,
                     "What nvcc -Xptxas -v printed, or a cubin; may be repeated");
}

CompilerReport read_reports(const std::vector<std::string>& paths, const Device& device) {
  CompilerReport report(device.architecture);
  for (const std::string& path : paths) report.read(read_file(path), path);
  return report;
}

}  // namespace

Device device_of_model(const std::string& model, const std::string& device) {
  if (!device.empty()) return find_device(device);
  if (model.ends_with(".json")) return read_model_device(model);
  throw an_error("{} is a model of any GPU; say of which with --device", in_quotes(model));
}

CLI::Option* add_changes(Options& options, std::vector<std::string>& changes) {
  return options.add("--assume AXIS=VALUE", changes,
                     "Change Algorithm 1: values of axes, or a hypothesis that `cuvier axes` "
                     "names; may be repeated");
}

void add_prediction_options(Options& options, PredictionArguments& arguments) {
  options.device(arguments.device)->required();
  CLI::Option* const model = options.add(
      "--model MODEL", arguments.model,
      fmt::format("The model that predicts; if not named, {}; see below", default_model_meaning));
  add_changes(options, arguments.assumptions)->excludes(model);
}

CLI::Option* add_assumptions(Options& options, std::vector<std::string>& assumptions,
                             const std::string& meaning) {
  return options.add("--assume AXIS=VALUE[,VALUE...]", assumptions, meaning);
}

Assumptions read_assumptions(const std::vector<std::string>& texts, const Device& device) {
  Assumptions assumptions = Assumptions::all(device);
  for (const std::string& text : texts) assumptions.restrict_by(text);
  return assumptions;
}

CLI::Option* add_recordings(Options& options, std::vector<std::string>& paths) {
  return options.add("FILE.jsonl", paths, "Recordings of one device");
}

void expect_each_once(const std::vector<std::string>& paths) {
  for (auto path = paths.begin(); path != paths.end(); ++path) {
    const auto is_same = [&](const std::string& earlier) {
      std::error_code none;
      return earlier == *path || std::filesystem::equivalent(earlier, *path, none);
    };
    if (std::any_of(paths.begin(), path, is_same)) {
      throw an_error("{}: is named twice; name each file once", *path);
    }
  }
}

std::vector<RecordingSet> read_sets(const std::vector<std::string>& paths) {
  expect_each_once(paths);
  std::vector<RecordingSet> sets;
  for (const std::string& path : paths) {
    sets.push_back(read_recordings(path));
    share_clusters(sets);
    expect_same_device(sets.front(), paths.front(), sets.back(), path);
  }
  return sets;
}

void tell_of_another_gpu(const std::string& model, const Device& device) {
  if (!model.ends_with(".json")) return;
  const Json json = parse_json(read_file(model), model);
  const Json::json_pointer name("/device/name");
  if (!json.contains(name)) return;  // what people write need not say it
  const std::string its = read_text(json[name], Place(model).field("device").field("name"));
  if (its == device.name) return;
  complain("{}: is a model of {}; here it is held to what {} does", model, its, device.name);
}

void add_probe(Options& options, std::string& path) {
  options.add("PROBE.json", path, "The probe: kernels and a script");
}

Probe read_probe(const std::string& path, const Device& device) {
  Probe probe = probe_from_json(parse_json(read_file(path), path), path);
  validate(probe, device, path);
  return probe;
}

void add_probe(Options& options, ProbeArguments& arguments) {
  add_probe(options, arguments.probe);
  add_reports(options, arguments.reports);
}

Probe read_probe(const ProbeArguments& arguments, const Device& device) {
  const std::string& path = arguments.probe;
  return probe_with_entries(parse_json(read_file(path), path), device,
                            read_reports(arguments.reports, device), path);
}

void add_kernels(Options& options, KernelsArguments& arguments, const std::string& form,
                 const std::string& meaning) {
  CLI::Option* const kernels = options.add(form, arguments.kernels, meaning);
  add_reports(options, arguments.reports)->needs(kernels);
}

KernelSet read_kernels(const KernelsArguments& arguments, const Device& device) {
  return kernels_from_json(parse_json(read_file(arguments.kernels), arguments.kernels), device,
                           read_reports(arguments.reports, device), arguments.kernels);
}

Model model_of(const PredictionArguments& arguments) {
  const Device device = find_device(arguments.device);
  if (!arguments.model.empty()) return read_model_of(device, arguments.model);
  if (arguments.assumptions.empty()) return plausible_models_of(device).front();
  return read_model_of(device, fmt::format("{}", fmt::join(arguments.assumptions, ",")));
}

}  // namespace cuvier
