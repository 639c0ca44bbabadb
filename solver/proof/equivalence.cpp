#include "solver/proof/equivalence.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "hypotheses/first_orders.h"
#include "hypotheses/values_of_proofs.h"
#include "solver/proof/choice_proof.h"
#include "solver/proof/claim.h"
#include "solver/proof/sm_proofs.h"
#include "solver/smt/terms_domain.h"

namespace cuvier {
namespace {

/// A hypothesis with some axes of another one.
template <class... Axes>
Hypothesis with(Hypothesis h, const Hypothesis& other, AxisList<Axes...>) {
  ((h.values[index_of<Axes>()] = other.values[index_of<Axes>()]), ...);
  return h;
}

/// A hypothesis with the axes of these parts as another one has them.
Hypothesis with(Hypothesis h, const Hypothesis& other, std::initializer_list<Part> parts) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (std::ranges::find(parts, axis_info(axis).part) != parts.end()) {
      h.values[axis] = other.values[axis];
    }
  }
  return h;
}

/// Whether the prover says of that part when it is alike.
constexpr bool has_rule(Part part) {
  switch (part) {
    case Part::queue:          // same_queue
    case Part::batches:        // same_batches
    case Part::choice:         // same_choice
    case Part::warps:          // same_warps
    case Part::shared_memory:  // same_shared
    case Part::admission:      // let_the_same_in
    case Part::marks:          // same_notes
      return true;
    case Part::clusters:  // that two which differ are alike was not thought about
      break;
  }
  return false;
}

/// Shows, one pair after another, that hypotheses behave alike.
class Prover {
 public:
  Prover(const Device& device, const std::vector<std::string>& channels, const SmtLimits& limits,
         const InitialObservation* opening, const ToldApart& told_apart)
      : device_(device), limits_(limits), opening_(opening), known_(told_apart) {
    asked_.warp_slots = std::ranges::find(channels, "warp_slot") != channels.end();
    asked_.configurations = std::ranges::find(channels, "shared_config") != channels.end();
  }

  bool alike(const Hypothesis& a, const Hypothesis& b) {
    if (a == b) return true;
    if (!may_go_on()) return false;
    for (const Hypothesis* h : {&a, &b}) {
      if (const auto outside = outside_of_claims(*h)) {
        return fails(fmt::format("no proof was written for {}", *outside));
      }
    }
    for (int axis = 0; axis < kAxes; ++axis) {
      if (a.values[axis] != b.values[axis] && !has_rule(axis_info(axis).part)) {
        return fails(fmt::format("no proof is about what {} is about", axis_info(axis).name));
      }
    }
    const ChoiceAsks& asks = asks_of(a);
    asked_.room = asks.room || goes_by_passes(a);
    asked_.usage = asks.usage;
    return same_queue(a, b) && same_batches(a, b) && same_notes(a, b) && let_the_same_in(a, b) &&
           same_choice(a, b) && same_sms(a, b);
  }

  /// Why the last two were not shown to be.
  const std::string& why_not() const { return why_; }
  bool gave_up() const { return gave_up_; }

  const std::vector<Lemma>& lemmas() const { return lemmas_; }

 private:
  bool fails(std::string why) {
    why_ = std::move(why);
    return false;
  }

  /// Likewise, unless it is known why: a solver gave up.
  bool is_not_shown(std::string why) { return fails(why_.empty() ? std::move(why) : why_); }

  const ChoiceAsks& asks_of(const Hypothesis& h) {
    const auto [known, added] = asks_.try_emplace(h);
    if (added) known->second = asks_of_choice(device_, h);
    return known->second;
  }

  /// Whether room decides where clusters go.
  bool goes_by_passes(const Hypothesis& h) const {
    return device_.largest_cluster() > 0 && h.get<ClusterGpc>() == ClusterGpc::pass_by_pass;
  }

  bool same_queue(const Hypothesis& a, const Hypothesis& b) {
    Hypothesis queueing = with(a, b, {Part::queue});
    if (never_waits_for_local(a) && never_waits_for_local(b)) {
      queueing.set<LocalMemory>(a.get<LocalMemory>());
    }
    return queueing == a || fails("no proof is about other rules of which kernel is tried");
  }

  /// Whether there is local memory enough for every kernel, or none is waited for.
  bool never_waits_for_local(const Hypothesis& h) const {
    const LocalMemory::Value local = h.get<LocalMemory>();
    return local == LocalMemory::ignored ||
           (local == LocalMemory::grow_when_idle && opens_with_most_local(opening_));
  }

  bool same_batches(const Hypothesis& a, const Hypothesis& b) {
    if (with(a, b, {Part::batches}) == a || any_batches_are_alike(a, b)) return true;
    const std::string why = why_;
    return once("batches", a, with(a, b, {Part::batches}), [&](const Hypothesis& b_here) {
      const auto same = same_pick_sizes(device_, a, b_here);
      return (same && hold(*same)) || is_not_shown(why);
    });
  }

  /// Whether it does not matter how many blocks a pick places.
  bool any_batches_are_alike(const Hypothesis& a, const Hypothesis& b) {
    // Whoever did not fit may be let in once another block is there.
    if (a.get<Admission>() != Admission::any) return fails("a rule refuses blocks that would fit");
    // Or once it has changed a configuration.
    if (has_rule_of_configs(a)) return fails("each block may change a configuration");
    // Nor is it still the kernel's turn.
    const auto queue = a.get<Queue>();
    if (reads_fleeting<Priority>(a.get<Priority>()) || formula_reads<Queue>(queue, "left") ||
        formula_reads<Queue>(queue, "head_left")) {
      return fails("each block may change the queue");
    }
    if (is_formula<LocalMemory>(a.get<LocalMemory>())) {
      return fails("each block may change who waits for local memory");
    }
    if (!numbers_in_order(a) || !numbers_in_order(b)) {
      return fails("they number the blocks of pairs differently");
    }
    const auto [seen, added] = pairs_alike_.try_emplace(a, false);
    why_.clear();
    if (added) seen->second = pairs_alike(a);
    return seen->second || is_not_shown("they may place pairs of blocks differently");
  }

  /// Whether blocks start in the order in which places are taken.
  static bool numbers_in_order(const Hypothesis& h) {
    if (h.get<Numbering>() != Numbering::as_chosen) return false;
    const bool singles = h.get<BatchSize>() == BatchSize::one_or_two &&
                         h.get<DispatchBatch>() == DispatchBatch::single;
    return singles || h.get<PairsInFlight>() == PairsInFlight::one;
  }

  bool let_the_same_in(const Hypothesis& a, const Hypothesis& b) {
    return once("admission", a, with(a, b, {Part::admission}), [&](const Hypothesis& b_here) {
      return hold({same_admission(device_, a, b_here)}) ||
             is_not_shown("one may let blocks in that the other refuses");
    });
  }

  bool same_notes(const Hypothesis& a, const Hypothesis& b) {
    return once("marks", a, with(a, b, {Part::marks}), [&](const Hypothesis& b_here) {
      return hold({same_marks(device_, a, b_here)}) ||
             is_not_shown("they may write down other marks");
    });
  }

  bool same_choice(const Hypothesis& a, const Hypothesis& b) {
    const Hypothesis choosing = with(b, a,
                                     {Part::queue, Part::batches, Part::warps, Part::shared_memory,
                                      Part::admission, Part::marks});
    return once("choice", a, choosing, [&](const Hypothesis& b_here) {
      const auto differs = choice_differs(device_, a, b_here, visits_all_sms(device_, opening_),
                                          [&] { return hold({same_returns(device_, a, b_here)}); });
      if (!differs) return true;
      const auto same = same_choices(device_, a, b_here);
      return (same && hold(*same)) || is_not_shown(*differs);
    });
  }

  /// Whether a block goes where the one before it went, if it fits there, paired with it or not.
  bool pairs_alike(const Hypothesis& h) {
    if (!choice_stays(device_, h)) return false;
    // Nor is it known when a formula has the cursors return.
    if (is_formula<CursorReset>(h.get<CursorReset>())) return false;
    std::vector<Statement> statements = shared_stays(device_, h, asked_);
    statements.push_back(registers_grow(device_, h));
    const bool skips = h.get<Queue>() != Queue::fifo;
    const bool clusters = device_.largest_cluster() > 0;
    if (skips || (clusters && h.get<ClusterWait>() != ClusterWait::holds)) {
      // Kernels ahead in the queue are tried in between: they must not fit. If one of them has
      // the cursors return to the start, it does so before each of the two blocks; a cluster has
      // not.
      if (skips && h.get<CursorReset>() == CursorReset::kernel && !choice_stays(device_, h, true)) {
        return false;
      }
      statements.push_back(warps_shrink(device_, h));
      std::ranges::move(shared_shrinks(device_, h), std::back_inserter(statements));
      if (clusters && h.get<ClusterSharing>() == ClusterSharing::shared) {
        std::ranges::move(several_shrink(device_, h), std::back_inserter(statements));
      }
    }
    return hold(statements);
  }

  bool same_sms(const Hypothesis& a, const Hypothesis& b) {
    if (!asked_.warp_slots && has_sole_blocks(a) && has_sole_blocks(b)) {
      return same_idle("warps", a, with(a, b, WarpFileAxes{}), idle_warps_alike) &&
             same_idle("shared memory", a, with(a, b, SharedMemoryAxes{}), idle_shared_alike);
    }
    return same_warps(a, b) && same_shared(a, b);
  }

  /// Whether no SM ever holds two blocks.
  bool has_sole_blocks(const Hypothesis& h) {
    if (h.get<ConfigScope>() != ConfigScope::sm || has_rule_of_configs(h)) return false;
    const auto [seen, added] =
        sole_blocks_.try_emplace(with(Hypothesis{}, h, SharedMemoryAxes{}), false);
    if (added) seen->second = hold(sole_block(device_, h));
    return seen->second;
  }

  bool same_idle(const std::string& respect, const Hypothesis& a, const Hypothesis& b,
                 decltype(idle_warps_alike)& alike) {
    return once("idle " + respect, a, b, [&](const Hypothesis& b_here) {
      return hold(alike(device_, a, b_here, asked_)) ||
             is_not_shown(fmt::format("their idle SMs' {} was not shown to answer alike", respect));
    });
  }

  bool same_warps(const Hypothesis& a, const Hypothesis& b) {
    return once("warps", a, with(a, b, WarpFileAxes{}), [&](const Hypothesis& b_here) {
      const auto is_to_end = [&](const Induction& induction) {
        return hold(induction) || !why_.empty();  // a solver gave up
      };
      if (some_warps_induction(device_, a, b_here, asked_, dealt_alike_, is_to_end)) {
        return why_.empty();
      }
      return is_not_shown("their SMs' warps and registers were not shown to answer alike");
    });
  }

  bool same_shared(const Hypothesis& a, const Hypothesis& b) {
    return once("shared", a, with(a, b, SharedMemoryAxes{}), [&](const Hypothesis& b_here) {
      if ((has_rule_of_configs(a) || has_rule_of_configs(b_here)) &&
          a.get<ConfigScope>() != b_here.get<ConfigScope>()) {
        return fails("configurations may outlive blocks, and they are of other SMs");
      }
      return hold(shared_induction(device_, a, b_here, asked_)) ||
             is_not_shown("their SMs' shared memory was not shown to answer alike");
    });
  }

  /// What `show` says of b, which differs from a in one respect; asked but once.
  template <class F>
  bool once(const std::string& respect, const Hypothesis& a, const Hypothesis& b, F&& show) {
    if (a == b) return true;
    const auto [seen, added] = shown_.try_emplace({respect, a, b});
    if (added) {
      why_.clear();
      if (told_apart(a, b) || !show(b)) seen->second = why_;
    }
    return !seen->second || fails(*seen->second);
  }

  /// Whether that is known, or time is up: then there is nothing to prove.
  bool told_apart(const Hypothesis& a, const Hypothesis& b) {
    if (!may_go_on()) return true;
    if (!known_) return false;
    why_ = known_(a, b);
    return !why_.empty();
  }

  bool may_go_on() {
    if (!limits_.task.is_to_end()) return true;
    gave_up_ = true;
    return fails("it was ended early");
  }

  /// Many pairs come down to the same few queries: each is asked once.
  SmtAnswer ask(const std::string& smt2) {
    const auto known = answers_.find(smt2);
    if (known != answers_.end()) return known->second;
    SmtAnswer answer = ask_z3(smt2, limits_);
    if (answer.kind != SmtAnswer::Kind::unknown) answers_.emplace(smt2, answer);
    return answer;
  }

  bool hold(const Statement& statement) { return hold(std::vector{statement}); }

  static const Statement& made(const Statement& statement) { return statement; }
  static Statement made(const std::function<Statement()>& make) { return make(); }

  /// Asks whether all of them hold; keeps those that had to be asked.
  bool hold(const auto& statements) {
    std::vector<Lemma> asked;
    for (const auto& each : statements) {
      const Statement& statement = made(each);
      if (statement.evident()) continue;
      Lemma lemma = statement.lemma();
      SmtAnswer answer = ask(lemma.smt2);
      if (answer.kind == SmtAnswer::Kind::sat) {
        if (auto stronger = statement.lemma_with_quotients()) {
          lemma = std::move(*stronger);
          answer = ask(lemma.smt2);
        }
      }
      if (answer.kind == SmtAnswer::Kind::unknown) {
        gave_up_ = true;
        return fails(fmt::format("Z3 gave up on {}: {}", lemma.name, answer.reason));
      }
      if (answer.kind == SmtAnswer::Kind::sat) return false;
      asked.push_back(std::move(lemma));
    }
    for (Lemma& lemma : asked) {
      lemma.name = fmt::format("{:03}-{}", lemmas_.size() + 1, lemma.name);
      lemmas_.push_back(std::move(lemma));
    }
    return true;
  }

  const TermScope scope_;  ///< of all that is to be shown
  const Device& device_;
  const SmtLimits& limits_;
  const InitialObservation* opening_;
  const ToldApart& known_;
  Asked asked_;             ///< under the first of the two at hand
  DealtAlike dealt_alike_;  ///< as far as it was worked out
  std::map<Hypothesis, ChoiceAsks> asks_;
  std::map<Hypothesis, bool> pairs_alike_;
  std::map<Hypothesis, bool> sole_blocks_;  ///< by the axes of shared memory
  /// In some respect; none: alike; otherwise why not.
  std::map<std::tuple<std::string, Hypothesis, Hypothesis>, std::optional<std::string>> shown_;
  std::map<std::string, SmtAnswer> answers_;  ///< by query
  std::vector<Lemma> lemmas_;
  std::string why_;
  bool gave_up_ = false;
};

/// "queue=fifo and queue=skip_ahead": in what they differ, or their names where that is the order
/// of the SMs alone.
std::string pair_words(const Hypothesis& a, const Hypothesis& b) {
  if (a.values == b.values) return fmt::format("{} with another order of the SMs", describe(a));
  return fmt::format("{} and {}", differences(b, a), differences(a, b));
}

}  // namespace

Classes classify(const Device& device, const std::vector<Hypothesis>& hypotheses,
                 const std::vector<std::string>& channels, const SmtLimits& limits,
                 int most_classes, const InitialObservation* opening, const ToldApart& told_apart) {
  Classes result;
  std::vector<Hypothesis> firsts;  // of the classes
  Prover prover(device, channels, limits, opening, told_apart);
  const FirstOrders orders(device);
  const std::string words = limits.task.latest();
  for (const Hypothesis& given : hypotheses) {
    limits.task.tell({words, &given - hypotheses.data(), hypotheses.size()});
    const Hypothesis h = canonical(orders.of(given));
    const auto found = std::ranges::find_if(
        firsts, [&](const Hypothesis& first) { return prover.alike(first, h); });
    if (found != firsts.end()) {
      result.classes[found - firsts.begin()].push_back(given);
      continue;
    }
    if (!result.classes.empty()) {
      result.reason =
          fmt::format("{}: {}", pair_words(result.classes.back().front(), given), prover.why_not());
    }
    if (static_cast<int>(result.classes.size()) == most_classes) {
      result.complete = false;
      break;
    }
    result.classes.push_back({given});
    firsts.push_back(h);
  }
  result.gave_up = prover.gave_up();
  Claim claim = claim_of(device, result, opening);
  if (!claim.sentence.empty()) {
    result.proof = Proof{std::move(claim.sentence), std::move(claim.argument), prover.lemmas()};
  }
  return result;
}

}  // namespace cuvier
