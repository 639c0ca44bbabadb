#include "solver/infer/inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "probes/mapped.h"
#include "solver/cancellation/task.h"
#include "solver/diagnosis/other_maps.h"
#include "solver/evidence/evidence_log.h"
#include "solver/infer/confirmation.h"
#include "solver/infer/endings.h"
#include "solver/infer/searches.h"
#include "solver/proof/equivalence.h"
#include "solver/query_selection/candidates.h"
#include "solver/query_selection/random_distinction.h"

namespace cuvier {
namespace {

using Clock = std::chrono::steady_clock;

/// One inference at work: what has been learnt, and where the time went.
class Inference {
 public:
  Inference(Oracle& oracle, Journal& journal, const Assumptions& assumptions,
            const InferenceOptions& options, const InferenceListener& listener)
      : oracle_(oracle),
        assumptions_(assumptions),
        options_(options),
        listener_(listener),
        evidence_(oracle, journal, assumptions, options.repeat, timekeeper_, said_to(listener.note),
                  said_to(listener.progress), task_, listener.task),
        before_(space().count().remaining),
        rng_(options.seed),
        searches_(oracle, evidence_, timekeeper_, limit_, rng_),
        confirmation_(oracle, evidence_, rng_,
                      {.search = [this](const Search::Draw& draw,
                                        int rounds) { return search(draw, {rounds}); },
                       .is_one_behaviour =
                           [this](const VersionSpace& left) { return is_one_behaviour(left); },
                       .task = limit_}) {}

  Finding run() {
    try {
      evidence_.replay([&](const Runs& runs) { taken(runs, {}, "journal"); });
      next_in_catalogue_ = evidence_.runs();
      Finding finding = describe(loop());
      explaining_ = true;
      if (!finding.voted) finding.maps = other_maps(finding, {evidence_.all_runs()}, task_);
      return finding;
    } catch (const GaveUp& gave_up) {
      return describe(ended_as(Verdict::undecided, gave_up.what()));
    } catch (const OracleInterrupted&) {
      return describe(concluded());
    } catch (const Stopped&) {
      if (explaining_) throw;
      return describe(concluded());
    }
  }

 private:
  const CorrectedSpace& space() const { return evidence_.space(); }
  int probes() const { return evidence_.probes(); }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  static EvidenceLog::Told said_to(const EvidenceLog::Told& whom) {
    if (whom) return whom;
    return [](const std::string&) {};
  }

  Finding loop() {
    while (true) {
      if (space().empty()) return refuted();
      if (!one_ && one_hypothesis()) one_ = one_is_left(assumptions_);
      if (const int most = options_.max_probes; probes() >= most) {
        return cut_short(most == 1 ? "1 probe" : fmt::format("{} probes", most));
      }
      if (const Sessions next = to_be_asked(); !next.empty()) {
        ask(next);
      } else {
        return concluded();
      }
    }
  }

  using Phase = std::optional<Candidate> (Inference::*)();

  /// In their order: each begins when those before it have nothing to ask, and every answer leads
  /// back to the first.
  static constexpr std::array<Phase, 6> phases() {
    return {&Inference::rephrase,   &Inference::search_survivors, &Inference::prove,
            &Inference::begin_anew, &Inference::search_classes,   &Inference::take_chances};
  }

  Sessions to_be_asked() {
    for (const Phase phase : phases()) {
      if (auto candidate = (this->*phase)()) return {{*std::move(candidate)}};
    }
    return confirm();
  }

  /// Several behaviours may be left, and there is time to tell them apart.
  bool to_be_split() const { return !one_ && !unsplit_ && may_go_on(); }
  /// By what is certain. Where a chance was taken in vain, nothing was, and still is not.
  bool to_be_told() const { return to_be_split() && chances_ == kMostChances; }

  /// No phase has anything more to ask.
  Finding concluded() {
    if (interrupted()) return ended_as(Verdict::ambiguous, "interrupted; --resume goes on");
    if (out_of_time()) return cut_short(fmt::format("{} s", options_.time_limit_s));
    if (!one_) return with_confirmed(unsplit());
    if (!confirmation_.unconfirmed().empty()) {
      return ended_as(Verdict::ambiguous, *one_ + "; " + confirmation_.unconfirmed());
    }
    return identified();
  }

  Finding identified() {
    explaining_ = true;
    auto refuted = refuted_by_set_aside(evidence_, assumptions_, task_);
    if (refuted) return *std::move(refuted);
    return with_confirmed(ended_as(Verdict::identified, *one_));
  }

  Finding with_confirmed(Finding finding) {
    if (oracle_.answers_anything()) finding.confirmed = confirmation_.confirmed();
    return finding;
  }

  Finding refuted() {
    explaining_ = true;
    return why_refuted(oracle_, evidence_, assumptions_, options_.max_probes,
                       {said_to(listener_.progress), task_});
  }

  Finding cut_short(const std::string& budget) const {
    return ended_as(Verdict::ambiguous,
                    fmt::format("the budget of {} is spent{}", budget,
                                one_ ? ", and what is left is not confirmed" : ""));
  }

  /// Of a learned order, more than one may be left.
  bool one_hypothesis() {
    if (space().count().remaining != 1 || space().draw(2, rng_).size() != 1) return false;
    const auto all = space().members(1);
    return all && all->size() == 1;
  }

  /// The end where nothing splits what is left, and it was not proved alike.
  Finding unsplit() const {
    return ended_as(classes_ && classes_->gave_up ? Verdict::undecided : Verdict::ambiguous,
                    why_unsplit(oracle_.answers_anything(), kMostChances - chances_,
                                space().count().remaining > kMostCompared, classes_));
  }

  bool interrupted() const { return listener_.task.is_to_end(); }

  bool out_of_time() const {
    return options_.time_limit_s > 0 && seconds() >= options_.time_limit_s;
  }

  bool may_go_on() const { return !limit_.is_to_end(); }

  // -- the phases -------------------------------------------------------------

  std::optional<Candidate> rephrase() { return evidence_.rephrased(); }

  std::optional<Candidate> search_survivors() {
    if (!to_be_told()) return std::nullopt;
    if (!oracle_.answers_anything()) return next_recorded();
    return search([&](int count) { return space().draw(count, rng_); }, {kRoundsAtFirst});
  }

  /// Asks nothing: sorts what is left into classes that are proved alike.
  std::optional<Candidate> prove() {
    if (to_be_told() && alike()) {
      one_ = one_behaviour_is_left(assumptions_, classes_->classes.front().size(),
                                   oracle_.opening() != nullptr);
    }
    return std::nullopt;
  }

  /// What outlives a probe may hide something for as long as the session goes on: local memory,
  /// once it was set up for as much as any kernel needs.
  std::optional<Candidate> begin_anew() {
    if (!to_be_told() || !can_begin_session_ || evidence_.independent() ||
        !oracle_.answers_anything()) {
      return std::nullopt;
    }
    auto candidate = search([&](int count) { return representatives(count); },
                            {.rounds = kRoundsAtFirst, .begins_session = true});
    if (!candidate || !(can_begin_session_ = oracle_.begin_session())) return std::nullopt;
    candidate->why += ", in a new session";
    return candidate;
  }

  /// Searches longer.
  std::optional<Candidate> search_classes() {
    if (!to_be_told() || !oracle_.answers_anything()) return std::nullopt;
    auto candidate = search([&](int count) { return representatives(count); },
                            {.rounds = kRoundsAtLast, .placements = kPlacementsOfAll});
    if (candidate) return candidate;
    return searches_.between_two(representatives(kMostClasses),
                                 {.rounds = kRoundsOfPairs, .placements = kPlacementsOfPairs});
  }

  /// Where what is left leaves open what happens: an answer may tell, and prunes as any other.
  std::optional<Candidate> take_chances() {
    if (!to_be_split() || !oracle_.answers_anything() || chances_ == 0) return std::nullopt;
    const std::vector<Hypothesis> left = representatives(kMostClasses);
    if (std::ranges::none_of(left, leaves_open)) return std::nullopt;
    auto candidate =
        search([&](int) { return left; }, {.rounds = kRoundsAtFirst, .by_chance = true});
    if (!candidate) return std::nullopt;
    --chances_;
    candidate->why += ", by chance";
    return candidate;
  }

  /// What nothing splits is confirmed, too, though it was not proved alike: all of it may be wrong.
  /// A recording cannot be asked again: it is read to its end.
  Sessions confirm() {
    if (!may_go_on()) return {};
    unsplit_ = !one_;
    if (oracle_.answers_anything()) return confirmation_.next(options_.max_probes - probes());
    auto candidate = next_recorded();
    return candidate ? Sessions{{*std::move(candidate)}} : Sessions{};
  }

  /// Whether what is left was proved to behave alike.
  bool alike() {
    classes_.reset();
    const auto members = space().members(kMostCompared);
    if (!members) return false;
    task_.doing("proving that {} hypotheses are one behaviour", members->size());
    classes_ = classes_of(*members);
    return classes_->classes.size() == 1 && classes_->complete;
  }

  /// One member of each class that was not proved like another: every difference found counts.
  /// Where these are not all, a draw: what is told apart may be among the others.
  std::vector<Hypothesis> representatives(int count) {
    if (!classes_ || !classes_->complete) return space().draw(count, rng_);
    return mapped(classes_->classes, [](const auto& members) { return members.front(); });
  }

  std::optional<Candidate> search(const Search::Draw& draw, const SearchFor& what) {
    return searches_.among(draw, what, !one_ && !evidence_.independent());
  }

  /// A recording cannot be asked what it does not hold: all of it, in its order.
  std::optional<Candidate> next_recorded() {
    if (next_in_catalogue_ >= catalogue_.size()) return std::nullopt;
    return Candidate{catalogue_[next_in_catalogue_++], "recorded", 0, 0, 0};
  }

  bool is_one_behaviour(const VersionSpace& left) {
    const auto members = left.members(kMostCompared);
    return members && classes_of(*members).classes.size() <= 1;
  }

  Classes classes_of(const std::vector<Hypothesis>& members) {
    const Timekeeper::Doing proving(timekeeper_, &Spent::proving);
    SmtLimits limits = options_.limits;
    limits.task = limit_;
    return classify(oracle_, members, limits);
  }

  /// Where something new is told, what was asked with it confirms nothing.
  void ask(const Sessions& sessions) {
    const double left = before_;
    evidence_.ask(sessions, [this](const Runs& runs, const Candidate& candidate) {
      taken(runs, candidate, candidate.why);
    });
    if (before_ != left) confirmation_.begin_again(false);
  }

  /// A probe was asked, and the space pruned by it.
  void taken(const Runs& runs, const Candidate& candidate, const std::string& why) {
    const double left = space().count().remaining;
    const double gained_bits = std::log2(left > 0 ? before_ / left : before_);
    most_bits_ = std::max(most_bits_, gained_bits);
    if (gained_bits > 0) telling_ = probes();
    const bool revised = std::exchange(revisions_, evidence_.revisions()) != revisions_;
    if (revised || left != before_) {
      confirmation_.begin_again(revised);
      classes_.reset();
      one_.reset();
      unsplit_ = false;
      chances_ = kMostChances;
    } else {
      confirmation_.confirmed_by(evidence_.asked().size() - 1, one_.has_value());
    }
    before_ = left;
    if (!listener_.step) return;
    InferenceStep step;
    step.number = probes();
    step.probe = &runs.probe();
    step.why = why;
    step.expected_bits = candidate.bits;
    step.count = space().count();
    step.gained_bits = gained_bits;
    step.committee = candidate.committee;
    step.outcomes = candidate.outcomes;
    step.runs = runs.count();
    step.differing = evidence_.independent() ? runs.differing() : 0;
    step.surviving = space().surviving();
    step.confirms = one_ || unsplit_;
    step.seconds = seconds();
    listener_.step(step);
  }

  Finding describe(Finding finding) const {
    finding.device = oracle_.device();
    finding.assumed = assumptions_;
    finding.channels = oracle_.channels();
    finding.voted = evidence_.independent();
    finding.oracle = oracle_.description();
    finding.counted = {finding.oracle, finding.device, space().counted()};
    finding.count = space().count();
    finding.surviving = space().surviving();
    finding.open = space().open();
    if (!space().empty() && finding.verdict != Verdict::refuted) {
      finding.mechanism = space().simplest();
    }
    if (classes_) {
      if (!classes_->gave_up) finding.proof = classes_->proof;
      finding.behaviours = static_cast<int>(classes_->classes.size());
    }
    finding.probes = probes() - evidence_.asked_alone();
    finding.telling = std::min(telling_, finding.probes);
    finding.runs = evidence_.runs() - evidence_.asked_alone();
    finding.discarded = evidence_.discarded();
    finding.most_bits = most_bits_;
    finding.seconds = seconds();
    finding.spent = timekeeper_.spent();
    finding.seed = options_.seed;
    return finding;
  }

  // Rounds of the search in which nothing must be found: before it is tried to prove that there
  // is nothing to be found, and where that cannot be proved.
  static constexpr int kRoundsAtFirst = 8;
  static constexpr int kRoundsAtLast = 60;
  static constexpr int kRoundsOfPairs = 1'000;

  static constexpr std::int64_t kPlacementsOfAll = 5'000'000;
  static constexpr std::int64_t kPlacementsOfPairs = 20'000'000;

  static constexpr int kMostChances = 8;  ///< taken in vain

  Oracle& oracle_;
  const Assumptions& assumptions_;
  const InferenceOptions& options_;
  const InferenceListener& listener_;
  /// Ends with the time allowed: whoever may return with less is told to.
  const Task limit_{[this](const Doing& doing) -> std::string {
    const bool confirms = (one_ || unsplit_) && !explaining_ && oracle_.answers_anything();
    if (!listener_.task.tell(confirms ? confirmation_.within(doing) : doing)) return "interrupted";
    return out_of_time() ? "the time allowed is spent" : "";
  }};
  /// Ends there, too, but only once it is explained why nothing is left: that ends wherever it is.
  const Task task_{[this](const Doing& doing) -> std::string {
    return limit_.tell(doing) || !explaining_ ? "" : limit_.why();
  }};
  Timekeeper timekeeper_;
  EvidenceLog evidence_;
  double before_;  ///< hypotheses left before the latest probe
  Rng rng_;
  Searches searches_;
  Confirmation confirmation_;
  int revisions_ = 0;               ///< of the evidence, as far as they are known here
  double most_bits_ = 0;            ///< that a probe told
  int telling_ = 0;                 ///< probes up to the last that told anything
  std::optional<std::string> one_;  ///< why what is left is one behaviour
  bool unsplit_ = false;            ///< nothing more splits what is left, though it is not one
  std::optional<Classes> classes_;  ///< of what is left, where that was asked
  int chances_ = kMostChances;      ///< still taken
  const std::vector<Probe> catalogue_ = oracle_.catalogue();
  std::size_t next_in_catalogue_ = 0;
  bool can_begin_session_ = true;  ///< as far as that was tried
  bool explaining_ = false;        ///< why it is refuted
  Clock::time_point start_ = Clock::now();
};

}  // namespace

Finding infer(Oracle& oracle, Journal& journal, const Assumptions& assumptions,
              const InferenceOptions& options, const InferenceListener& listener) {
  return Inference(oracle, journal, assumptions, options, listener).run();
}

}  // namespace cuvier
