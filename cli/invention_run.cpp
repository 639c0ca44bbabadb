#include "cli/invention_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/error.h"
#include "reports/document/words.h"
#include "solver/check/validation.h"
#include "solver/invention/proposals.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

constexpr int kMostRounds = 8;
constexpr int kToObserve = 100;    ///< random sequences, before anything is proposed
constexpr int kToConfirm = 1'000;  ///< likewise, once one behaviour is left

/// One invention at work.
class Invention {
 public:
  Invention(Oracle& oracle, InferenceRun run, Terminal& terminal)
      : oracle_(oracle), run_(std::move(run)), terminal_(terminal) {}

  Finding run() {
    while (true) {
      Finding finding = run_inference(oracle_, run_, terminal_);
      run_.resume = true;
      if (!goes_on(finding) || ++rounds_ > kMostRounds || !oracle_begins()) return finding;
      if (finding.verdict == Verdict::identified) {
        if (ask_at_random(*finding.mechanism, kToConfirm) == 0) return finding;
        continue;  // which is refuted by that
      }
      if (oracle_.answers_anything()) ask_at_random(finding.nearest->hypothesis, kToObserve);
      if (!invent(finding.nearest->hypothesis)) return finding;
    }
  }

 private:
  /// Whether something is to be done about that.
  bool goes_on(const Finding& finding) const {
    if (terminal_.task().is_to_end()) return false;
    if (finding.verdict == Verdict::identified) return rounds_ > 0 && oracle_.answers_anything();
    return finding.verdict == Verdict::refuted && finding.nearest;
  }

  bool oracle_begins() {
    if (!oracle_.answers_anything() || oracle_.begin_session()) return true;
    terminal_.print("the oracle cannot begin a session, so that nothing is invented\n");
    return false;
  }

  /// How many sequences contradict the mechanism.
  int ask_at_random(const Hypothesis& mechanism, int sequences) {
    terminal_.print(fmt::format(
        "\nasking {} random sequences: {}\n", sequences,
        sequences == kToConfirm ? "whether they contradict it" : "what nothing explained so far"));
    Journal journal(run_.folder, oracle_.device(), oracle_.description());
    ValidationOptions options;
    options.sequences = sequences;
    options.seed = run_.options.seed + rounds_;
    options.task = terminal_.task();
    const Validation validation = validate_model(oracle_, journal, mechanism, options);
    const int wrong = static_cast<int>(validation.contradictions.size());
    terminal_.print(
        fmt::format("{} of {} contradict {}\n", wrong, validation.asked(), describe(mechanism)));
    run_.options.max_probes += validation.asked();
    if (!oracle_.begin_session()) throw Error("the oracle began sessions, and cannot any more");
    return wrong;
  }

  /// Whether formulas were found, which are assumed from here on.
  bool invent(const Hypothesis& nearest) {
    const RecordingSet recorded =
        read_recordings(Journal(run_.folder, oracle_.device(), oracle_.description()).path());
    const std::vector<Session> sessions = sessions_of({recorded});
    std::vector<Hypothesis> mechanisms{nearest};
    const Hypothesis simplest = VersionSpace(oracle_.device(), run_.assumptions).simplest();
    if (simplest != nearest) mechanisms.push_back(simplest);
    const Proposals proposals =
        propose(oracle_.device(), sessions, mechanisms, run_.assumptions, {}, terminal_.task());
    tell(proposals);
    for (const Proposal& proposal : proposals.found) {
      const int value = formula_value(proposal.axis, proposal.formula);
      run_.assumptions.allowed[proposal.axis] |= std::uint32_t{1} << value;
    }
    return !proposals.found.empty();
  }

  void tell(const Proposals& proposals) const {
    terminal_.print(fmt::format("tried {} on {}\n", counted(proposals.formulas, "formula"),
                                counted(proposals.sessions, "session")));
    for (const Proposal& proposal : proposals.found) {
      terminal_.print(fmt::format("  {}={} explains all of them; it decides {} there\n",
                                  axis_info(proposal.axis).name, proposal.formula,
                                  counted(proposal.decisions, "different case")));
    }
    if (!proposals.found.empty()) return;
    for (const auto& [axis, size] : proposals.tried) {
      terminal_.print(fmt::format("  no formula of {} up to size {} explains all of them\n",
                                  axis_info(axis).name, size));
    }
    if (const auto& best = proposals.best) {
      terminal_.print(fmt::format("  {}={} explains {} of them\n", axis_info(best->axis).name,
                                  best->formula, best->explained));
    }
  }

  Oracle& oracle_;
  InferenceRun run_;
  Terminal& terminal_;
  int rounds_ = 0;
};

}  // namespace

Finding run_invention(Oracle& oracle, InferenceRun run, Terminal& terminal) {
  return Invention(oracle, std::move(run), terminal).run();
}

}  // namespace cuvier
