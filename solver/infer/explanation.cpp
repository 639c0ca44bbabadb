#include "solver/infer/explanation.h"

#include <utility>

#include "solver/cancellation/task.h"
#include "solver/diagnosis/near_miss.h"
#include "solver/finding/mismatches.h"

namespace cuvier {
namespace {

Finding explained(Finding refuted, const std::function<void(Finding&)>& explain) {
  std::string ended;
  try {
    explain(refuted);
  } catch (const Stopped& cut_short) {
    ended = cut_short.why;
  } catch (const OracleInterrupted&) {
    ended = "interrupted";
  }
  if (!ended.empty()) refuted.reason += "; why was not looked into to the end: " + ended;
  return refuted;
}

}  // namespace

Finding why_refuted(Oracle& oracle, EvidenceLog& evidence, const Assumptions& assumptions,
                    int max_probes, Rng& rng, const NarrowingMeans& means) {
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
        refuted.nearest = narrow_down(oracle, evidence, assumptions, max_probes, rng, means);
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
