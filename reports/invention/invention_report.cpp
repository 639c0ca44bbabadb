#include "reports/invention/invention_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "hypotheses/axes.h"
#include "hypotheses/formulas/evaluate.h"
#include "probes/json_fields.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"

namespace cuvier {
namespace {

constexpr std::size_t most_cases = 60;  // of a formula; the whole table is in the JSON

std::string assignment(const Proposal& proposal) {
  return fmt::format("{}={}", axis_info(proposal.axis).name, proposal.formula);
}

/// What the formula is laid over, where that is not Algorithm 1.
std::string rest_words(const Proposal& proposal) {
  Hypothesis rest = proposal.hypothesis;
  rest.values[proposal.axis] = 0;
  return describe(rest);
}

/// What may be the reason of most comes first; what is the reason of none, and explains nothing, is
/// left out.
Table searches_table(const InventionRound& round) {
  Table table{
      "What was searched",
      {"axis", "sessions it could be the reason of", "formulas up to size", "explain everything"},
      {}};
  std::vector<std::pair<int, SearchedAxis>> searched(round.proposals.searched.begin(),
                                                     round.proposals.searched.end());
  std::ranges::stable_sort(searched, std::greater{},
                           [](const auto& row) { return row.second.one_by_one; });
  for (const auto& [axis, search] : searched) {
    const auto found = std::ranges::count(round.proposals.found, axis, &Proposal::axis);
    if (found == 0 && search.one_by_one == 0) continue;
    table.rows.push_back({code(axis_info(axis).name),
                          fmt::format("{} of {}", search.one_by_one, search.looked_at),
                          search.size == 0 ? "-" : std::to_string(search.size),
                          found == 0 ? "none" : std::to_string(found)});
  }
  return table;
}

Table candidates_table(const std::vector<Proposal>& found) {
  Table table{
      "What explains everything", {"formula", "different cases that it decided", "beside it"}, {}};
  for (const Proposal& proposal : found) {
    table.rows.push_back({code(assignment(proposal)), count_words(proposal.decided.size()),
                          code(rest_words(proposal))});
  }
  return table;
}

/// Only the names that the formula reads: cases that differ in others are one.
Table cases_table(const Proposal& proposal) {
  const FormulaInfo& info = *axis_info(proposal.axis).formula;
  const Formula formula = parse_formula(info, proposal.formula);
  const bool is_tuple = formula.parts.size() > 1;
  std::vector<int> names;
  for (int name = 0; name < std::ssize(info.names); ++name) {
    if (formula.reads(name)) names.push_back(name);
  }
  std::vector<std::vector<int>> rows;
  for (const DecidedCase& decided : proposal.decided) {
    std::vector<int>& row = rows.emplace_back();
    for (const int name : names) row.push_back(decided.inputs[name]);
    const std::vector<int> value = is_tuple
                                       ? Evaluation<int, bool>(formula, decided.inputs).numbers()
                                       : std::vector{decided.value};
    row.insert(row.end(), value.begin(), value.end());
  }
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  Table table{"What " + assignment(proposal) + " decided", {}, {}};
  for (const int name : names) table.headings.emplace_back(info.names[name].name);
  table.headings.emplace_back(axis_info(proposal.axis).name);
  for (const auto& row : rows) {
    if (table.rows.size() == most_cases) break;
    std::vector<Text>& cells = table.rows.emplace_back();
    const auto value = row.begin() + std::ssize(names);
    for (auto it = row.begin(); it != value; ++it) cells.emplace_back(std::to_string(*it));
    const std::string words = fmt::format("{}", fmt::join(value, row.end(), ", "));
    cells.push_back(is_tuple ? "(" + words + ")" : words);
  }
  table.in_short = 0;
  return table;
}

/// One round as it was, with what is known of it at the end.
Section told_section(const InventionRound& round, int number) {
  Section section = round_section(round);
  section.title = fmt::format("Round {}: what no hypothesis explains", number);
  if (!round.set_aside.empty()) section.say("{}", set_aside_words(round));
  for (std::size_t i = 0; i < round.proposals.found.size(); ++i) {
    const Proposal& proposal = round.proposals.found[i];
    const auto& refuting = round.contradicted_by.at(i);
    section.say(
        "{}: {}", assignment(proposal),
        refuting ? "contradicted by " + *refuting : "nothing that was asked contradicts it");
    section.add(cases_table(proposal));
  }
  return section;
}

Section facts_section(const std::vector<CorrectedInference>& facts) {
  Section section;
  section.title = "Facts of the device that could be others";
  for (const CorrectedInference& fact : facts) {
    if (!fact.finding) {
      section.say(
          "Everything is explained if {}. This was not tried further, since a kernel that was "
          "asked "
          "could not be launched then.",
          fact.words);
      continue;
    }
    section.say("Everything is explained if {}: {}, {}.", fact.words,
                fact.holds ? "so it was to the end" : "what was asked then contradicts it",
                fact.folder);
  }
  section.say(
      "One fact was changed at a time. Correct the device file, or let the oracle say so "
      "(docs/howto/port.md measures all of them).");
  return section;
}

/// The formulas of the mechanism, by axis.
std::vector<std::pair<int, std::string>> formulas_of(const Hypothesis& mechanism) {
  std::vector<std::pair<int, std::string>> formulas;
  for (int axis = 0; axis < kAxes; ++axis) {
    const int value = mechanism.values[axis];
    if (value >= named_values(axis)) formulas.emplace_back(axis, axis_value(axis, value).name);
  }
  return formulas;
}

/// What would make it a value that has a name.
std::string diff_of(int axis, const std::string& formula) {
  const AxisInfo& info = axis_info(axis);
  return fmt::format(
      "--- hypotheses/axes/{0}.h: NAME in the enum, its case, and its row\n"
      "+      {{\"NAME\", \"MEANING\", \"{1}\"}},\n"
      "--- docs/reference/scheduler.md: {0}\n"
      "+- `NAME`: MEANING: {1}.",
      info.name, formula);
}

Section rule_section(int axis, const std::string& formula) {
  const AxisInfo& info = axis_info(axis);
  Section section;
  section.title = "The rule";
  section.say("{}: {}", info.name, info.meaning);
  section.add(Source{"text", fmt::format("{}={}", info.name, formula)});
  const bool is_key = info.formula->gives == FormulaInfo::Gives::key;
  section.say("{} {}.", is_key ? "What it gives is compared:" : "It gives", info.formula->meaning);
  List names;
  const Formula& parsed = formula_of(axis, formula_value(axis, formula));
  for (int name = 0; name < std::ssize(info.formula->names); ++name) {
    const FormulaName& read = info.formula->names[name];
    if (parsed.reads(name)) {
      names.lines.push_back(code(read.name) + ": " + Text(std::string(read.meaning)));
    }
  }
  if (!names.lines.empty()) section.add(std::move(names));
  section.say("To make it a value that has a name (docs/howto/add-an-axis.md):");
  section.add(Source{"diff", diff_of(axis, formula)});
  return section;
}

Json proposal_json(const Proposal& proposal) {
  const FormulaInfo& info = *axis_info(proposal.axis).formula;
  Json json{{"axis", axis_info(proposal.axis).name},
            {"formula", proposal.formula},
            {"size", proposal.size},
            {"beside", rest_words(proposal)},
            {"explained", proposal.explained},
            {"decided", Json::array()}};
  for (const DecidedCase& decided : proposal.decided) {
    Json inputs = Json::object();
    for (int name = 0; name < std::ssize(info.names); ++name) {
      inputs[std::string(info.names[name].name)] = decided.inputs[name];
    }
    json["decided"].push_back({{"inputs", std::move(inputs)}, {"value", decided.value}});
  }
  return json;
}

std::string axis_names(const std::vector<int>& axes) {
  std::vector<std::string_view> names;
  for (const int axis : axes) names.push_back(axis_info(axis).name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Of which some small formula explains each of the sessions that were looked at.
std::vector<int> alone_at_fault(const Proposals& proposals) {
  std::vector<int> axes;
  for (const int axis : proposals.suspects) {
    const auto searched = proposals.searched.find(axis);
    if (searched == proposals.searched.end()) continue;
    const SearchedAxis& search = searched->second;
    if (search.looked_at > 0 && search.one_by_one == search.looked_at) axes.push_back(axis);
  }
  return axes;
}

}  // namespace

std::string set_aside_words(const InventionRound& round) {
  return fmt::format("Set aside, since nothing that was asked tells them from what is left: {}.",
                     fmt::join(round.set_aside, ", "));
}

std::string exceptions_words(const Invention& invention) {
  if (invention.exceptions.empty()) {
    return "Exceptions explained everything at first; what was asked then contradicts them.";
  }
  std::vector<std::string> words;
  for (const Exception& exception : invention.exceptions) {
    if (words.size() < 3) words.push_back(words_of(exception));
  }
  const std::string asked = invention.exceptions_asked == 0
                                ? "Nothing was asked of it"
                                : fmt::format("{} could have contradicted it, and none does",
                                              counted(invention.exceptions_asked, "probe"));
  return fmt::format("No formula of an axis says it, but an exception explains everything: {}. {}.",
                     fmt::join(words, "; or "), asked);
}

std::optional<Mismatch> first_wrong(const RecordingSet& set, const Hypothesis& nearest) {
  std::map<std::string, int> blocks;
  for (const Recording& recording : set.recordings) {
    for (const Kernel& kernel : recording.probe.kernels) {
      blocks[recording.probe.name] += kernel.blocks;
    }
  }
  const std::vector<Mismatch> wrong = mismatches(set, nearest);
  const auto smallest = std::ranges::min_element(
      wrong, {}, [&](const Mismatch& mismatch) { return blocks[mismatch.recording]; });
  return smallest == wrong.end() ? std::nullopt : std::optional(*smallest);
}

Section round_section(const InventionRound& round) {
  const Proposals& proposals = round.proposals;
  Section section;
  if (round.first) {
    section.say(
        "The first decision that {} does not make, in the smallest sequence: {}, step {}, "
        "{} {}; predicted: {}.",
        describe(round.nearest), round.first->recording, round.first->fact.step,
        round.first->kernel, round.first->seen, round.first->predicted);
  }
  if (proposals.suspects.empty()) {
    section.say(
        "No other rule of one axis that takes formulas can explain it: what goes wrong goes wrong "
        "before any of them is asked.");
  } else {
    section.say(
        "Another rule of one of these could explain it: {}. The others are asked only after "
        "something has gone wrong.",
        axis_names(proposals.suspects));
    const std::vector<int> alone = alone_at_fault(proposals);
    if (alone.empty() && proposals.found.empty()) {
      section.say("No axis alone could be the reason of all sessions that were looked at.");
    } else if (!alone.empty()) {
      section.say(
          "Likeliest is another rule of {}: of each session that was looked at, it could be the "
          "reason.",
          axis_names(alone));
    }
  }
  section.say(
      "{} of {} go wrong. An axis could be the reason of a session if some small formula of it "
      "explains that one.",
      count_words(proposals.wrong), counted(proposals.sessions, "session"));
  if (proposals.formulas > 0 || proposals.pairs > 0) {
    section.say("Tried {}, and {}, one for some blocks and one for the rest.",
                counted(proposals.formulas, "formula"),
                counted(proposals.pairs, "pair of rules", "pairs of rules"));
  }
  Table searches = searches_table(round);
  if (!searches.rows.empty()) section.add(std::move(searches));
  if (!proposals.found.empty()) section.add(candidates_table(proposals.found));
  if (proposals.found.empty() && proposals.best) {
    section.say("{} explains {} of {}, more than any other.", assignment(*proposals.best),
                proposals.best->explained, counted(proposals.best->observed, "session"));
  }
  return section;
}

Page invention_page(const Invention& invention) {
  const Finding& finding = invention.finding;
  Page page;
  page.title = "What was invented";
  page.written_by = "Written by " + code("cuvier invent") + ". ";
  page.about =
      fmt::format("{}, {}. Asked: {}.", invention.recordings.device.name,
                  counted(invention.recordings.device.sms, "SM"), invention.recordings.source);
  page.verdict = fmt::format("{}: {}", name_of(finding.verdict), finding.reason);
  page.tone = finding.verdict == Verdict::identified ? Page::Tone::good
              : finding.verdict == Verdict::refuted  ? Page::Tone::bad
                                                     : Page::Tone::open;
  page.numbers = {{"rounds", std::to_string(invention.rounds.size())},
                  {"answers", count_words(invention.recordings.recordings.size())}};
  if (invention.confirmed_by > 0) {
    page.numbers.emplace_back("random sequences that contradict it",
                              fmt::format("{} of {}", count_words(invention.contradicted_by),
                                          count_words(invention.confirmed_by)));
  }
  if (finding.mechanism) {
    for (const auto& [axis, formula] : formulas_of(*finding.mechanism)) {
      page.sections.push_back(rule_section(axis, formula));
    }
  }
  if (!finding.maps.empty()) page.sections.push_back(other_maps_section(finding));
  if (!invention.exceptions.empty()) {
    Section section;
    section.title = "An exception explains everything";
    section.say("{}", exceptions_words(invention));
    section.say("It is no hypothesis, so nothing is proved of it.");
    page.sections.push_back(section);
  }
  if (!invention.facts.empty()) page.sections.push_back(facts_section(invention.facts));
  int number = 0;
  for (const InventionRound& round : invention.rounds) {
    page.sections.push_back(told_section(round, ++number));
  }
  return page;
}

Json invention_json(const Invention& invention) {
  Json json{{"device", to_json(invention.recordings.device)},
            {"oracle", invention.recordings.source},
            {"verdict", name_of(invention.finding.verdict)},
            {"reason", invention.finding.reason},
            {"confirmed_by", invention.confirmed_by},
            {"contradicted_by", invention.contradicted_by},
            {"facts", Json::array()},
            {"exceptions", Json::array()},
            {"rounds", Json::array()}};
  for (const Exception& exception : invention.exceptions) {
    json["exceptions"].push_back({{"beside", describe(exception.base)},
                                  {"where", exception.condition},
                                  {"otherwise", exception.deviation.words}});
  }
  for (const CorrectedInference& fact : invention.facts) {
    Json& told = json["facts"].emplace_back(Json{{"correction", fact.words}});
    if (!fact.finding) continue;
    told["folder"] = fact.folder;
    told["holds"] = fact.holds;
  }
  if (invention.finding.mechanism) json["mechanism"] = to_json(*invention.finding.mechanism);
  for (const InventionRound& round : invention.rounds) {
    Json told{{"nearest", describe(round.nearest)},   {"sessions", round.proposals.sessions},
              {"formulas", round.proposals.formulas}, {"pairs", round.proposals.pairs},
              {"wrong", round.proposals.wrong},       {"suspects", Json::array()},
              {"searched", Json::object()},           {"found", Json::array()},
              {"set_aside", round.set_aside}};
    if (round.first) {
      told["first_wrong"] = {{"recording", round.first->recording},
                             {"step", round.first->fact.step},
                             {"kernel", round.first->kernel},
                             {"seen", round.first->seen},
                             {"predicted", round.first->predicted}};
    }
    for (const int axis : round.proposals.suspects) {
      told["suspects"].push_back(axis_info(axis).name);
    }
    for (const auto& [axis, search] : round.proposals.searched) {
      told["searched"][std::string(axis_info(axis).name)] = {{"size", search.size},
                                                             {"one_by_one", search.one_by_one},
                                                             {"looked_at", search.looked_at}};
    }
    for (std::size_t i = 0; i < round.proposals.found.size(); ++i) {
      Json& found = told["found"].emplace_back(proposal_json(round.proposals.found[i]));
      if (const auto& by = round.contradicted_by.at(i)) found["contradicted_by"] = *by;
    }
    if (round.proposals.best) told["best"] = proposal_json(*round.proposals.best);
    json["rounds"].push_back(std::move(told));
  }
  return json;
}

}  // namespace cuvier
