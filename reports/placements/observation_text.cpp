#include <fmt/format.h>

#include "reports/document/words.h"
#include "reports/placements/placements_report.h"

namespace cuvier {
namespace {

using Row = std::vector<std::string>;

/// Kernels that are launched but have blocks left, and how many.
std::string waiting_words(const std::vector<int>& left, const Probe& probe) {
  std::string text;
  for (std::size_t kernel = 0; kernel < left.size(); ++kernel) {
    if (left[kernel] == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} of {}", count_words(left[kernel]), probe.kernels[kernel].name);
  }
  return text;
}

}  // namespace

std::string action_words(const Action& action, const Probe& probe) {
  if (action.launch) return "launch " + probe.kernels[*action.launch].name;
  if (action.releases.empty()) return "settle";
  std::string text;
  for (const Release& release : action.releases) {
    text += text.empty() ? "release " : ", ";
    text += probe.kernels[release.kernel].name;
    if (!release.blocks.empty()) text += "[" + runs_words(release.blocks) + "]";
  }
  return text;
}

std::string observation_text(const Observation& observation, const Probe& probe) {
  std::vector<Row> rows = {{"step", "action", "starts", "blocks", "on SMs"}};
  std::vector<int> left(probe.kernels.size());
  std::string notes;
  for (std::size_t s = 0; s < observation.steps.size(); ++s) {
    const Step& step = observation.steps[s];
    const Action& action = probe.script[s];
    if (action.launch) left[*action.launch] = probe.kernels[*action.launch].blocks;
    Row head = {fmt::format("{}", s), action_words(action, probe)};
    if (step.started.empty()) rows.push_back({head[0], head[1], "nothing", "", ""});
    for (const Started& started : step.started) {
      const int count = static_cast<int>(started.block.size());
      left[started.kernel] -= count;
      rows.push_back(
          {head[0], head[1],
           fmt::format("{} of {}", count_words(count), probe.kernels[started.kernel].name),
           runs_words(started.block), runs_words(started.sm)});
      head = {"", ""};
    }
    const std::string waiting = waiting_words(left, probe);
    if (!waiting.empty()) rows.push_back({"", "", "waiting: " + waiting});
    for (const auto& [kernel, bytes] : step.shared_config) {
      notes += fmt::format("the target configuration of {} is {} bytes of shared memory\n",
                           probe.kernels[kernel].name, count_words(bytes));
    }
  }
  return aligned(rows) + notes;
}

std::string answer_text(const Answer& answer, const Probe& probe) {
  if (answer.observation) return observation_text(*answer.observation, probe);
  std::string text = "only facts are known of this one:\n";
  for (const Fact& fact : answer.facts) text += "  " + describe(fact, probe) + '\n';
  return text;
}

}  // namespace cuvier
