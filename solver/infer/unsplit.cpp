#include "solver/infer/unsplit.h"

#include <fmt/format.h>

namespace cuvier {

std::string why_unsplit(bool could_be_asked, int in_vain, bool too_many,
                        const std::optional<Classes>& classes, const SplitSynthesis& synthesis) {
  std::string search = could_be_asked ? "search found no probe that splits these"
                                      : "the recordings do not split these";
  if (in_vain > 0) {
    search += fmt::format(" for certain, and {} in a row that might have did not", in_vain);
  }
  if (!classes) {
    return search + (too_many ? "; they are too many to be proved equivalent"
                              : "; some order of the SMs is not known to the end");
  }
  const std::string by_solver =
      synthesis.reason.empty() ? "" : fmt::format("; of {}", synthesis.reason);
  return fmt::format("{}{}; not proved equivalent: {}", search, by_solver, classes->reason);
}

}  // namespace cuvier
