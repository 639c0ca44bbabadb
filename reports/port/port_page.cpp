#include <fmt/format.h>

#include <utility>

#include "reports/comparison/comparison_report.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"
#include "reports/port/port_report.h"

namespace cuvier {
namespace {

std::string limit_words(const LimitCheck& limit) {
  if (!limit.refused.empty()) {
    return fmt::format("not known: {} (see {} of device.json)", limit.refused, limit.field);
  }
  if (limit.holds()) {
    return "as documented: " + counted(limit.seen, limit.unit);
  }
  std::string text =
      fmt::format("{} seen where {} should be: correct {} of device.json",
                  counted(limit.seen, limit.unit), count_words(limit.documented), limit.field);
  constexpr std::size_t few = 4;  // of more, none is to be suspected by its name
  if (limit.unless.size() > few) {
    text += fmt::format(
        ", unless it is no limit but the mechanism: {} other values of an axis would show that",
        limit.unless.size());
  } else if (!limit.unless.empty()) {
    text += fmt::format(", unless {}", fmt::join(limit.unless, " or "));
  } else {
    text += ", unless a rule that no axis has keeps blocks away";
  }
  return text;
}

/// What is left of the axes in question.
std::string granularity_words(const GranularityCheck& check) {
  if (check.probes.empty()) return "not known: " + check.refused;
  if (check.left.empty()) return "no value explains it, if all else is as in Algorithm 1";
  std::vector<std::string> names;
  for (const Hypothesis& left : check.left) {
    std::vector<std::string> values;
    for (const int axis : check.axes) {
      const AxisInfo& info = axis_info(axis);
      const AxisValue& value = axis_value(axis, left.values[axis]);
      values.push_back(fmt::format("{}={} ({})", info.name, value.name, value.meaning));
    }
    names.push_back(fmt::format("{}", fmt::join(values, ", ")));
  }
  return fmt::format("{}, by {}, if all else is as in Algorithm 1", fmt::join(names, " or "),
                     counted(static_cast<int>(check.probes.size()), "probe"));
}

std::string steadiness_words(const OracleCheck& check) {
  std::string text = fmt::format("{} of {} repeated probes started as many blocks in each run",
                                 check.steady, check.repeated);
  if (!check.unsteady.empty()) {
    text += fmt::format("; not those of {}", fmt::join(check.unsteady, ", "));
  }
  return text;
}

std::string correction_words(const DeviceCorrection& correction) {
  return fmt::format("correct {}: {} instead of {}", correction.field,
                     count_words(correction.value), count_words(correction.documented));
}

std::string session_words(const Conformance& conformance) {
  if (!conformance.sessions) return "it cannot begin one";
  const std::string probes = counted(conformance.compared, "probe");
  if (conformance.compared == 0) return "begin with an opening, and so are not compared";
  if (conformance.differing.empty()) {
    return fmt::format("a new one answered {} as the one before did", probes);
  }
  return fmt::format(
      "a new one answered {} of {} otherwise than the one before: {}; --repeat 2 has "
      "runs vote where answers may be wrong",
      conformance.differing.size(), probes, fmt::join(conformance.differing, ", "));
}

std::string state_words(const Conformance& conformance) {
  if (conformance.state) return "outlives a probe: some went otherwise when they were run again";
  return "none was seen; right, if its scheduler keeps none. What it keeps, an oracle must keep "
         "from probe to probe, until the next hello (docs/reference/oracle-protocol.md)";
}

Section baseline_section(const Hypothesis& mechanism, const std::vector<Baseline>& baselines) {
  Table table{"What is new in it",
              {"baseline", "", "differs in", "what shows it", "smallest probe found"}};
  for (const Baseline& baseline : baselines) {
    const Comparison& comparison = baseline.difference;
    table.add({code(baseline.name), std::string(name_of(comparison.kind)),
               code(differences(mechanism, baseline.hypothesis)), known_by(comparison),
               baseline.probe_file.empty() ? Text() : code(baseline.probe_file)});
  }
  return {"What is new in it",
          {std::move(table),
           Text("A is this GPU, B the baseline; named are the values that the baseline has "
                "instead.")}};
}

/// Where nobody's hypothesis fits, the next one is to be thought of.
Section lead_section(const Finding& finding, const std::string& folder) {
  return {"A lead",
          {Text(fmt::format("Nothing that was imagined does what this GPU does. These probes "
                            "clash: {}. What comes nearest is below.",
                            fmt::join(finding.clash, ", "))),
           "What to do: look at the facts that the nearest hypothesis gets wrong, and at the "
           "pattern in them; think of a rule that gives them, and add it as a value of the axis "
           "that it is about, or as an axis of its own. Each is a file in " +
               code("hypotheses/axes/") + " and a row in " + code("hypotheses/axes.h") +
               "; docs/howto/add-an-axis.md has a whole diff. Then " +
               code(fmt::format("cuvier check {}/journal.jsonl", folder)) +
               " says whether the new space explains the recordings."}};
}

Section contribution_section(const Port& port) {
  List list;
  list.add(code("device.json") + ": a file for " + code("hypotheses/devices/") +
           fmt::format(" ({}, {}).", port.device.name, counted(port.device.sms, "SM")));
  list.add(code(port.folder + "/journal.jsonl") + ", " + code("validation/journal.jsonl") +
           ": recordings, a folder for this GPU in " + code("corpus/") +
           ", with a row in corpus/README.md that says who measured them and how.");
  if (port.finding && port.finding->mechanism) {
    list.add(code(port.folder + "/model.json") +
             ": the mechanism; a named hypothesis is a row in " + code("hypotheses/named.cpp") +
             ".");
  }
  return {"To contribute", {std::move(list)}};
}

/// What another page says, in a section of this one.
void add_page(Page& page, const char* title, const Page& of) {
  Section& head = page.sections.emplace_back(Section{title, {}});
  if (!of.verdict.empty()) head.add(of.verdict + ".");
  if (!of.about.empty()) head.add(of.about);
  Table numbers{title, {"", ""}};
  for (const auto& [name, value] : of.numbers) numbers.add({name, value});
  if (!numbers.rows.empty()) head.add(std::move(numbers));
  for (Section section : of.sections) {
    section.level = 3;
    page.add(std::move(section));
  }
}

}  // namespace

Page oracle_check_page(const OracleCheck& check) {
  const Conformance& conformance = check.conformance;
  Page page;
  page.numbers = {
      {"the oracle", check.oracle},
      {"sessions", session_words(conformance)},
      {"state between probes", state_words(conformance)},
      {"a probe that cannot run",
       conformance.not_refused.empty()
           ? "is refused"
           : fmt::format("should be refused as invalid_probe; it {}", conformance.not_refused)}};
  for (const DeviceCorrection& correction : check.corrections) {
    page.numbers.emplace_back("device.json", correction_words(correction));
  }
  if (!check.corrections.empty()) {
    page.numbers.emplace_back("",
                              "that explains all that was seen; what follows was measured with it");
  }
  for (const LimitCheck& limit : check.limits) {
    page.numbers.emplace_back(limit.what(), limit_words(limit));
  }
  for (const GranularityCheck& granularity : check.granularities) {
    page.numbers.emplace_back(granularity.what, granularity_words(granularity));
  }
  page.numbers.emplace_back("answers", steadiness_words(check));
  page.numbers.emplace_back("a run takes", fmt::format("{:.2f} ms in the median", check.probe_ms));
  page.numbers.emplace_back(
      "channels beside sm",
      check.channels.empty() ? "none" : fmt::format("{}", fmt::join(check.channels, ", ")));
  return page;
}

Page port_page(const Port& port) {
  Page page;
  page.title = port.device.name;
  page.written_by = "Written by " + code("cuvier port") + ". ";
  page.about = fmt::format("Asked: {}.", port.oracle);
  if (port.finding) {
    const Finding& finding = *port.finding;
    Page found = finding_page(finding);
    page.verdict = std::exchange(found.verdict, {});
    if (finding.verdict == Verdict::refuted) page.add(lead_section(finding, port.folder));
    if (finding.mechanism) {
      const bool is_algorithm_1 = *finding.mechanism == Hypothesis{};
      page.about += is_algorithm_1
                        ? Text(" As Algorithm 1.")
                        : " Unlike Algorithm 1: " + code(describe(*finding.mechanism)) + ".";
    }
    add_page(page, "What it does", found);
  }
  if (!port.baselines.empty()) page.add(baseline_section(*port.finding->mechanism, port.baselines));
  if (port.validation) {
    add_page(page, "How it holds on random sequences", validation_page(*port.validation));
  }
  if (port.check) add_page(page, "The oracle", oracle_check_page(*port.check));
  page.add(contribution_section(port));
  return page;
}

}  // namespace cuvier
