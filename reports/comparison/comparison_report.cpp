#include "reports/comparison/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"
#include "probes/named.h"
#include "reports/document/json_text.h"
#include "reports/document/words.h"
#include "reports/placements/placements_report.h"

namespace cuvier {
namespace {

/// How it is known where it needs no proof; empty otherwise.
std::string plain_reason(const Hypothesis& a, const Hypothesis& b) {
  if (a == b) return "A and B are the same hypothesis";
  if (canonical(a) != canonical(b)) return "";
  std::vector<std::string_view> idle;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (a.values[axis] != b.values[axis]) idle.push_back(axis_info(axis).name);
  }
  return fmt::format("A and B differ only in {}, which changes nothing under their other values",
                     fmt::join(idle, ", "));
}

Section both_section(const Hypothesis& a, const Hypothesis& b) {
  Table table{"Where A and B differ", {"axis", "asks", "under A", "under B"}};
  for (int axis = 0; axis < kAxes; ++axis) {
    if (a.values[axis] == b.values[axis]) continue;
    const AxisInfo& info = axis_info(axis);
    table.add({code(info.name), std::string(info.meaning), value_meaning(axis, a.values[axis]),
               value_meaning(axis, b.values[axis])});
  }
  Section section{"What is compared", {}};
  section.add(List{{"A: " + Text(model_words(a)), "B: " + Text(model_words(b))}});
  if (!table.rows.empty()) section.add(std::move(table));
  return section;
}

/// A row for each kernel, with a column for each property that any of them has.
Table kernel_table(const Probe& probe) {
  const auto any = [&](auto has) { return std::ranges::any_of(probe.kernels, has); };
  const bool local = any([](const Kernel& kernel) { return kernel.local > 0; });
  const bool priority = any([](const Kernel& kernel) { return kernel.priority != 0; });
  const bool stream = any([](const Kernel& kernel) { return kernel.stream.has_value(); });
  const bool cluster = any([](const Kernel& kernel) { return kernel.cluster.has_value(); });
  Table table{"Kernels", {"kernel", "blocks", "threads", "registers", "shared"}};
  if (local) table.headings.emplace_back("local");
  if (priority) table.headings.emplace_back("priority");
  if (stream) table.headings.emplace_back("stream");
  if (cluster) table.headings.emplace_back("cluster");
  for (const Kernel& kernel : probe.kernels) {
    std::vector<Text>& row = table.rows.emplace_back();
    row.emplace_back(kernel.name);
    const auto add = [&](int number) { row.emplace_back(fmt::format("{}", number)); };
    for (const int number : {kernel.blocks, kernel.threads, kernel.registers, kernel.shared}) {
      add(number);
    }
    if (local) add(kernel.local);
    if (priority) add(kernel.priority);
    if (stream) row.emplace_back(kernel.stream.value_or("-"));
    if (cluster) row.emplace_back(kernel.cluster ? fmt::format("{}", *kernel.cluster) : "-");
  }
  return table;
}

std::string started_words(const Started* started, const Probe& probe) {
  if (!started) return "nothing";
  return fmt::format("{}[{}] on {}", probe.kernels[started->kernel].name,
                     runs_words(started->block), runs_words(started->sm));
}

/// Both predictions, a row for each step and kernel.
Table table_of_both(const Distinction& distinction) {
  const auto& [probe, a, b, parting, why, likelihood] = distinction;
  Table table{"What starts in each step", {"step", "action", "under A", "under B", ""}};
  for (std::size_t s = 0; s < probe.script.size(); ++s) {
    std::set<int> kernels;
    for (const Step* step : {&a.steps[s], &b.steps[s]}) {
      for (const Started& started : step->started) kernels.insert(started.kernel);
    }
    std::string number = fmt::format("{}", s);
    std::string action = action_words(probe.script[s], probe);
    if (kernels.empty()) table.add({number, action, "nothing", "nothing", ""});
    for (const int kernel : kernels) {
      const bool parts = static_cast<int>(s) == parting.step && kernel == parting.kernel;
      table.add({std::exchange(number, ""), std::exchange(action, ""),
                 started_words(started_of(a.steps[s], kernel), probe),
                 started_words(started_of(b.steps[s], kernel), probe),
                 parts ? "<- they part" : ""});
    }
  }
  return table;
}

Section probe_section(const Distinction& distinction) {
  Section section{"A probe that tells them apart", {}};
  section.add("Found by: " + Text(distinction.why) + ".");
  if (distinction.likelihood) {
    section.add("It tells by chance: " + Text(likelihood_words(*distinction.likelihood)) + ".");
  }
  section.add(kernel_table(distinction.probe));
  section.add(table_of_both(distinction));
  return section;
}

Section asking_section(const Distinction& distinction, const Device& device) {
  Section section{"To ask it", {}, 3, false};
  section.add(Map{to_json(device), "under A", "under B", Json::array({two_outcomes(distinction)})});
  section.add("The probe, for " + code("cuvier run") + " and other programs:");
  section.add(Source{"json", json_text(to_json(distinction.probe))});
  return section;
}

Section proof_section(const Proof& proof) {
  Section section{"How that is known", {}};
  section.add(Text(proof.claim));
  section.add(Text(proof.argument));
  Table table{"Lemmas", {"lemma", "what it says"}};
  for (const Lemma& lemma : proof.lemmas) table.add({code(lemma.name), lemma.statement});
  if (!table.rows.empty()) section.add(std::move(table));
  return section;
}

Json mechanism_json(const Hypothesis& hypothesis) {
  Json json = {{"mechanism", to_json(hypothesis)}};
  if (!hypothesis.order.empty()) json["order"] = hypothesis.order;
  return json;
}

Json parting_json(const Parting& parting, const Probe& probe) {
  Json json = {{"step", parting.step}, {"kernel", probe.kernels[parting.kernel].name}};
  const auto number_or_null = [](int number) { return number < 0 ? Json() : Json(number); };
  json["block"] = number_or_null(parting.block);
  json["sm_a"] = number_or_null(parting.sm_a);
  json["sm_b"] = number_or_null(parting.sm_b);
  return json;
}

Json proof_json(const Proof& proof) {
  Json json = {{"claim", proof.claim}, {"argument", proof.argument}, {"lemmas", Json::array()}};
  for (const Lemma& lemma : proof.lemmas) {
    json["lemmas"].push_back({{"name", lemma.name}, {"statement", lemma.statement}});
  }
  return json;
}

std::string sm_words(int sm) { return sm < 0 ? "waits" : fmt::format("SM {}", sm); }

}  // namespace

nlohmann::ordered_json two_outcomes(const Distinction& distinction) {
  const Probe& probe = distinction.probe;
  Json json =
      to_json(Recording{.probe = probe, .facts = facts_of(distinction.a, probe), .where = {}});
  json["wrong"] = Json::array();
  for (std::size_t step = 0; step < probe.script.size(); ++step) {
    for (int kernel = 0; kernel < std::ssize(probe.kernels); ++kernel) {
      const auto sms_of = [&](const Observation& observation) {
        const Started* const started = started_of(observation.steps[step], kernel);
        return started ? started->sm : std::vector<int>();
      };
      const std::vector<int> a = sms_of(distinction.a);
      const std::vector<int> b = sms_of(distinction.b);
      if (a == b) continue;
      json["wrong"].push_back(
          {{"step", step}, {"kernel", probe.kernels[kernel].name}, {"predicted", b}, {"seen", a}});
    }
  }
  return json;
}

Page comparison_page(const Comparison& comparison, const Device& device, const Hypothesis& a,
                     const Hypothesis& b, const std::optional<Section>& smallness) {
  using enum Comparison::Kind;
  Page page;
  page.title = "Two mechanisms compared";
  page.written_by = "Written by " + code("cuvier distinguish") + ". ";
  page.about = fmt::format("{} ({}), in {}.", device.name, counted(device.sms, "SM"),
                           duration_words(comparison.seconds));
  const std::string plain = plain_reason(a, b);
  const std::string reason = comparison.distinction ? parting_words(*comparison.distinction)
                             : plain.empty()        ? comparison.reason
                                                    : plain;
  page.verdict =
      fmt::format("{}{}{}", name_of(comparison.kind), reason.empty() ? "" : ": ", reason);
  page.tone = comparison.kind == different || comparison.kind == equivalent ? Page::Tone::good
                                                                            : Page::Tone::open;
  page.add(both_section(a, b));
  if (comparison.distinction) {
    page.add(probe_section(*comparison.distinction));
    page.add(asking_section(*comparison.distinction, device));
  }
  if (smallness) page.add(*smallness);
  if (comparison.proof && plain.empty()) page.add(proof_section(*comparison.proof));
  return page;
}

std::string result_of(const Comparison& comparison) {
  const bool open = comparison.kind == Comparison::Kind::not_distinguished;
  return open ? "alike" : std::string(name_of(comparison.kind));
}

nlohmann::ordered_json comparison_json(const Comparison& comparison, const Device& device,
                                       const Hypothesis& a, const Hypothesis& b) {
  Json json = {{"result", result_of(comparison)},
               {"device", device.name},
               {"a", mechanism_json(a)},
               {"b", mechanism_json(b)}};
  if (comparison.distinction) {
    const Distinction& distinction = *comparison.distinction;
    json["probe"] = to_json(distinction.probe);
    json["found_by"] = distinction.why;
    json["parting"] = parting_json(distinction.parting, distinction.probe);
    json["observation_a"] = to_json(distinction.a, distinction.probe);
    json["observation_b"] = to_json(distinction.b, distinction.probe);
    if (const auto& likelihood = distinction.likelihood) {
      json["likelihood"] = {{"drawn", likelihood->drawn},
                            {"excludes_b", likelihood->excludes_b},
                            {"excludes_a", likelihood->excludes_a}};
    }
  }
  if (comparison.proof) json["proof"] = proof_json(*comparison.proof);
  if (!comparison.reason.empty()) json["reason"] = comparison.reason;
  json["seconds"] = rounded_seconds(comparison.seconds);
  return json;
}

std::string_view name_of(Comparison::Kind kind) {
  return named(kind, {"different", "equivalent", "not distinguished", "undecided"});
}

std::string likelihood_words(const Likelihood& likelihood) {
  return fmt::format("B excluded by {} of {} outcomes drawn under A, A by {} of {} under B",
                     likelihood.excludes_b, likelihood.drawn, likelihood.excludes_a,
                     likelihood.drawn);
}

std::string parting_words(const Distinction& distinction) {
  const Parting& parting = distinction.parting;
  const std::string& kernel = distinction.probe.kernels[parting.kernel].name;
  if (parting.block < 0) {
    return fmt::format("step {}, {}: its target configuration is {} bytes under A, {} under B",
                       parting.step, kernel,
                       distinction.a.steps[parting.step].shared_config.at(parting.kernel),
                       distinction.b.steps[parting.step].shared_config.at(parting.kernel));
  }
  const std::string place =
      fmt::format("step {}, block {} of {}", parting.step, parting.block, kernel);
  if (parting.sm_a == parting.sm_b) {
    return fmt::format("{}: SM {} under both, its warps in other slots", place, parting.sm_a);
  }
  return fmt::format("{}: {} under A, {} under B", place, sm_words(parting.sm_a),
                     sm_words(parting.sm_b));
}

}  // namespace cuvier
