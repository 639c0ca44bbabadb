#include "solver/infer/endings.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "solver/diagnosis/near_miss.h"
#include "solver/finding/mismatches.h"

namespace cuvier {
namespace {

/// Of which space that is said: of nothing beyond it.
std::string among(const Assumptions& assumptions) {
  const auto axes = std::ranges::count_if(
      assumptions.allowed, [](std::uint32_t values) { return !std::has_single_bit(values); });
  return axes == 0 ? "" : fmt::format(" of those within {} {}", axes, axes == 1 ? "axis" : "axes");
}

Finding explained(Finding refuted, const std::function<void(Finding&)>& explain) {
  std::string ended;
  try {
    explain(refuted);
  } catch (const Stopped& cut_short) {
    ended = cut_short.why;
  } catch (const GaveUp& gave_up) {
    ended = gave_up.what();
  } catch (const OracleInterrupted&) {
    ended = "interrupted";
  }
  if (!ended.empty()) refuted.reason += "; why was not looked into to the end: " + ended;
  return refuted;
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

Finding why_refuted(Oracle& oracle, EvidenceLog& evidence, const Assumptions& assumptions,
                    int max_probes, const NarrowingMeans& means) {
  return explained(
      ended_as(Verdict::refuted, "no hypothesis explains what was observed"),
      [&](Finding& refuted) {
        refuted.clash = evidence.clash();
        refuted.begins_anew = evidence.begins_anew();
        if (refuted.begins_anew) {
          refuted.reason +=
              "; but in a session of its own each probe was answered just so, and that can be "
              "explained: the oracle seems to start each probe anew";
          return;
        }
        tell_nearest(refuted, narrow_down(oracle, evidence, assumptions, max_probes, means));
      });
}

std::optional<Finding> refuted_by_set_aside(const EvidenceLog& evidence,
                                            const Assumptions& assumptions, const Task& task) {
  if (evidence.set_aside().empty()) return std::nullopt;
  const RecordingSet all = evidence.all_runs();
  const std::vector<Mismatch> wrong = mismatches(all, evidence.space().simplest());
  if (wrong.empty()) return std::nullopt;
  Finding refuted =
      ended_as(Verdict::refuted, "what explains all else does not explain what had been set aside");
  refuted.clash = {wrong.front().recording};
  return explained(std::move(refuted), [&](Finding& finding) {
    finding.nearest = near_miss({all}, assumptions, task);
  });
}

}  // namespace cuvier
