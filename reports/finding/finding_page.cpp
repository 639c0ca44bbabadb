#include "reports/finding/finding_page.h"

#include <fmt/format.h>

#include <string_view>

#include "hypotheses/scheduler/topology.h"
#include "reports/document/words.h"
#include "reports/finding/mismatch_table.h"

namespace cuvier {
namespace {

constexpr int most_of_kind = 6;  // wrong facts of a kind that are shown in full

std::string value_words(int axis, const std::vector<int>& values) {
  std::vector<std::string_view> names;
  for (const int value : values) names.push_back(axis_value(axis, value).name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Settled axes, one a line; those that matter under no survivor in one line.
void add_settled(Page& page, const Finding& finding) {
  Section section{"Settled", 2, {}};
  Table settled{"Settled axes", {"axis", "value", "what that means"}, {}};
  std::string idle;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!concerns(finding.device, axis)) continue;
    const AxisInfo& info = axis_info(axis);
    if (finding.surviving[axis].size() == 1) {
      const AxisValue& value = axis_value(axis, finding.surviving[axis].front());
      settled.rows.push_back({code(info.name), code(value.name), std::string(value.meaning)});
    } else if (!finding.open[axis]) {
      idle += (idle.empty() ? "" : ", ") + std::string(info.name);
    }
  }
  if (!settled.rows.empty()) section.add(std::move(settled));
  const std::vector<int>& order = finding.mechanism->order;
  if (!order.empty()) section.add("Order of SMs: " + Text(runs_words(order)) + ".");
  if (!idle.empty()) {
    section.add("Without effect, given what is settled: " + Text(idle) + ".");
  }
  if (!section.items.empty()) page.sections.push_back(std::move(section));
}

void add_open(Page& page, const Finding& finding) {
  Table table{"Open axes", {"axis", "left", "values"}, {}};
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!finding.open[axis]) continue;
    table.rows.push_back({code(axis_info(axis).name),
                          fmt::format("{} of {}", finding.surviving[axis].size(), axis_size(axis)),
                          value_words(axis, finding.surviving[axis])});
  }
  if (table.rows.empty()) return;
  page.sections.push_back({finding.verdict == Verdict::identified
                               ? "Left open, since it is proved that no probe tells these apart"
                               : "Open",
                           2,
                           {std::move(table)}});
}

/// How much was asked beside what told the mechanism, and what kinds of launches were not.
Section confirmed_section(const Confirmed& confirmed) {
  Table missing{"Kinds of launches that were not asked", {"", "not asked"}, {}};
  int classes = 0;
  int covered = 0;
  for (const CoveredFeature& feature : confirmed.features) {
    std::string not_seen;
    for (const auto& [name, launches] : feature.classes) {
      ++classes;
      covered += launches > 0 ? 1 : 0;
      if (launches == 0) not_seen += (not_seen.empty() ? "" : ", ") + std::string(name);
    }
    if (!not_seen.empty()) missing.rows.push_back({std::string(feature.name), not_seen});
  }
  Section section{
      fmt::format("Confirmed by {} more, in {} with those before",
                  counted(confirmed.probes, "probe"), counted(confirmed.sessions, "session")),
      2,
      {}};
  section.add(List{
      {fmt::format("{} a documented limit",
                   confirmed.limits == 1 ? "1 fills"
                                         : fmt::format("{} fill", count_words(confirmed.limits))),
       fmt::format("launches of {} of {} kinds, and {} pairs of kinds", count_words(covered),
                   count_words(classes), count_words(confirmed.pairs)),
       fmt::format("each change of one axis was looked for in launches of several kinds, {} pairs "
                   "in all",
                   count_words(confirmed.pairs_of_change))}});
  if (!missing.rows.empty()) section.add(std::move(missing));
  return section;
}

Section discarded_section(const std::vector<Discarded>& discarded) {
  Table table{"Runs that do not count", {"probe", "runs", "why"}, {}};
  for (const Discarded& each : discarded) {
    table.rows.push_back(
        {each.probe, fmt::format("{} of {}", each.discarded, each.runs), each.reason});
  }
  return {"Runs that do not count", 2, {std::move(table)}};
}

std::string probes_words(const Finding& finding) {
  std::string words = count_words(finding.probes);
  if (finding.runs > finding.probes) {
    words += fmt::format(", run {} times,", count_words(finding.runs));
  }
  words += " in " + duration_words(finding.seconds);
  if (finding.verdict == Verdict::identified && finding.telling > 0 &&
      finding.telling < finding.probes) {
    words +=
        fmt::format("; the first {} told everything, the others confirmed it", finding.telling);
  }
  return words;
}

}  // namespace

Page finding_page(const Finding& finding) {
  const bool single = finding.count.initial == 1;  // nothing to choose from
  Page page;
  page.verdict = fmt::format("{}: {}", name_of(finding.verdict), finding.reason);
  page.numbers = {
      {"device", fmt::format("{} ({}, {})", finding.device.name, finding.device.architecture,
                             counted(finding.device.sms, "SM"))},
      {"source", finding.oracle},
      {finding.runs == 0 ? "recordings" : "probes", probes_words(finding)},
  };
  if (const int fewest = fewest_probes(finding)) {
    page.numbers.emplace_back(
        "fewest", fmt::format("{} at best: there were {:.1f} bits to learn, and the most telling "
                              "probe here told {:.1f}",
                              counted(fewest, "probe"), told_bits(finding), finding.most_bits));
  }
  if (!single) {
    page.numbers.emplace_back(
        "hypotheses",
        fmt::format("{}{} of {} left", finding.count.exact ? "" : "about ",
                    count_words(finding.count.remaining), count_words(finding.count.initial)));
  }
  if (finding.mechanism) {
    const bool only = finding.verdict == Verdict::identified;
    page.numbers.emplace_back(only ? "mechanism" : "simplest", model_words(*finding.mechanism));
  }
  if (finding.mechanism && !single) {
    add_settled(page, finding);
    add_open(page, finding);
  }
  if (finding.confirmed) page.sections.push_back(confirmed_section(*finding.confirmed));
  if (!finding.discarded.empty()) page.sections.push_back(discarded_section(finding.discarded));
  if (!finding.clash.empty()) {
    page.sections.push_back({finding.clash.size() == 1 ? "No hypothesis explains this one"
                                                       : "No hypothesis explains these together",
                             2,
                             {List{{finding.clash.begin(), finding.clash.end()}}}});
  }
  if (finding.nearest) page.sections.push_back(near_miss_section(*finding.nearest));
  if (!finding.mismatches.empty()) {
    Section& wrong = page.sections.emplace_back(Section{"What it gets wrong", 2, {}});
    add_mismatches(wrong, finding.mismatches, most_of_kind);
  }
  return page;
}

std::string step_line(const InferenceStep& step) {
  std::string line = fmt::format("{:3}  {:+5.1f} bits  {:>8} left  {:>6}  {}: {}", step.number,
                                 step.gained_bits, count_words(step.count.remaining),
                                 duration_words(step.seconds), step.probe->name, step.why);
  if (step.outcomes > 0) {
    line += fmt::format(" ({} among {}, {:.1f} bits expected)", counted(step.outcomes, "outcome"),
                        counted(step.committee, "hypothesis", "hypotheses"), step.expected_bits);
  }
  if (step.runs > 1) line += fmt::format("; {}", counted(step.runs, "run"));
  if (step.differing > 0) line += fmt::format(", {} of them discarded", step.differing);
  return line;
}

std::string narrowed_words(const SurvivingValues& before, const SurvivingValues& after) {
  std::string text;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (after[axis].size() >= before[axis].size() || after[axis].empty()) continue;
    constexpr std::size_t few = 2;
    text += text.empty() ? "" : "; ";
    text += fmt::format("{}: ", axis_info(axis).name);
    text += after[axis].size() <= few
                ? value_words(axis, after[axis])
                : fmt::format("{} of {} left", after[axis].size(), axis_size(axis));
  }
  return text;
}

}  // namespace cuvier
