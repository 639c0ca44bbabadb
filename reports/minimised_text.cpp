#include "reports/minimised_text.h"

#include <fmt/format.h>

#include "reports/words.h"

namespace cuvier {

std::string minimised_text(const Minimised& minimised, const Probe& before) {
  const ProbeSize was = size_of(before);
  const ProbeSize is = size_of(minimised.probe);
  const auto row = [](const char* name, int old_value, int new_value) {
    return std::vector<std::string>{name, count_words(old_value), "->", count_words(new_value)};
  };
  const std::string sizes =
      aligned({row("kernels", was.kernels, is.kernels), row("actions", was.actions, is.actions),
               row("blocks", was.blocks, is.blocks)},
              2);
  if (!minimised.cut_short.empty()) {
    return fmt::format(
        "{}: {}: what is below still tells A from B, but may not be the smallest\n{}",
        minimised.probe.name, minimised.cut_short, sizes);
  }
  return fmt::format(
      "{}: {}\n{}"
      "  no kernel, action or released block can be left out by itself, and no number of blocks,\n"
      "  threads, registers or bytes be lowered by itself\n"
      "  {} tried\n",
      minimised.probe.name, one_minimal_words, sizes, counted(minimised.judged, "probe"));
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
