#include "reports/inference/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

std::string device_argument(const Device& device) {
  const auto known = std::ranges::find(known_devices(), device.name,
                                       [](const DeviceFile& file) { return file.device.name; });
  return known == known_devices().end() ? "DEVICE.json" : known->name;
}

std::string told_words(const Json& model) {
  const auto fewest = model.find("fewest_probes");
  if (fewest == model.end()) return counted(model.at("probes").get<int>(), "probe") + ".";
  return fmt::format("The first {} of {} told everything; no other told anything new.",
                     fewest->at("asked").get<int>(),
                     counted(model.at("probes").get<int>(), "probe"));
}

/// The mechanism with one axis changed explains everything as well: what tells the two apart is
/// what to ask next.
Text next_probe(const InferenceReport& report) {
  const auto change = std::ranges::find_if(report.changes, [&](const SingleChange& each) {
    return each.contradicted_by.empty() && role_of(report, each.axis) == AxisRole::open;
  });
  if (change == report.changes.end()) return {};
  Hypothesis other = *report.mechanism;
  other.values[change->axis] = change->value;
  return fmt::format("\nThe next probe is one that settles {}: {} or {}? ",
                     axis_info(change->axis).name,
                     value_name(change->axis, report.mechanism->values[change->axis]),
                     value_name(change->axis, change->value)) +
         code(fmt::format("cuvier distinguish '{}' '{}' --device {}", describe(*report.mechanism),
                          describe(other), device_argument(report.model.device))) +
         " finds it.";
}

Text nearest_words(const InferenceReport& report) {
  if (!report.mechanism) return {};
  Text text = fmt::format("\nNearest comes {}.", model_words(*report.mechanism));
  for (const std::string& words : report.decisions.nearest) text += " " + words;
  std::string hint(after_refuted);
  std::ranges::replace(hint, '\n', ' ');
  return text + "\n" + Text(hint);
}

}  // namespace

Text verdict_words(const InferenceReport& report) {
  const Json& model = report.model.json;
  const std::string status(name_of(report.model.verdict));
  std::string reason = model.at("reason").get<std::string>();
  if (report.model.verdict == Verdict::undecided) return status + ": " + reason;
  reason.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reason.front())));
  reason = "\n" + reason + ".";
  const Json& count = model.at("hypotheses");
  const std::string initial =
      counted(count.at("initial").get<double>(), "hypothesis", "hypotheses");
  if (report.model.verdict == Verdict::identified) {
    return fmt::format("{}: the GPU behaves as {}", status, model_words(*report.mechanism)) +
           Text(reason + " " + told_words(model));
  }
  if (report.model.verdict == Verdict::refuted) {
    return fmt::format("{}: nothing is left of {}", status, initial) + Text(reason) +
           nearest_words(report);
  }
  return fmt::format("{}: {} of {} are left, with {} open", status,
                     count_words(count.at("remaining").get<double>()), initial,
                     counted(model.at("open").size(), "axis", "axes")) +
         Text(reason) + next_probe(report);
}

}  // namespace cuvier
