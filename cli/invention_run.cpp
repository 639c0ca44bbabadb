#include "cli/invention_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "probes/error.h"
#include "probes/json_fields.h"
#include "reports/document/report_file.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"
#include "reports/inference/invention_report.h"
#include "solver/check/validation.h"
#include "solver/invention/proposals.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostRounds = 8;
constexpr int kToObserve = 100;    ///< random sequences, before anything is proposed
constexpr int kToConfirm = 1'000;  ///< likewise, once one behaviour is left

/// One invention at work.
class Inventor {
 public:
  Inventor(Oracle& oracle, InferenceRun run, Terminal& terminal)
      : oracle_(oracle), run_(std::move(run)), terminal_(terminal) {}

  Finding run() {
    do {
      told_.finding = run_inference(oracle_, run_, terminal_);
      told_.confirmed_by = told_.contradicted_by = 0;  // which was of another mechanism
      run_.resume = true;
    } while (goes_on(told_.finding));
    if (!told_.rounds.empty()) tell();
    return told_.finding;
  }

 private:
  /// Whether there is something to go on with.
  bool goes_on(const Finding& finding) {
    try {
      terminal_.task().still();
      if (!oracle_begins()) return false;
      if (finding.verdict == Verdict::identified) return identified(*finding.mechanism);
      return finding.verdict == Verdict::refuted && finding.nearest &&
             refuted(finding.nearest->hypothesis);
    } catch (const Stopped& cut_short) {
      terminal_.print(fmt::format("\nends here: {}\n", cut_short.why));
      return false;
    }
  }

  bool identified(const Hypothesis& mechanism) {
    const int order = index_of<TieBreak>();
    if (mechanism.get<TieBreak>() == TieBreak::learned && !std::exchange(ordered_, true)) {
      terminal_.print("\nthe order of the SMs was learned; a rule for it would say more\n");
      Hypothesis without = mechanism;
      without.values[order] = 0;
      without.order.clear();
      ProposalLimits limits;
      limits.only = order;
      if (invent({without}, limits)) {
        run_.assumptions.allowed[order] &= ~last_resorts(order);
        return true;
      }
    }
    return invented_ && oracle_.answers_anything() && ask_at_random(mechanism, kToConfirm);
  }

  bool refuted(const Hypothesis& nearest) {
    if (told_.rounds.size() == kMostRounds) return false;
    if (oracle_.answers_anything()) {
      ask_at_random(nearest, kToObserve);
    } else {
      read_the_rest();
    }
    std::vector<Hypothesis> mechanisms{nearest};
    const Hypothesis simplest = VersionSpace(oracle_.device(), run_.assumptions).simplest();
    if (simplest != nearest) mechanisms.push_back(simplest);
    return invent(mechanisms, {});
  }

  bool oracle_begins() {
    if (!oracle_.answers_anything() || oracle_.begin_session()) return true;
    terminal_.print("the oracle cannot begin a session, so that nothing is invented\n");
    return false;
  }

  /// Random sequences, in a folder of their own: whether any contradicts the mechanism. Where one
  /// does, or nothing explained what was there anyway, they are answers as all others are.
  bool ask_at_random(const Hypothesis& mechanism, int sequences) {
    const bool confirms = sequences == kToConfirm;
    terminal_.print(fmt::format(
        "\nasking {} random sequences: {}\n", sequences,
        confirms ? "they may contradict what is left" : "more of what nothing explains"));
    int number = 1;  // the first that no earlier run has used
    while (std::filesystem::exists(random_folder(number))) ++number;
    Journal apart(random_folder(number), oracle_.device(), oracle_.description());
    ValidationOptions options;
    options.sequences = sequences;
    options.seed = run_.options.seed + number;
    options.task = terminal_.task();
    const Validation validation = validate_model(oracle_, apart, mechanism, options);
    const bool contradicted = !validation.contradictions.empty();
    terminal_.print(fmt::format("{} of {} contradict {}\n", validation.contradictions.size(),
                                validation.asked(), describe(mechanism)));
    if (!oracle_.begin_session()) throw Error("the oracle began sessions, and cannot any more");
    if (confirms) {
      told_.confirmed_by = validation.asked();
      told_.contradicted_by = static_cast<int>(validation.contradictions.size());
    }
    if (confirms && !contradicted) return false;
    Journal journal(run_.folder, oracle_.device(), oracle_.description());
    for (Recording recording : read_recordings(apart.path()).recordings) {
      recording.probe.name = fmt::format("r{}-{}", number, recording.probe.name);
      journal.append(recording);
    }
    run_.options.max_probes += validation.asked();
    return contradicted;
  }

  /// What else was recorded: a rule is to explain all of it.
  void read_the_rest() {
    Journal journal(run_.folder, oracle_.device(), oracle_.description());
    const std::vector<Probe> catalogue = oracle_.catalogue();
    for (auto next = journal.recorded().recordings.size(); next < catalogue.size(); ++next) {
      const int session = oracle_.session();
      try {
        Answer answer = std::move(oracle_.run(catalogue[next], 1).front());
        journal.append(catalogue[next], std::move(answer), oracle_.session() != session,
                       oracle_.opening(), {{"why", "recorded"}});
      } catch (const OracleRefusal&) {  // an earlier process was told how its session began
      }
    }
  }

  std::string random_folder(int number) const {
    return (std::filesystem::path(run_.folder) / fmt::format("random-{}", number)).string();
  }

  /// Whether formulas were found, which are assumed from here on.
  bool invent(const std::vector<Hypothesis>& mechanisms, const ProposalLimits& limits) {
    const Proposals proposals = propose(oracle_.device(), sessions_of({recorded()}), mechanisms,
                                        run_.assumptions, limits, terminal_.task());
    told_.rounds.push_back({mechanisms.front(), proposals});
    Page page;
    page.sections.push_back(round_section(told_.rounds.back()));
    terminal_.print(shown(page));
    for (const Proposal& proposal : proposals.found) {
      allow(proposal.axis, formula_value(proposal.axis, proposal.formula));
      for (int axis = 0; axis < kAxes; ++axis) allow(axis, proposal.hypothesis.values[axis]);
    }
    invented_ |= !proposals.found.empty();
    return !proposals.found.empty();
  }

  /// What was invented.
  void allow(int axis, int value) {
    run_.assumptions.allowed[axis] |= (std::uint32_t{1} << value) & formula_values(axis);
  }

  /// What was done, beside what an inference leaves.
  void tell() {
    told_.recordings = recorded();
    const Page page = invention_page(told_);
    const std::string path = (std::filesystem::path(run_.folder) / "invention").string();
    write_file(path + ".json",
               report_file("invention", invention_json(told_), page).dump(1) + '\n');
    write_page(path + ".html", page);
    terminal_.print(fmt::format("invention: {}.html\n", path));
  }

  RecordingSet recorded() const {
    return read_recordings(Journal(run_.folder, oracle_.device(), oracle_.description()).path());
  }

  Oracle& oracle_;
  InferenceRun run_;
  Terminal& terminal_;
  Invention told_;
  bool ordered_ = false;   ///< a rule for a learned order was looked for
  bool invented_ = false;  ///< any formula
};

}  // namespace

Finding run_invention(Oracle& oracle, const InferenceRun& run, Terminal& terminal) {
  return Inventor(oracle, run, terminal).run();
}

}  // namespace cuvier
