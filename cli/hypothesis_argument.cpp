#include "cli/hypothesis_argument.h"

#include <fmt/format.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/plausible_models.h"
#include "hypotheses/prediction.h"
#include "probes/error.h"
#include "probes/json_fields.h"
#include "reports/finding/model_json.h"

namespace cuvier {

Hypothesis read_hypothesis(const std::string& text, const Device& device) {
  const Hypothesis hypothesis =
      text.ends_with(".json") ? read_model(text) : hypothesis_from_text(text);
  Simulator(device, hypothesis);  // complains where it cannot predict
  return hypothesis;
}

Device device_of_model(const std::string& model, const std::string& device) {
  if (!device.empty()) return find_device(device);
  if (model.ends_with(".json")) return read_model_device(model);
  throw Error(
      fmt::format("{} is a model of any GPU; say of which with --device", in_quotes(model)));
}

void add_prediction_options(CLI::App& app, PredictionArguments& arguments) {
  app.add_option("--device", arguments.device,
                 "A name that `cuvier devices` lists, or a .json file")
      ->required()
      ->type_name("DEVICE");
  CLI::Option* const model =
      app.add_option("--model", arguments.model,
                     fmt::format("What predicts, if not {}; see below", default_model_meaning))
          ->type_name("MODEL");
  app.add_option("--assume", arguments.assumptions,
                 "Change Algorithm 1: values of axes, or a hypothesis that `cuvier axes` names; "
                 "may be repeated")
      ->type_name("AXIS=VALUE")
      ->allow_extra_args(false)
      ->excludes(model);
}

Model read_model_argument(const std::string& text, const Device& device) {
  const Hypothesis hypothesis = read_hypothesis(text, device);
  return {hypothesis, text.ends_with(".json") ? evidence_for_file(device, text)
                                              : evidence_for(device, hypothesis)};
}

Model model_of(const PredictionArguments& arguments, const Device& device) {
  if (!arguments.model.empty()) return read_model_argument(arguments.model, device);
  if (arguments.assumptions.empty()) return likeliest_model(device);
  return read_model_argument(fmt::format("{}", fmt::join(arguments.assumptions, ",")), device);
}

Model likeliest_model(const Device& device) {
  const Hypothesis hypothesis = plausible_models(device).front().hypothesis;
  return {hypothesis, evidence_for(device, hypothesis)};
}

}  // namespace cuvier
