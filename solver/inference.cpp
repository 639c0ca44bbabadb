#include "solver/inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "probes/error.h"
#include "solver/proof/equivalence.h"
#include "solver/search/candidates.h"
#include "solver/search/split_synthesis.h"
#include "solver/space/paths.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

using Clock = std::chrono::steady_clock;

/// One inference at work: what has been learnt, and where the time went.
class Inference {
 public:
  Inference(Oracle& oracle, Journal& journal, const Assumptions& assumptions,
            const InferenceOptions& options, const InferenceListener& listener)
      : oracle_(oracle),
        journal_(journal),
        options_(options),
        listener_(listener),
        space_(oracle.device(), assumptions),
        rng_(options.seed),
        session_(oracle.session()) {}

  Finding run() {
    try {
      replay();
      return describe(loop());
    } catch (const GaveUp& gave_up) {
      return describe(ended_as(Verdict::undecided, gave_up.what()));
    }
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void doing(const std::string& what) const {
    if (listener_.doing) listener_.doing(what);
  }
  void note(const std::string& what) const {
    if (listener_.note) listener_.note(what);
  }

  /// What an earlier run recorded counts as asked.
  void replay() {
    next_in_catalogue_ = journal_.recorded().recordings.size();
    for (const Recording& recording : journal_.recorded().recordings) {
      if (space_.empty()) return;
      doing(fmt::format("reading the journal: {}", recording.name()));
      // Runs of one probe follow each other under its name.
      if (history_.empty() || history_.back().name() != recording.name()) ++probes_;
      observe(recording, {}, "journal");
    }
  }

  static Finding ended_as(Verdict verdict, std::string reason) {
    Finding finding;
    finding.verdict = verdict;
    finding.reason = std::move(reason);
    return finding;
  }

  Finding loop() {
    while (true) {
      if (auto end = ended()) return *end;
      if (probes_ >= options_.max_probes) {
        return ended_as(Verdict::ambiguous,
                        fmt::format("the {} probes allowed are spent", options_.max_probes));
      }
      std::optional<Candidate> candidate = next_candidate();
      if (!candidate && may_go_on()) {
        if (alike()) {
          const auto left = classes_->classes.front().size();
          return ended_as(Verdict::identified,
                          left == 1 ? "one behaviour is left"
                                    : fmt::format("one behaviour is left: {} hypotheses, proved "
                                                  "equivalent",
                                                  left));
        }
        candidate = split_classes();
        if (!candidate && may_go_on()) candidate = synthesised();
      }
      if (candidate) {
        ask(*candidate);
        continue;
      }
      if (interrupted()) {
        return ended_as(Verdict::ambiguous, "interrupted; --resume goes on");
      }
      if (out_of_time()) {
        return ended_as(Verdict::ambiguous,
                        fmt::format("the {} s allowed are spent", options_.time_limit_s));
      }
      return unsplit();
    }
  }

  /// Whether what is left was proved to behave alike.
  bool alike() {
    classes_.reset();
    const auto members = space_.members(kMostCompared);
    if (!members) return false;
    doing(fmt::format("proving that {} hypotheses are one behaviour", members->size()));
    classes_ =
        classify(oracle_.device(), *members, oracle_.channels(), options_.limits, kMostClasses);
    return classes_->classes.size() == 1 && classes_->complete;
  }

  /// The end where nothing splits what is left, and it was not proved alike.
  Finding unsplit() const {
    const std::string search = oracle_.answers_anything()
                                   ? "search found no probe that splits these"
                                   : "the recordings do not split these";
    if (!classes_) {
      return ended_as(Verdict::ambiguous,
                      search + (space_.count().remaining > kMostCompared
                                    ? "; they are too many to be proved equivalent"
                                    : "; some order of the SMs is not known to the end"));
    }
    const bool gave_up = classes_->gave_up || synthesis_.gave_up;
    const std::string by_solver =
        synthesis_.reason.empty() ? "" : fmt::format("; of {}", synthesis_.reason);
    return ended_as(
        gave_up ? Verdict::undecided : Verdict::ambiguous,
        fmt::format("{}{}; not proved equivalent: {}", search, by_solver, classes_->reason));
  }

  std::optional<Finding> ended() {
    if (space_.empty()) {
      Finding refuted = ended_as(Verdict::refuted, "no hypothesis explains what was observed");
      refuted.clash = {last_asked_};
      return refuted;
    }
    // Of a learned order, more than one may be left.
    if (space_.count().remaining == 1 && space_.draw(2, rng_).size() == 1) {
      return ended_as(Verdict::identified, "one hypothesis is left");
    }
    return std::nullopt;
  }

  bool interrupted() const { return listener_.interrupted && listener_.interrupted(); }

  bool out_of_time() const {
    return options_.time_limit_s > 0 && seconds() >= options_.time_limit_s;
  }

  bool may_go_on() const { return !out_of_time() && !interrupted(); }

  std::optional<Candidate> next_candidate() {
    if (!may_go_on()) return std::nullopt;
    if (!oracle_.answers_anything()) return next_recorded();
    return search([&](int count) { return space_.draw(count, rng_); }, kRoundsAtFirst);
  }

  /// Searches longer, with one member of each class that was not proved like another: every
  /// difference found counts.
  std::optional<Candidate> split_classes() {
    if (!oracle_.answers_anything()) return std::nullopt;
    return search(
        [&](int count) {
          if (!classes_) return space_.draw(count, rng_);
          std::vector<Hypothesis> representatives;
          for (const auto& members : classes_->classes) {
            representatives.push_back(members.front());
          }
          return representatives;
        },
        kRoundsAtLast);
  }

  /// What a solver finds to split the classes, where search found nothing.
  std::optional<Candidate> synthesised() {
    if (!oracle_.answers_anything() || !classes_) return std::nullopt;
    doing("synthesising a probe that splits what is left");
    synthesis_ = synthesise_split(oracle_.device(), *classes_, history_, oracle_.channels(),
                                  refused_, [&] { return !may_go_on(); });
    return synthesis_.candidate;
  }

  std::optional<Candidate> search(const Search::Draw& draw, int rounds) {
    Search search(oracle_.device(), draw, history_, oracle_.channels(), rng_);
    search.on_progress = [&](const std::string& what) { doing(what); };
    search.give_up_if = [&] { return !may_go_on(); };
    return search.best(refused_, rounds);
  }

  /// A recording cannot be asked what it does not hold: all of it, in its order.
  std::optional<Candidate> next_recorded() {
    const std::vector<Probe> catalogue = oracle_.catalogue();
    if (next_in_catalogue_ >= catalogue.size()) return std::nullopt;
    return Candidate{catalogue[next_in_catalogue_++], "recorded", 0, 0, 0};
  }

  void ask(const Candidate& candidate) {
    const std::string name = fmt::format("p{}", probes_ + 1);
    Probe probe = candidate.probe;
    if (oracle_.answers_anything()) probe.name = name;
    last_asked_ = probe.name;
    classes_.reset();
    doing(fmt::format("asking {} ({})", probe.name, candidate.why));
    std::vector<Answer> answers;
    try {
      answers = oracle_.run(probe, options_.repeat);
    } catch (const OracleRefusal& refusal) {
      note(fmt::format("{}: the oracle refused it ({}): {}", probe.name, refusal.code(),
                       refusal.what()));
      refused_.push_back(candidate.probe);
      if (refused_.size() > kMostRefusals && oracle_.answers_anything()) {
        throw Error(fmt::format("{}: refused {} probes; the last: {}", oracle_.description(),
                                refused_.size(), refusal.what()),
                    Error::Kind::oracle);
      }
      return;
    }
    if (oracle_.session() != session_) {
      session_ = oracle_.session();
      fresh_ = true;
      if (oracle_.answers_anything()) {
        note(fmt::format("{}: began a new session", oracle_.description()));
      }
    }
    std::vector<Recording> recordings;
    for (Answer& answer : answers) {
      recordings.push_back({probe, std::move(answer.facts), fresh_, journal_.path()});
      fresh_ = false;
      nlohmann::ordered_json extra{{"why", candidate.why}, {"bits", candidate.bits}};
      if (answer.observation) extra["observation"] = to_json(*answer.observation, probe);
      journal_.append(recordings.back(), extra);
    }
    ++probes_;
    for (const Recording& recording : recordings) {
      observe(recording, candidate, candidate.why);
      if (space_.empty()) return;
    }
  }

  void observe(const Recording& recording, const Candidate& candidate, const std::string& why) {
    const double before = space_.count().remaining;
    history_.push_back(recording);
    last_asked_ = recording.name();
    doing(fmt::format("pruning by {}", recording.name()));
    space_.observe(recording);
    const double left = space_.count().remaining;
    const double gained_bits = std::log2(left > 0 ? before / left : before);
    most_bits_ = std::max(most_bits_, gained_bits);
    if (!listener_.step) return;
    InferenceStep step;
    step.number = probes_;
    step.probe = &recording.probe;
    step.why = why;
    step.expected_bits = candidate.bits;
    step.count = space_.count();
    step.gained_bits = gained_bits;
    step.committee = candidate.committee;
    step.outcomes = candidate.outcomes;
    step.surviving = space_.surviving();
    step.seconds = seconds();
    listener_.step(step);
  }

  Finding describe(Finding finding) const {
    finding.device = oracle_.device();
    finding.oracle = oracle_.description();
    finding.count = space_.count();
    finding.surviving = space_.surviving();
    finding.open = space_.open();
    if (!space_.empty()) finding.mechanism = space_.simplest();
    if (classes_) {
      finding.proof = classes_->proof;
      finding.behaviours = static_cast<int>(classes_->classes.size());
    }
    finding.probes = probes_;
    finding.most_bits = most_bits_;
    finding.seconds = seconds();
    finding.seed = options_.seed;
    return finding;
  }

  static constexpr std::size_t kMostRefusals = 50;

  // Rounds of the search in which nothing must be found: before it is tried to prove that there
  // is nothing to be found, and where that cannot be proved.
  static constexpr int kRoundsAtFirst = 8;
  static constexpr int kRoundsAtLast = 60;

  // Hypotheses among which, and classes into which, equivalence is proved.
  static constexpr int kMostCompared = 200'000;
  static constexpr int kMostClasses = 12;

  Oracle& oracle_;
  Journal& journal_;
  const InferenceOptions& options_;
  const InferenceListener& listener_;
  VersionSpace space_;
  Rng rng_;
  int session_;
  bool fresh_ = true;     ///< the next probe is the first of its session
  int probes_ = 0;        ///< asked, however often each ran
  double most_bits_ = 0;  ///< that a probe told
  std::string last_asked_;
  std::vector<Recording> history_;
  std::vector<Probe> refused_;
  std::optional<Classes> classes_;  ///< of what is left, where that was asked
  SplitSynthesis synthesis_;        ///< the last one
  std::size_t next_in_catalogue_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

Finding infer(Oracle& oracle, Journal& journal, const Assumptions& assumptions,
              const InferenceOptions& options, const InferenceListener& listener) {
  return Inference(oracle, journal, assumptions, options, listener).run();
}

}  // namespace cuvier
