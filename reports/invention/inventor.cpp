#include "reports/invention/inventor.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <ranges>
#include <set>

#include "probes/json_fields.h"
#include "reports/document/json_text.h"
#include "reports/document/report_file.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"
#include "reports/invention/invention_questions.h"
#include "reports/invention/invention_report.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/leeway.h"
#include "solver/invention/on_trial.h"
#include "solver/invention/proposals.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostRounds = 12;
constexpr int kToObserve = 100;    ///< random sequences, before anything is proposed
constexpr int kToChallenge = 500;  ///< likewise, once something is
constexpr int kToConfirm = 1'000;  ///< likewise, once one behaviour is left

constexpr int kToTellApart = 40;      ///< probes, for the formulas of one round
constexpr int kDraws = 4;             ///< in vain, until nothing is taken to tell them apart
constexpr int kDrawsForNumber = 20;   ///< likewise, to tell what a number is
constexpr std::size_t kMostLeft = 8;  ///< formulas that an inference considers

/// The first recording that contradicts what was proposed, if any does.
std::optional<std::string> contradicted_by(const Proposal& proposal, const RecordingSet& set) {
  const OnTrial trial(proposal);
  const auto wrong = mismatches(set, trial.mechanism());
  return wrong.empty() ? std::nullopt : std::optional(wrong.front().recording);
}

/// One invention at work.
class Inventor {
 public:
  Inventor(Oracle& oracle, InferenceRun run, const InventionMeans& means)
      : oracle_(oracle), run_(std::move(run)), means_(means), questions_(oracle, run_, means) {}

  Finding run() {
    do {
      told_.finding = means_.infer(oracle_, run_);
      told_.confirmed_by = told_.contradicted_by = 0;  // which was of another mechanism
      run_.resume = true;
    } while (goes_on(told_.finding));
    if (!told_.rounds.empty() || !told_.facts.empty()) tell();
    return told_.finding;
  }

 private:
  /// Whether there is something to go on with.
  bool goes_on(const Finding& finding) {
    try {
      means_.task.still();
      if (!oracle_begins()) return false;
      switch (finding.verdict) {
        case Verdict::identified:
          return identified(*finding.mechanism);
        case Verdict::ambiguous:
          return ambiguous(*finding.mechanism);
        case Verdict::refuted:
          return refuted(finding.nearest ? finding.nearest->hypothesis : simplest());
        case Verdict::undecided:
          break;
      }
    } catch (const Stopped& cut_short) {
      means_.say(fmt::format("\nends here: {}\n", cut_short.why));
    }
    return false;
  }

  bool identified(const Hypothesis& mechanism) {
    return instead_of_last_resort(mechanism) ||
           (invented_ && oracle_.answers_anything() && confirmed_ != mechanism &&
            is_contradicted(mechanism));
  }

  /// A last resort says whatever was observed. A rule would say more: looked for once for each.
  bool instead_of_last_resort(const Hypothesis& mechanism) {
    for (int axis = 0; axis < kAxes; ++axis) {
      const bool is_last = (last_resorts(axis) >> mechanism.values[axis] & 1) != 0;
      if (!is_last || std::exchange(looked_beyond_[axis], true)) continue;
      if (axis == index_of<TieBreak>() && has_another_map()) continue;
      means_.say(fmt::format("\n{}={} says whatever was seen; a rule would say more\n",
                             axis_info(axis).name, axis_value(axis, mechanism.values[axis]).name));
      Hypothesis without = mechanism;
      without.values[axis] = 0;
      if (axis == index_of<TieBreak>()) without.order.clear();
      ProposalLimits limits;
      limits.only = axis;
      if (invent({without}, limits)) {
        run_.assumptions.allowed[axis] &= ~last_resorts(axis);
        return true;
      }
    }
    return false;
  }

  /// Two formulas may say the same in other words, of two axes even, so that nothing tells them
  /// apart and no proof says so. Where random sequences do not either, one is as good as the other.
  bool ambiguous(const Hypothesis& mechanism) {
    if (instead_of_last_resort(mechanism)) return true;
    if (!invented_ || !oracle_.answers_anything()) return false;
    if (is_contradicted(mechanism)) return true;
    bool any = false;
    for (int axis = 0; axis < kAxes; ++axis) {
      const std::uint32_t others =
          run_.assumptions.allowed[axis] & invented_of_[axis] & ~(1u << mechanism.values[axis]);
      if (others == 0 || run_.assumptions.allowed[axis] == others) continue;
      run_.assumptions.allowed[axis] &= ~others;
      any = true;
    }
    if (any) {
      means_.say(
          "\nother formulas explain everything, too; none of these sequences tells them from this "
          "one, which is the simplest, and they are set aside\n");
    }
    return any;
  }

  bool refuted(const Hypothesis& nearest) {
    if (told_.rounds.size() == kMostRounds) return false;
    if (has_another_map()) return false;
    if (oracle_.answers_anything()) {
      if (told_.rounds.empty()) questions_.at_random(nearest, kToObserve, true);
    } else {
      questions_.read_the_rest();
    }
    std::vector<Hypothesis> mechanisms{nearest};
    if (nearest != simplest()) mechanisms.push_back(simplest());
    if (const auto goes_on = another_fact(mechanisms)) return *goes_on;
    return invent(mechanisms, {});
  }

  /// Where one fact of the device, if it were another, explained everything: whether to go on,
  /// since it was not so after all.
  std::optional<bool> another_fact(const std::vector<Hypothesis>& mechanisms) {
    if (told_.facts.size() == kMostRounds) return std::nullopt;
    const auto corrected =
        infer_corrected(oracle_, run_, mechanisms, observed(), kToConfirm, means_);
    if (!corrected) return std::nullopt;
    told_.facts.push_back(*corrected);
    if (!corrected->finding) return false;
    if (!corrected->holds && corrected->finding->verdict != Verdict::undecided) return true;
    told_.finding = *corrected->finding;
    told_.confirmed_by = corrected->asked;
    return false;
  }

  /// For which clusters or carve-outs speak, or without which nothing explains everything: then no
  /// rule is looked for under this one.
  bool has_another_map() {
    const auto& maps = told_.finding.maps;
    if (maps.empty() || (told_.finding.mechanism && !maps.front().settled())) return false;
    means_.say(
        "\nno rule is looked for: under a wrong map of the device a wrong rule may look right, and "
        "under another one a named order explains everything\n");
    return true;
  }

  Hypothesis simplest() const {
    return VersionSpace(oracle_.device(), run_.assumptions).simplest();
  }

  bool oracle_begins() {
    if (!oracle_.answers_anything() || oracle_.begin_session()) return true;
    means_.say("the oracle cannot begin a session, so that nothing is invented\n");
    return false;
  }

  /// Whether random sequences contradict what is left in the end.
  bool is_contradicted(const Hypothesis& mechanism) {
    const auto answers = questions_.at_random(mechanism, kToConfirm, false);
    told_.confirmed_by = answers.asked;
    told_.contradicted_by = answers.contradict;
    if (!answers.contradicted) confirmed_ = mechanism;
    return answers.contradicted;
  }

  /// Whether formulas were found, which are assumed from here on. Before that probes tell them
  /// apart, and random sequences may contradict them: it costs less than an inference.
  bool invent(std::vector<Hypothesis> mechanisms, const ProposalLimits& limits) {
    while (told_.rounds.size() < kMostRounds) {
      if (oracle_.answers_anything() && !oracle_.frees_one_by_one()) {
        Rng rng(run_.options.seed + told_.rounds.size());
        questions_.around(mechanisms.front(), rng);
      }
      const Proposals proposals =
          propose(oracle_.device(), observed(), mechanisms, run_.assumptions, limits, means_.task);
      told_.rounds.push_back(
          {mechanisms.front(), proposals, first_wrong(questions_.recorded(), mechanisms.front())});
      Page page;
      page.sections.push_back(round_section(told_.rounds.back()));
      means_.show(page);
      if (!proposals.cut_short.empty()) throw Stopped{proposals.cut_short};
      if (!proposals.exceptions.empty()) {
        told_.exceptions = proposals.exceptions;
        if (oracle_.answers_anything() && !oracle_.frees_one_by_one()) {
          told_.exceptions = challenged(std::move(told_.exceptions), oracle_, questions_,
                                        run_.options.seed, means_.task, told_.exceptions_asked);
        }
        means_.say(exceptions_words(told_) + '\n');
        if (told_.exceptions.empty()) continue;  // more is known now
        return false;
      }
      if (proposals.found.empty()) return false;
      std::vector<Proposal> left = proposals.found;
      if (oracle_.answers_anything() && !oracle_.frees_one_by_one()) left = told_apart(left);
      if (left.empty()) {  // more is known now; of two rules, one may be right
        for (const Proposal& proposal : proposals.found) add_new(mechanisms, proposal.hypothesis);
        continue;
      }
      set_aside(left);
      for (Proposal& proposal : left) {
        proposal = sharpened(std::move(proposal));
        allow(proposal.axis, formula_value(proposal.axis, proposal.formula));
        for (int axis = 0; axis < kAxes; ++axis) allow(axis, proposal.hypothesis.values[axis]);
      }
      invented_ = true;
      return true;
    }
    return false;
  }

  /// What was asked tells these apart no more. Rules of several axes are then mostly one in other
  /// words, and so are larger ones of one axis, which no proof says and an inference would ask
  /// about for long: the simplest is as good.
  void set_aside(std::vector<Proposal>& left) {
    const auto others =
        std::ranges::stable_partition(left, [first = left.front()](const Proposal& each) {
          return each.axis == first.axis && each.size == first.size;
        });
    for (const Proposal& other : others) {
      told_.rounds.back().set_aside.push_back(words_of(other));
    }
    left.erase(others.begin(), others.end());
    if (left.size() > kMostLeft) left.resize(kMostLeft);
    if (!told_.rounds.back().set_aside.empty()) {
      means_.say(set_aside_words(told_.rounds.back()) + '\n');
    }
  }

  /// First, where it has a formula.
  static void add_new(std::vector<Hypothesis>& mechanisms, const Hypothesis& mechanism) {
    const auto is_formula = [&](int axis) { return mechanism.values[axis] >= named_values(axis); };
    if (std::ranges::any_of(std::views::iota(0, kAxes), is_formula) &&
        std::ranges::find(mechanisms, mechanism) == mechanisms.end()) {
      mechanisms.insert(mechanisms.begin(), mechanism);
    }
  }

  /// Those that explain what is asked to tell them apart, and random sequences.
  std::vector<Proposal> told_apart(std::vector<Proposal> left) {
    Rng rng(run_.options.seed + told_.rounds.size());
    const Device& device = oracle_.device();
    const auto keep = [&](const Recording& answer) {
      std::erase_if(left, [&](const Proposal& each) { return !explains(device, each, answer); });
    };
    int in_vain = 0;
    for (int asked = 0; asked < kToTellApart && left.size() > 1 && in_vain < kDraws;) {
      means_.task.doing(fmt::format("telling {} formulas apart", left.size()));
      const auto probe = telling_apart(device, left, questions_.drawn(rng), oracle_.channels());
      const auto answer = probe ? questions_.ask(*probe, "telling formulas apart") : std::nullopt;
      if (answer) keep(*answer);
      ++(answer ? asked : in_vain);
    }
    means_.say(fmt::format("\n{} left by what was asked to tell them apart\n",
                           counted(left.size(), "formula")));
    const auto keep_by_all = [&] {
      for (const Recording& recording : questions_.recorded().recordings) {
        if (recording.fresh && recording.name().starts_with('t')) keep(recording);
      }
    };
    for (bool contradicted = true; contradicted && !left.empty();) {
      const Proposal first = left.front() = sharpened(std::move(left.front()));
      keep_by_all();
      if (left.empty() || left.front().formula != first.formula) continue;
      const int before = questions_.asked();
      {
        const OnTrial trial(first);
        contradicted = questions_.at_random(trial.mechanism(), kToChallenge, false, words_of(first))
                           .contradicted;
      }
      if (contradicted && questions_.asked() == before) return {};  // only after something else
      keep_by_all();
    }
    return left;
  }

  /// The same of the numbers of all formulas that the mechanism has.
  Proposal sharpened(Proposal proposal) {
    proposal = sharpened_alone(std::move(proposal));
    for (int axis = 0; axis < kAxes; ++axis) {
      if (axis == proposal.axis || proposal.hypothesis.values[axis] < named_values(axis)) continue;
      const Proposal other = sharpened_alone(turned_round(proposal, axis));
      proposal = turned_round(other, proposal.axis);
    }
    return proposal;
  }

  /// Where a number of the formula could be another, probes halve what is possible; then it becomes
  /// the roundest that is left. One number after the other: each changes what the next can be.
  Proposal sharpened_alone(Proposal proposal) {
    std::set<int> done;
    for (;;) {
      const std::vector<Leeway> open = leeways(oracle_.device(), observed(), proposal);
      const auto next = std::ranges::find_if(
          open, [&](const Leeway& leeway) { return !done.contains(leeway.number); });
      if (next == open.end()) return proposal;
      const std::optional<Leeway> left = halved(proposal, *next);
      if (!left) return proposal;  // not this formula at all, as random sequences will show
      const int number = left->roundest();
      done.insert({next->number, number});
      proposal = with_number(proposal, next->number, number);
    }
  }

  /// What probes leave of it; nothing where their answers contradict each number.
  std::optional<Leeway> halved(const Proposal& proposal, Leeway leeway) {
    if (!oracle_.answers_anything() || oracle_.frees_one_by_one()) return leeway;
    const Device& device = oracle_.device();
    const auto with = [&, number = leeway.number](int other) {
      return with_number(proposal, number, other);
    };
    Rng rng(run_.options.seed + told_.rounds.size());
    return cuvier::halved(
        leeway, kDrawsForNumber,
        [&](const Leeway& open, int middle) -> std::optional<std::function<bool(int)>> {
          means_.task.doing(fmt::format("{}: {} may be {} to {}", proposal.formula, open.number,
                                        open.least, open.most));
          const std::set<int> named =
              numbers_in(parse_formula(*axis_info(proposal.axis).formula, proposal.formula));
          std::vector<int> numbers(named.begin(), named.end());
          numbers.push_back(middle);
          const auto probe =
              telling_apart(device, {with(open.least), with(middle), with(open.most)},
                            questions_.drawn(rng, FormulaNumbers({proposal.hypothesis}, numbers)),
                            oracle_.channels());
          const auto answer = probe ? questions_.ask(*probe, "which number it is") : std::nullopt;
          if (!answer) return std::nullopt;
          return [&, with, answer = *answer](int other) {
            return explains(device, with(other), answer);
          };
        });
  }

  std::vector<Session> observed() const { return sessions_of({questions_.recorded()}); }

  /// What was invented.
  void allow(int axis, int value) {
    const std::uint32_t invented = (std::uint32_t{1} << value) & formula_values(axis);
    run_.assumptions.allowed[axis] |= invented;
    invented_of_[axis] |= invented;
  }

  /// What was done, beside what an inference leaves.
  void tell() {
    told_.recordings = questions_.recorded();
    for (InventionRound& round : told_.rounds) {
      for (const Proposal& proposal : round.proposals.found) {
        round.contradicted_by.push_back(contradicted_by(proposal, told_.recordings));
      }
    }
    const Page page = invention_page(told_);
    const std::string path = (std::filesystem::path(run_.folder) / "invention").string();
    write_file(path + ".json",
               json_text(report_file("invention", invention_json(told_), page), 1) + '\n');
    write_page(path + ".html", page);
    means_.say(fmt::format("invention: {}.html\n", path));
  }

  Oracle& oracle_;
  InferenceRun run_;
  const InventionMeans& means_;
  InventionQuestions questions_;
  Invention told_;
  std::array<bool, kAxes> looked_beyond_{};         ///< last resorts
  bool invented_ = false;                           ///< any formula
  std::array<std::uint32_t, kAxes> invented_of_{};  ///< values
  std::optional<Hypothesis> confirmed_;             ///< by random sequences
};

}  // namespace

Finding invent(Oracle& oracle, const InferenceRun& run, const InventionMeans& means) {
  return Inventor(oracle, run, means).run();
}

}  // namespace cuvier
