#include "reports/score_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/mismatch_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

constexpr int most_shown = 5;  // missed probes, in full

std::string missed_text(const std::vector<Missed>& missed) {
  std::string text;
  std::vector<std::string> others;
  for (const Missed& miss : missed) {
    if (&miss - missed.data() >= most_shown) {
      others.push_back(miss.probe);
      continue;
    }
    text += fmt::format("  {}: {}\n    GPU:       {}\n    simulator: {}\n", miss.probe,
                        counted(miss.facts, "fact"), miss.gpu,
                        miss.simulator.empty() ? "no block of it starts then" : miss.simulator);
  }
  if (!others.empty()) text += fmt::format("  and {}\n", fmt::join(others, ", "));
  return text.empty() ? text : "\nmissed:\n" + text;
}

/// "the SM with most room" or a few such, joined by "or".
std::string meanings(int axis, const std::vector<int>& values) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < values.size() && i < most; ++i) {
    const AxisValue& value = axis_info(axis).values[values[i]];
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", or ", value.meaning, value.name);
  }
  if (values.size() > most) text += fmt::format(", or {} others", values.size() - most);
  return text;
}

std::string otherwise_text(const std::vector<OtherAnswer>& otherwise) {
  std::string text;
  for (const OtherAnswer& other : otherwise) {
    text += fmt::format("  {}: {}\n    GPU:       {}\n    simulator: {}\n",
                        axis_info(other.axis).name, axis_info(other.axis).meaning,
                        meanings(other.axis, other.gpu), meanings(other.axis, other.simulator));
  }
  return text.empty() ? text : "\nwhat it lacks:\n" + text;
}

std::string behaviour_text(const Score& score) {
  const Finding& behaviour = score.behaviour;
  if (behaviour.mechanism) {
    return fmt::format("\nexplained by {}\n", model_words(*behaviour.mechanism));
  }
  if (score.cut_off) return "\nas it stands, nothing explains what the log has\n";
  std::string text = "\nno hypothesis explains what the simulator does: " + behaviour.reason + '\n';
  if (behaviour.nearest) text += near_miss_text(*behaviour.nearest);
  return text;
}

}  // namespace

std::string score_text(const Score& score) {
  const auto right = score.probes - std::ssize(score.missed);
  std::string text =
      fmt::format("{} of {} as on the GPU\n", count_words(static_cast<double>(right)),
                  counted(score.probes, "probe"));
  if (!score.refused.empty()) {
    text += fmt::format("not answered: {}\n", fmt::join(score.refused, ", "));
  }
  if (score.cut_off) {
    text += fmt::format(
        "blocks missing: the log ends in {}, all of which is as on the GPU but the last {}; was it "
        "cut off?\n",
        score.cut_off->probe, counted(score.cut_off->blocks, "block"));
  }
  if (score.missed.empty()) return text;
  return text + otherwise_text(score.otherwise) + behaviour_text(score) + missed_text(score.missed);
}

}  // namespace cuvier
