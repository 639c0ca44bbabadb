#include <fmt/format.h>

#include "reports/document/words.h"
#include "reports/placements/placements_report.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

/// "SM 7 in step 1", "never"
std::string start_words(const std::optional<BlockStart>& start) {
  return start ? fmt::format("SM {} in step {}", start->sm, start->step) : "it never starts";
}

/// The same where the step needs no saying, being that of the model.
std::string start_words(const std::optional<BlockStart>& start, const Explanation& why) {
  const bool same_step = start && why.start && start->step == why.start->step;
  return same_step ? fmt::format("SM {}", start->sm) : start_words(start);
}

std::string block_words(const Explanation& why, const Probe& probe) {
  return fmt::format("block {} of {}", why.block, probe.kernels[why.kernel].name);
}

std::string beside_words(const Explanation& why, const Probe& probe) {
  if (why.beside.empty()) return fmt::format("SM {} is idle then.", why.start->sm);
  std::vector<std::string> parts;
  for (const auto& [kernel, blocks] : why.beside) {
    parts.push_back(fmt::format("{} of {} ({})", counted(blocks.size(), "block"),
                                probe.kernels[kernel].name, runs_words(blocks)));
  }
  return fmt::format("SM {} has {} then.", why.start->sm, fmt::join(parts, ", "));
}

/// Of each axis the model's answer, and which others lead elsewhere.
Section answers_section(const Explanation& why, const Model& model) {
  Section section{why.start ? "Why there" : "Why it never starts", {}};
  if (why.answers.empty()) {
    section.say("No other answer to a single question about the scheduler would {}.",
                why.start ? "move it" : "let it start");
    return section;
  }
  section.say("With another answer to one of these questions it would start{}:",
              why.start ? " elsewhere" : "");
  Table table{"Answers", {"axis", "the model's answer", "with this one", "it starts on"}};
  int latest = -1;
  for (const auto& [axis, value, start] : why.answers) {
    const AxisValue& own = axis_value(axis, model.hypothesis.values[axis]);
    const bool is_first = std::exchange(latest, axis) != axis;
    table.add({is_first ? std::string(axis_info(axis).name) : "",
               is_first ? fmt::format("{}: {}", own.name, own.meaning) : "",
               value_name(axis, value), start_words(start, why)});
  }
  section.add(std::move(table));
  return section;
}

Section actions_section(const Explanation& why, const Probe& probe) {
  Section section{why.start ? "What else would move it" : "What else would let it start", {}};
  if (why.actions.empty()) {
    section.say("Each of the other launches and releases could be left out: it would {}.",
                why.start ? "start there all the same" : "not start either");
    return section;
  }
  List list;
  for (const auto& [action, start] : why.actions) {
    list.add(fmt::format("without step {} ({}): {}", action,
                         action_words(probe.script[action], probe), start_words(start, why)));
  }
  section.add(std::move(list));
  return section;
}

void add_start(Json& json, const std::optional<BlockStart>& start) {
  json["step"] = start ? Json(start->step) : Json();
  json["sm"] = start ? Json(start->sm) : Json();
}

}  // namespace

Page explanation_page(const Explanation& why, const Model& model, const Probe& probe) {
  Page page;
  page.verdict = why.start ? fmt::format("{} starts on SM {} in step {} ({})",
                                         block_words(why, probe), why.start->sm, why.start->step,
                                         action_words(probe.script[why.start->step], probe))
                           : fmt::format("{} never starts", block_words(why, probe));
  page.about = fmt::format("On {}, under {}.", model.device.name, model_words(model));
  Section there;
  if (why.start) there.add(Text(beside_words(why, probe)));
  if (why.wait)
    there.say("In the end {} waits for {}.", probe.kernels[why.kernel].name,
              wait_words(*why.wait, probe));
  page.add(std::move(there));
  page.add(answers_section(why, model));
  page.add(actions_section(why, probe));
  return page;
}

nlohmann::ordered_json explanation_json(const Explanation& why, const Model& model,
                                        const Probe& probe) {
  Json json = answered_by(model);
  json["kernel"] = probe.kernels[why.kernel].name;
  json["block"] = why.block;
  add_start(json, why.start);
  json["beside"] = Json::object();
  for (const auto& [kernel, blocks] : why.beside)
    json["beside"][probe.kernels[kernel].name] = blocks;
  if (why.wait) json["wait"] = to_json(*why.wait, probe);
  json["other_answers"] = Json::array();
  for (const auto& [axis, value, start] : why.answers) {
    Json& answer = json["other_answers"].emplace_back(
        Json{{"axis", axis_info(axis).name}, {"value", value_name(axis, value)}});
    add_start(answer, start);
  }
  json["without_actions"] = Json::array();
  for (const auto& [action, start] : why.actions) {
    Json& without = json["without_actions"].emplace_back(Json{{"action", action}});
    add_start(without, start);
  }
  return json;
}

}  // namespace cuvier
