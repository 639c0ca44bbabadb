#include "reports/minimised_text.h"

#include <fmt/format.h>

#include <array>

#include "reports/words.h"

namespace cuvier {
namespace {

using Row = std::vector<std::string>;

std::string least_words(const Measure& measure) {
  return fmt::format("{}: {}", measure.least ? "proved least" : "smallest found", measure.why);
}

}  // namespace

std::string minimality_words(const Minimality& least) {
  std::string proved;
  std::string rest;
  for (const auto& [name, is_proved] : {std::pair{"kernels", least.kernels.least},
                                        {"actions", least.actions.least},
                                        {"blocks", least.blocks.least},
                                        {"resources", least.resources.least}}) {
    std::string& names = is_proved ? proved : rest;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  if (proved.empty()) return rest + ": smallest found";
  proved += ": proved least";
  return rest.empty() ? proved : proved + "; " + rest + ": smallest found";
}

std::string minimality_text(const Minimality& least) {
  return aligned({{"kernels", least_words(least.kernels)},
                  {"actions", least_words(least.actions)},
                  {"blocks", least_words(least.blocks)},
                  {"resources", least_words(least.resources)}},
                 2);
}

std::string minimised_text(const Minimised& minimised, const Probe& before) {
  const ProbeSize was = size_of(before);
  const ProbeSize is = size_of(minimised.probe);
  const Minimality& least = minimised.least;
  const auto row = [](const char* name, int old_value, int new_value, const Measure& measure) {
    return Row{name, count_words(old_value), "->", count_words(new_value), least_words(measure)};
  };
  if (!minimised.cut_short.empty()) {
    return fmt::format(
        "{}: {}: what is below still tells A from B, but may not be the smallest\n{}",
        minimised.probe.name, minimised.cut_short,
        aligned({{"kernels", count_words(was.kernels), "->", count_words(is.kernels)},
                 {"actions", count_words(was.actions), "->", count_words(is.actions)},
                 {"blocks", count_words(was.blocks), "->", count_words(is.blocks)}},
                2));
  }
  std::string text = minimised.probe.name + ": " + minimality_words(least) + '\n';
  text += aligned({row("kernels", was.kernels, is.kernels, least.kernels),
                   row("actions", was.actions, is.actions, least.actions),
                   row("blocks", was.blocks, is.blocks, least.blocks),
                   {"resources", "", "", "", least_words(least.resources)}},
                  2);
  text +=
      "  smallest found: no kernel, action or released block can be left out by itself, and no\n"
      "  number of blocks, threads, registers or bytes be lowered by itself\n";
  return text + fmt::format("  {} tried\n", counted(minimised.judged, "probe"));
}

std::string refutation_text(const Refutation& refutation) {
  const Mismatch& wrong = refutation.mismatch;
  const auto context = refutation.set.recordings.size() - 1;
  std::string text =
      fmt::format("refuted by 1 of {}: {}\n", counted(refutation.facts_before, "fact"),
                  refutation.cut_short.empty()
                      ? "proved least"
                      : refutation.cut_short + ": recordings after these may do with less");
  text += fmt::format("  {} ({}), ", wrong.recording, wrong.where);
  if (wrong.fact.step >= 0) text += fmt::format("step {}, ", wrong.fact.step);
  text += fmt::format("{}\n      seen:      {}\n      predicted: {}\n", wrong.kernel, wrong.seen,
                      wrong.predicted);
  if (context > 0) {
    text += fmt::format("  and by what ran before it in its session: {}\n",
                        counted(static_cast<double>(context), "recording"));
  }
  return text + fmt::format("  the hypothesis gets {} wrong in {}\n",
                            counted(refutation.facts_wrong, "fact"),
                            counted(refutation.recordings_before, "recording"));
}

}  // namespace cuvier
