// docs/generated/recorded-gpus.md: what the recordings of each real GPU in corpus/ say, side by
// side.

#include <fmt/format.h>

#include <algorithm>

#include "corpus/store.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/scheduler/topology.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/words.h"
#include "solver/check/check.h"
#include "solver/finding/mismatches.h"
#include "solver/minimise/minimise.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

struct Gpu {
  std::string folder;
  std::string as_recorded;  ///< the name of what was found
  RecordingSet set;
  Finding finding;
  VersionSpace space;
};

Gpu read(const std::string& folder) {
  RecordingSet set =
      read_recordings(std::string(CUVIER_SOURCE_DIR) + "/corpus/" + folder + "/wilde.jsonl");
  Finding finding = check({set}, Assumptions::all(set.device), {});
  VersionSpace space(set.device, Assumptions::all(set.device));
  for (const Recording& recording : set.recordings) space.observe(recording);
  return {folder, folder + "-as-recorded", std::move(set), std::move(finding), std::move(space)};
}

std::size_t facts_of(const RecordingSet& set) {
  std::size_t facts = 0;
  for (const Recording& recording : set.recordings) facts += recording.facts.size();
  return facts;
}

std::string in_code(const std::string& text) { return "`" + text + "`"; }

/// What the recordings leave of the axis.
std::string left_of(const Gpu& gpu, int axis) {
  const std::vector<int>& left = gpu.finding.surviving[axis];
  if (std::ssize(left) == axis_size(axis) && gpu.finding.open[axis]) return "not shown";
  if (!matters(axis, *gpu.finding.mechanism) && left.size() > 1) return "-";
  std::vector<std::string> names;
  for (const int value : left) names.push_back(in_code(std::string(axis_value(axis, value).name)));
  const std::string joined = fmt::format("{}", fmt::join(names, ", "));
  return left.size() == 1 ? "**" + joined + "**" : joined;
}

void print_summary(const std::vector<Gpu>& gpus) {
  fmt::print(
      "| GPU | recordings | facts | explained by Algorithm 1 | explained now | by | values "
      "that differ from Algorithm 1's | hypotheses left |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const Gpu& gpu : gpus) {
    const std::size_t facts = facts_of(gpu.set);
    const Hypothesis found = hypothesis_from_text(gpu.as_recorded);
    fmt::print("| {} | [{}](../../corpus/{}/wilde.jsonl) | {} | {} | {} | {} | {} | {} of {} |\n",
               gpu.set.device.name, gpu.set.recordings.size(), gpu.folder, facts,
               facts - mismatches(gpu.set, Hypothesis{}).size(),
               facts - mismatches(gpu.set, found).size(), in_code(gpu.as_recorded),
               in_code(describe(found)), count_words(gpu.finding.count.remaining),
               count_words(gpu.finding.count.initial));
  }
}

void print_axes(const std::vector<Gpu>& gpus) {
  fmt::print("\n| axis |");
  for (const Gpu& gpu : gpus) fmt::print(" {} |", gpu.set.device.name);
  fmt::print("\n| --- |");
  for (std::size_t i = 0; i < gpus.size(); ++i) fmt::print(" --- |");
  for (int axis = 0; axis < kAxes; ++axis) {
    if (std::ranges::none_of(gpus, [&](const Gpu& g) { return concerns(g.set.device, axis); })) {
      continue;
    }
    fmt::print("\n| {} |", in_code(std::string(axis_info(axis).name)));
    for (const Gpu& gpu : gpus) fmt::print(" {} |", left_of(gpu, axis));
  }
  fmt::print("\n");
}

/// The first that explains everything, with this value of the axis and else as it was found.
std::optional<Hypothesis> with(const Gpu& gpu, int axis, int value) {
  Hypothesis other = hypothesis_from_text(gpu.as_recorded);
  if (other.values[axis] == value) return std::nullopt;
  other.values[axis] = static_cast<std::uint8_t>(value);
  if (!matters(axis, other) || !gpu.space.contains(other)) return std::nullopt;
  return other;
}

std::string answer(const Gpu& gpu, const Hypothesis& other) {
  const Hypothesis found = hypothesis_from_text(gpu.as_recorded);
  ComparisonOptions options;
  Comparison comparison = compare(gpu.set.device, found, other, options);
  if (comparison.proof) return "none: no sequence of probes tells (proved)";
  if (!comparison.distinction) return "none found";
  Distinction& distinction = *comparison.distinction;
  make_smaller(distinction, gpu.set.device, found, other, options.seed, {});
  return fmt::format("{}; {}", size_words(distinction.probe), parting_words(distinction));
}

void print_questions(const Gpu& gpu) {
  fmt::print(
      "\n### {}\n\n| is it | or | the smallest probe that tells; A is what was found |\n"
      "| --- | --- | --- |\n",
      gpu.set.device.name);
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int value = 0; value < axis_size(axis); ++value) {
      const auto other = with(gpu, axis, value);
      if (!other) continue;
      const AxisInfo& info = axis_info(axis);
      const Hypothesis found = hypothesis_from_text(gpu.as_recorded);
      fmt::print("| `{}={}` | `{}` | {} |\n", info.name, axis_value(axis, found.values[axis]).name,
                 axis_value(axis, value).name, answer(gpu, *other));
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace cuvier

int main() {
  using namespace cuvier;
  std::vector<Gpu> gpus;
  for (const char* folder : {"rtx3090", "a100", "rtx2080ti"}) gpus.push_back(read(folder));
  fmt::print(
      "# What real GPUs do\n\n"
      "Generated by `docs/remake recorded-gpus`; edits here are lost.\n\n"
      "What other people's recordings in [corpus](../../corpus/README.md) say of each GPU. One\n"
      "hypothesis explains every recorded fact of its GPU, and it has a name\n"
      "(`cuvier distinguish rtx3090-as-recorded a100-as-recorded --device a100`).\n"
      "[scheduler.md](../reference/scheduler.md) says what the values mean.\n"
      "The [audits](../results/audits.md) say which recording supports what. Two files of\n"
      "measurements of a B200 come without a licence and are not here; `b200-as-recorded` "
      "explains\n"
      "all five facts in them.\n\n");
  print_summary(gpus);
  fmt::print(
      "\n## Axis by axis\n\n"
      "A **settled** value is bold: every hypothesis that explains the recordings has it. Where\n"
      "several values stand, the recordings do not tell them apart. \"not shown\": the recordings\n"
      "say nothing about the axis. \"-\": the axis makes no difference, given the rest. A value "
      "that\n"
      "is a last resort (drift, a learned order) stands only where nothing else is left.\n");
  print_axes(gpus);
  fmt::print(
      "\n## What is open, and what would settle it\n\n"
      "Other values that explain everything as well, with the rest as it was found.\n");
  for (const Gpu& gpu : gpus) print_questions(gpu);
}
