#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "probes/named.h"
#include "reports/document/words.h"
#include "reports/inference/inference_report.h"

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

/// The verdict in a line, and in others what follows from it.
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

std::string fate_words(const InferenceReport& report, const ValueFate& fate) {
  if (fate.state == ValueState::refuted) {
    return "refuted by " + report.decisions.steps[*fate.refuted_by].probe;
  }
  return std::string(named(fate.state, {"left", "refuted", "not needed", "not considered"}));
}

std::string_view role_words(AxisRole role) {
  return named(role, {"settled", "open", "no probe tells what is left apart, which is proved",
                      "without effect, given what is settled", "nothing else was considered"});
}

Section axes_section(const InferenceReport& report) {
  Table table{"What became of each value", {"axis", "", "value", ""}};
  for (int axis = 0; axis < kAxes; ++axis) {
    Text first = code(axis_info(axis).name);
    std::string role(role_words(role_of(report, axis)));
    for (int value = 0; value < axis_size(axis); ++value) {
      table.add({std::exchange(first, {}), std::exchange(role, ""),
                 code(axis_value(axis, value).name),
                 fate_words(report, fate_of(report, axis, value))});
    }
  }
  return section_of(std::move(table));
}

Section steps_section(const InferenceReport& report) {
  Table table{"How that is known",
              {"probe", "why it was asked", "bits", "hypotheses left", "seconds"}};
  for (const Decision& step : report.decisions.steps) {
    table.add({step.probe, step.why, fmt::format("{:.1f}", step.gained_bits),
               counted(step.left, "hypothesis", "hypotheses"),
               fmt::format("{:.1f}", step.seconds)});
  }
  return section_of(std::move(table));
}

Section launches_section(const Json& confirmed) {
  Table table{"Launches of each kind", {"", "kind: launches"}};
  for (const auto& [feature, kinds] : confirmed.at("launches").items()) {
    std::string row;
    for (const auto& [kind, launches] : kinds.items()) {
      row += fmt::format("{}{}: {}", row.empty() ? "" : "; ", kind, launches.get<int>());
    }
    table.add({feature, row});
  }
  return {"What was asked beside that", {std::move(table)}};
}

List discarded_list(const Json& model) {
  List list;
  for (const Json& each : model.at("discarded")) {
    list.add(fmt::format("{}: {} of {} runs do not count: {}", each.at("probe").get<std::string>(),
                         each.at("discarded").get<int>(), each.at("runs").get<int>(),
                         each.at("reason").get<std::string>()));
  }
  return list;
}

}  // namespace

Page inference_page(const InferenceReport& report) {
  const Json& model = report.model.json;
  Page page;
  page.title = report.model.device.name;
  page.about = "Asked: " + Text(model.at("oracle").get<std::string>()) + ".";
  page.verdict = verdict_words(report);
  List sentences;
  for (const Sentence& sentence : sentences_of(report)) {
    sentences.add(fmt::format("{}{}{}", sentence.text,
                              sentence.unlike_algorithm_1 ? " (unlike Algorithm 1)" : "",
                              sentence.settled ? "" : " (or otherwise: open)"));
  }
  if (!sentences.lines.empty()) page.add({"What it does", {sentences}});
  page.add(axes_section(report));
  page.add(steps_section(report));
  if (model.contains("confirmed")) page.add(launches_section(model.at("confirmed")));
  if (List discarded = discarded_list(model); !discarded.lines.empty()) {
    page.add({"Runs that do not count", {std::move(discarded)}});
  }
  if (report.lemmas >= 0) {
    page.add({"How to check it",
              {code("cuvier verify " + report.folder) +
               fmt::format(" ({}).", counted(report.lemmas, "lemma"))}});
  }
  return page;
}

}  // namespace cuvier
