#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

constexpr int score_schema = 1;

Section missed_section(const std::vector<Missed>& missed) {
  constexpr std::size_t most_shown = 5;
  Table table{"Missed", {"probe", "facts", "GPU", "simulator"}};
  std::vector<std::string> others;
  for (const Missed& miss : missed) {
    if (table.rows.size() == most_shown) {
      others.push_back(miss.probe);
    } else {
      table.add({miss.probe, count_words(miss.facts), miss.gpu,
                 miss.simulator.empty() ? "no block of it starts then" : miss.simulator});
    }
  }
  Section section{"Missed", {std::move(table)}};
  if (!others.empty()) {
    section.say("And {}.", fmt::join(others, ", "));
  }
  return section;
}

/// "the SM with most room" or a few such, joined by "or".
std::string meanings(int axis, const std::vector<int>& values) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < values.size() && i < most; ++i) {
    text += (i == 0 ? "" : ", or ") + value_meaning(axis, values[i]);
  }
  if (values.size() > most) text += fmt::format(", or {} others", values.size() - most);
  return text;
}

Section lacks_section(const std::vector<OtherAnswer>& otherwise) {
  Table table{"What it lacks", {"axis", "asks", "GPU", "simulator"}};
  for (const OtherAnswer& other : otherwise) {
    const AxisInfo& info = axis_info(other.axis);
    table.add({code(info.name), std::string(info.meaning), meanings(other.axis, other.gpu),
               meanings(other.axis, other.simulator)});
  }
  return section_of(std::move(table));
}

Section behaviour_section(const Score& score) {
  const Finding& behaviour = score.behaviour;
  if (behaviour.mechanism || score.cut_off) {
    return {"What explains it",
            {Text(behaviour.mechanism ? model_words(*behaviour.mechanism)
                                      : "as it stands, nothing explains what the log has")}};
  }
  Section section{"No hypothesis explains it", {Text(behaviour.reason + ".")}};
  if (behaviour.nearest) {
    section.add(Text("The nearest that was found:"));
    std::ranges::move(near_miss_section(*behaviour.nearest).items,
                      std::back_inserter(section.items));
  }
  return section;
}

}  // namespace

Page score_page(const Score& score) {
  Page page;
  page.verdict =
      fmt::format("{} of {} as on the GPU", count_words(score.probes - std::ssize(score.missed)),
                  counted(score.probes, "probe"));
  Section answers;
  if (!score.refused.empty()) {
    answers.say("Not answered: {}.", fmt::join(score.refused, ", "));
  }
  if (score.cut_off) {
    answers.say(
        "Blocks missing: the log ends in {}, all of which is as on the GPU but the last {}; was it "
        "cut off?",
        score.cut_off->probe, counted(score.cut_off->blocks, "block"));
  }
  page.add(std::move(answers));
  if (score.missed.empty()) return page;
  if (!score.otherwise.empty()) page.add(lacks_section(score.otherwise));
  page.add(behaviour_section(score));
  page.add(missed_section(score.missed));
  return page;
}

nlohmann::ordered_json score_json(const Score& score) {
  Json json = {{"schema", score_schema},  {"simulator", score.simulator},
               {"probes", score.probes},  {"refused", score.refused},
               {"missed", Json::array()}, {"otherwise", Json::array()},
               {"explained_by", nullptr}};
  for (const Missed& miss : score.missed) {
    Json each = {{"probe", miss.probe}, {"facts", miss.facts}, {"gpu", miss.gpu}};
    each["simulator"] = miss.simulator.empty() ? Json(nullptr) : Json(miss.simulator);
    json["missed"].push_back(std::move(each));
  }
  for (const OtherAnswer& other : score.otherwise) {
    json["otherwise"].push_back({{"axis", std::string(axis_info(other.axis).name)},
                                 {"gpu", value_list(other.axis, other.gpu)},
                                 {"simulator", value_list(other.axis, other.simulator)}});
  }
  if (score.cut_off) {
    json["cut_off"] = {{"probe", score.cut_off->probe}, {"blocks", score.cut_off->blocks}};
  }
  if (score.behaviour.mechanism) json["explained_by"] = to_json(*score.behaviour.mechanism);
  return json;
}

}  // namespace cuvier
