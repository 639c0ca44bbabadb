#include "reports/pages/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"
#include "reports/comparison_text.h"
#include "reports/minimised_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

Table table_of(const std::string& caption, const std::vector<std::vector<std::string>>& rows) {
  Table table{caption, rows.front(), {}};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    table.rows.emplace_back(rows[i].begin(), rows[i].end());
  }
  return table;
}

Section both_section(const Hypothesis& a, const Hypothesis& b) {
  const Json values_a = to_json(a);
  const Json values_b = to_json(b);
  Table table{"Where A and B differ", {"axis", "under A", "under B"}, {}};
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::string name(axis_info(axis).name);
    if (a.values[axis] == b.values[axis]) continue;
    table.rows.push_back({code(name), code(values_a.at(name)), code(values_b.at(name))});
  }
  Section section{"What is compared", 2, {}};
  section.items.emplace_back(List{{"A: " + Text(model_words(a)), "B: " + Text(model_words(b))}});
  if (!table.rows.empty()) section.items.emplace_back(std::move(table));
  return section;
}

Section probe_section(const Distinction& distinction, const Device& device, bool one_minimal) {
  Section section{"A probe that tells them apart", 2, {}};
  section.items.emplace_back("Found by: " + Text(distinction.why) + ".");
  if (distinction.likelihood) {
    section.items.emplace_back(
        "It tells by chance: " + Text(likelihood_words(*distinction.likelihood)) + ".");
  }
  if (one_minimal)
    section.items.emplace_back("It is " + Text(std::string(one_minimal_words)) + ".");
  section.items.emplace_back(table_of("Kernels", kernel_rows(distinction.probe)));
  section.items.emplace_back(table_of("What starts in each step", rows_of_both(distinction)));
  section.items.emplace_back(
      Map{to_json(device), "under A", "under B", Json::array({two_outcomes(distinction)})});
  section.items.emplace_back("The probe, for " + code("cuvier run") +
                             " and whoever else wants to ask it:");
  section.items.emplace_back(Source{"json", to_json(distinction.probe).dump()});
  return section;
}

Section proof_section(const Proof& proof) {
  Section section{"How that is known", 2, {}};
  section.items.emplace_back(Text(proof.claim));
  section.items.emplace_back(Text(proof.argument));
  Table table{"Lemmas", {"lemma", "what it says"}, {}};
  for (const Lemma& lemma : proof.lemmas) {
    table.rows.push_back({code(lemma.name), lemma.statement});
  }
  if (!table.rows.empty()) section.items.emplace_back(std::move(table));
  return section;
}

const std::vector<int>& sms_of(const Step& step, int kernel) {
  static const std::vector<int> none;
  const auto found = std::ranges::find(step.started, kernel, &Started::kernel);
  return found == step.started.end() ? none : found->sm;
}

}  // namespace

nlohmann::ordered_json two_outcomes(const Distinction& distinction) {
  const Probe& probe = distinction.probe;
  Json json =
      to_json(Recording{.probe = probe, .facts = facts_of(distinction.a, probe), .where = {}});
  json["wrong"] = Json::array();
  for (std::size_t step = 0; step < probe.script.size(); ++step) {
    for (int kernel = 0; kernel < std::ssize(probe.kernels); ++kernel) {
      const std::vector<int>& a = sms_of(distinction.a.steps[step], kernel);
      const std::vector<int>& b = sms_of(distinction.b.steps[step], kernel);
      if (a == b) continue;
      json["wrong"].push_back(
          {{"step", step}, {"kernel", probe.kernels[kernel].name}, {"predicted", b}, {"seen", a}});
    }
  }
  return json;
}

Page comparison_page(const Comparison& comparison, const Device& device, const Hypothesis& a,
                     const Hypothesis& b, bool one_minimal) {
  using enum Comparison::Kind;
  Page page;
  page.title = "Two mechanisms compared";
  page.about = "Written by " + code("cuvier distinguish") +
               fmt::format(" in {}, on an {} with {}.", duration_words(comparison.seconds),
                           device.name, counted(device.sms, "SM"));
  const std::string plain = plain_reason(a, b);
  const std::string reason = comparison.distinction ? parting_words(*comparison.distinction)
                             : plain.empty()        ? comparison.reason
                                                    : plain;
  page.verdict =
      fmt::format("{}{}{}", name_of(comparison.kind), reason.empty() ? "" : ": ", reason);
  page.tone = comparison.kind == different || comparison.kind == equivalent ? Page::Tone::good
                                                                            : Page::Tone::open;
  page.sections.push_back(both_section(a, b));
  if (comparison.distinction) {
    page.sections.push_back(probe_section(*comparison.distinction, device, one_minimal));
  }
  if (comparison.proof && plain.empty()) page.sections.push_back(proof_section(*comparison.proof));
  return page;
}

}  // namespace cuvier
