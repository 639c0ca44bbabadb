#include "reports/finding/finding_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hypotheses/scheduler/topology.h"
#include "reports/document/words.h"
#include "solver/evidence/runs.h"

namespace cuvier {
namespace {

constexpr int most_of_kind = 6;  // wrong facts of a kind that are shown in full

/// The last resorts that every survivor has: nothing else explains the answers so far.
std::string last_resorts_left(const Finding& finding) {
  std::string left;
  for (int axis = 0; axis < kAxes; ++axis) {
    std::uint32_t values = 0;
    for (const int value : finding.surviving[axis]) values |= one_of(value);
    if (values == 0 || (values & ~last_resorts(axis)) != 0) continue;
    left += fmt::format("{}{}={}", left.empty() ? "" : "; ", axis_info(axis).name,
                        value_names(axis, finding.surviving[axis]));
  }
  return left;
}

/// Settled axes, one a line; those that matter under no survivor in one line.
void add_settled(Page& page, const Finding& finding) {
  Section section{"Settled", {}};
  Table settled{"Settled axes", {"axis", "value", "what that means"}};
  std::string idle;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!concerns(finding.device, axis)) continue;
    const AxisInfo& info = axis_info(axis);
    if (finding.surviving[axis].size() == 1) {
      const int value = finding.surviving[axis].front();
      settled.add({code(info.name), code(value_name(axis, value)), value_sentence(axis, value)});
    } else if (!finding.open[axis]) {
      idle += (idle.empty() ? "" : ", ") + std::string(info.name);
    }
  }
  if (!settled.rows.empty()) section.add(std::move(settled));
  const std::vector<int>& order = finding.mechanism->order;
  if (!order.empty()) section.add("Order of SMs: " + Text(runs_words(order)) + ".");
  if (!idle.empty()) section.add("Without effect, given what is settled: " + Text(idle) + ".");
  const std::string resorts = last_resorts_left(finding);
  if (!resorts.empty() && finding.verdict != Verdict::identified) {
    section.add("No other rule explains the answers, so last resorts are considered: " +
                Text(resorts) + ".");
  }
  if (!section.items.empty()) page.add(std::move(section));
}

void add_open(Page& page, const Finding& finding) {
  Table table{"Open axes", {"axis", "left", "values"}};
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!finding.open[axis]) continue;
    table.add({code(axis_info(axis).name),
               fmt::format("{} of {}", finding.surviving[axis].size(), axis_size(axis)),
               value_names(axis, finding.surviving[axis])});
  }
  if (table.rows.empty()) return;
  page.add({finding.verdict == Verdict::identified
                ? "Left open, since it is proved that no probe tells these apart"
                : "Open",
            {std::move(table)}});
}

/// How much was asked beside what told the mechanism, and what kinds of launches were not.
Section confirmed_section(const Confirmed& confirmed) {
  Table missing{"Kinds of launches that were not asked", {"", "not asked"}};
  int classes = 0;
  int covered = 0;
  for (const CoveredFeature& feature : confirmed.features) {
    std::string not_seen;
    for (const auto& [name, launches] : feature.classes) {
      ++classes;
      covered += launches > 0 ? 1 : 0;
      if (launches == 0) not_seen += (not_seen.empty() ? "" : ", ") + std::string(name);
    }
    if (!not_seen.empty()) missing.add({std::string(feature.name), not_seen});
  }
  Section section{
      fmt::format("Confirmed by {} more, in {} with those before",
                  counted(confirmed.probes, "probe"), counted(confirmed.sessions, "session")),
      {}};
  section.add(List{
      {fmt::format("{} a documented limit",
                   confirmed.limits == 1 ? "1 fills"
                                         : fmt::format("{} fill", count_words(confirmed.limits))),
       fmt::format("launches of {} of {} kinds, and of {} of {} pairs of kinds (some cannot be; "
                   "model.json lists what was not asked)",
                   count_words(covered), count_words(classes), count_words(confirmed.pairs),
                   count_words(confirmed.pairs + std::ssize(confirmed.apart))),
       fmt::format(
           "{} of {} variants of the mechanism (another rule for kernels of one kind, another "
           "limit) would have been noticed",
           count_words(confirmed.special_cases_shown), count_words(confirmed.special_cases))}});
  if (!missing.rows.empty()) section.add(std::move(missing));
  return section;
}

Section discarded_section(const std::vector<Discarded>& discarded) {
  Table table{"Runs that do not count", {"probe", "runs", "why"}};
  for (const Discarded& each : discarded) {
    table.add({each.probe, fmt::format("{} of {}", each.discarded, each.runs), each.reason});
  }
  return section_of(std::move(table));
}

std::string probes_words(const Finding& finding) {
  std::string words = count_words(finding.probes);
  if (finding.runs > finding.probes) {
    words += fmt::format(", run {} times,", count_words(finding.runs));
  }
  words += " in " + duration_words(finding.seconds);
  if (finding.confirmed && finding.telling > 0 && finding.telling < finding.probes) {
    words +=
        fmt::format("; the first {} told everything, the others confirmed it", finding.telling);
  }
  return words;
}

std::string place_words(const Mismatch& wrong) {
  return wrong.where.empty() ? wrong.recording
                             : fmt::format("{} ({})", wrong.recording, wrong.where);
}

/// At most so many facts of each kind; of the others, how many there are in which recordings.
void add_mismatches(Section& section, const std::vector<Mismatch>& mismatches, int most_of_kind) {
  constexpr std::size_t most_others = 10;
  std::map<Fact::Kind, int> of_kind;
  std::vector<Mismatch> shown;
  Table others{"Facts wrong in other recordings", {"", "other facts"}};
  others.in_short = most_others;
  std::string place;
  int hidden = 0;  // of the recording at this place
  const auto add_hidden = [&] {
    if (hidden > 0) others.add({place, count_words(hidden)});
    hidden = 0;
  };
  for (const Mismatch& wrong : mismatches) {
    if (const std::string now = place_words(wrong); now != place) {
      add_hidden();
      place = now;
    }
    if (++of_kind[wrong.fact.kind] > most_of_kind) {
      ++hidden;
    } else {
      shown.push_back(wrong);
    }
  }
  add_hidden();
  section.add(mismatch_table(shown));
  if (others.rows.empty()) return;
  section.add(
      Text(counted(mismatches.size() - shown.size(), "more fact") + " (the JSON lists all):"));
  section.add(std::move(others));
}

std::string left_words(const HypothesisCount& count) {
  if (count.remaining == 0) return "none";
  return (count.exact ? "" : "about ") + count_words(count.remaining);
}

/// The smallest set of recordings that nothing explains.
Section clash_section(const std::vector<std::string>& clash) {
  Section section{clash.size() == 1 ? "No hypothesis explains this one"
                                    : "No hypothesis explains these together",
                  {List{{clash.begin(), clash.end()}}}};
  const auto is_alone = [](const std::string& name) { return name.find(kAlone) != name.npos; };
  if (std::ranges::any_of(clash, is_alone)) {
    section.say("({}: asked once more, in a session of its own.)", kAlone);
  }
  return section;
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
    page.numbers.emplace_back("hypotheses", fmt::format("{} of {} left", left_words(finding.count),
                                                        count_words(finding.count.initial)));
  }
  if (finding.mechanism) {
    const bool only = finding.verdict == Verdict::identified;
    page.numbers.emplace_back(only ? "mechanism" : "simplest", model_words(*finding.mechanism));
  }
  if (!finding.maps.empty()) page.add(other_maps_section(finding));
  if (finding.mechanism && !single) {
    add_settled(page, finding);
    add_open(page, finding);
  }
  if (finding.confirmed) page.add(confirmed_section(*finding.confirmed));
  if (!finding.discarded.empty()) page.add(discarded_section(finding.discarded));
  if (!finding.clash.empty()) page.add(clash_section(finding.clash));
  if (finding.nearest) page.add(near_miss_section(*finding.nearest));
  if (!finding.mismatches.empty()) {
    Section& wrong = page.sections.emplace_back(Section{"What it gets wrong", {}});
    add_mismatches(wrong, finding.mismatches, most_of_kind);
  }
  return page;
}

bool tells_something(const InferenceStep& step) {
  return step.gained_bits > 0 || step.differing > 0;
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
                ? value_names(axis, after[axis])
                : fmt::format("{} of {} left", after[axis].size(), axis_size(axis));
  }
  return text;
}

Table mismatch_table(const std::vector<Mismatch>& mismatches) {
  Table table{"Facts that are predicted otherwise",
              {"recording", "step", "kernel", "seen", "predicted"}};
  for (const Mismatch& wrong : mismatches) {
    table.add({place_words(wrong), wrong.fact.step < 0 ? "" : fmt::format("{}", wrong.fact.step),
               wrong.kernel, wrong.seen, wrong.predicted});
  }
  return table;
}

/// "8 or more warps per block", "40 or more blocks of a kernel launched by then".
std::string trait_words(const Trait& trait) {
  std::string_view property = trait.property;
  std::string_view whose;
  if (trait.whose == Whose::launched || trait.whose == Whose::ahead) {
    if (const auto end = property.rfind(" of the kernel"); end != property.npos) {
      property = property.substr(0, end);
    }
    whose = trait.whose == Whose::launched ? " of a kernel launched by then"
                                           : " of the kernel ahead in its stream";
  }
  return fmt::format("{} or {} {}{}", count_words(trait.threshold),
                     trait.at_least ? "more" : "fewer", property, whose);
}

std::string pattern_words(const Pattern& pattern) {
  std::string traits;
  for (const Trait& trait : pattern.traits) {
    traits += (traits.empty() ? "" : " and ") + trait_words(trait);
  }
  return fmt::format(
      "where it first goes wrong, all {} come with {}; of the {} like them that it gets right, {}",
      count_words(pattern.wrong), traits, count_words(pattern.right),
      pattern.right_here == 0   ? "none does"
      : pattern.right_here == 1 ? "1 does"
                                : count_words(pattern.right_here) + " do");
}

/// "Of 57 probes it gets 10 wrong; all of these would be right if one thing were otherwise:
/// `pointer_skip=always`, for kernels with `warps per block >= 8`."
Text but_for_words(const NearMiss::ButFor& but_for) {
  const int right = but_for.wrong_before - but_for.wrong;
  Text text = fmt::format(
      "Of {} it gets {} wrong; {} of these would be right if one thing were "
      "otherwise: ",
      counted(but_for.recordings, "probe"), count_words(but_for.wrong_before),
      but_for.wrong == 0 ? "all" : count_words(right));
  text += code(but_for.deviation);
  if (!but_for.quantity.empty()) text += ", for kernels with " + code(but_for.kernels);
  return text + ".";
}

std::vector<Text> near_miss_words(const NearMiss& nearest) {
  std::vector<Text> words;
  if (nearest.but_for) words.push_back(but_for_words(*nearest.but_for));
  const bool shows_pattern = nearest.pattern && !nearest.but_for;
  words.emplace_back(fmt::format("It gets {} of {} wrong{}.", count_words(nearest.wrong.size()),
                                 counted(nearest.facts, "fact"),
                                 shows_pattern ? ": " + pattern_words(*nearest.pattern) : ""));
  if (!nearest.never_used.empty()) {
    words.emplace_back(fmt::format("No block was ever seen on SM{} {}, where it predicts some.",
                                   nearest.never_used.size() == 1 ? "" : "s",
                                   runs_words(nearest.never_used)));
  }
  return words;
}

Section near_miss_section(const NearMiss& nearest) {
  constexpr int most_of_kind = 2;
  Section section{"The nearest that was found", {Text(model_words(nearest.hypothesis))}};
  for (Text& words : near_miss_words(nearest)) section.add(std::move(words));
  add_mismatches(section, nearest.wrong, most_of_kind);
  return section;
}

}  // namespace cuvier
