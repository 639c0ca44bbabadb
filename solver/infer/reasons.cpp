#include "solver/infer/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace cuvier {
namespace {

/// Of which space that is said: of nothing beyond it.
std::string among(const Assumptions& assumptions) {
  const auto axes = std::ranges::count_if(
      assumptions.allowed, [](std::uint32_t values) { return !std::has_single_bit(values); });
  return axes == 0 ? "" : fmt::format(" of those within {} {}", axes, axes == 1 ? "axis" : "axes");
}

}  // namespace

std::string one_is_left(const Assumptions& assumptions) {
  return "one hypothesis is left" + among(assumptions);
}

std::string one_behaviour_is_left(const Assumptions& assumptions, std::size_t hypotheses,
                                  bool in_such_sessions) {
  std::string text = "one behaviour is left" + among(assumptions);
  if (hypotheses == 1) return text;
  return text + fmt::format(": {} hypotheses, proved equivalent{}", hypotheses,
                            in_such_sessions ? " in sessions that open so" : "");
}

std::string why_unsplit(bool could_be_asked, int in_vain, bool too_many,
                        const std::optional<Classes>& classes) {
  std::string search = could_be_asked ? "search found no probe that splits these"
                                      : "the recordings do not split these";
  if (in_vain > 0) {
    search += fmt::format(" for certain, and {} in a row that might have did not", in_vain);
  }
  if (!classes) {
    return search + (too_many ? "; they are too many to be proved equivalent"
                              : "; some order of the SMs is not known to the end");
  }
  return fmt::format("{}; not proved equivalent: {}", search, classes->reason);
}

}  // namespace cuvier
