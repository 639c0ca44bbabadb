#include "solver/equivalence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "solver/choice_proof.h"
#include "solver/shared_proof.h"
#include "solver/warps_proof.h"

namespace cuvier {
namespace {

/// A hypothesis with some axes of another one.
template <class... Axes>
Hypothesis with(Hypothesis h, const Hypothesis& other, AxisList<Axes...>) {
  ((h.values[index_of<Axes>()] = other.values[index_of<Axes>()]), ...);
  return h;
}

/// What the dispatcher reads beside the choice of an SM.
using DispatchAxes = AxisList<Queue, Priority, LocalMemory, DispatchBatch, BatchMargin, BatchLag>;

/// Shows, one hypothesis after another, that they behave as the first does.
class Prover {
 public:
  Prover(const Device& device, const std::vector<std::string>& channels, const SmtLimits& limits)
      : device_(device), limits_(limits) {
    asked_.warp_slots = std::ranges::find(channels, "warp_slot") != channels.end();
    asked_.configurations = std::ranges::find(channels, "shared_config") != channels.end();
  }

  Equivalence prove(const std::vector<Hypothesis>& hypotheses) {
    const Hypothesis first = canonical(hypotheses.front());
    const ChoiceAsks asks = asks_of_choice(device_, first);
    asked_.room = asks.room;
    asked_.usage = asks.usage;
    for (const Hypothesis& h : hypotheses) {
      const Hypothesis other = canonical(h);
      if (!(same_dispatch(first, other) && same_warps(first, other) &&
            same_shared(first, other))) {
        return {undecided_ ? Equivalence::Kind::undecided : Equivalence::Kind::not_proved,
                std::nullopt, fmt::format("{} and {}: {}", describe(first), describe(other), why_)};
      }
    }
    return {Equivalence::Kind::proved, Proof{claim(hypotheses), argument(), lemmas_}, ""};
  }

 private:
  bool fails(std::string why) {
    why_ = std::move(why);
    return false;
  }

  bool same_dispatch(const Hypothesis& a, const Hypothesis& b) {
    if (!(with(a, b, DispatchAxes{}) == a)) return fails("they dispatch differently");
    const Hypothesis choosing_b = with(with(b, a, WarpFileAxes{}), a, SharedMemoryAxes{});
    if (choosing_b == a) return true;
    const auto [seen, added] = choices_.try_emplace(describe(choosing_b));
    if (added) seen->second = choice_differs(device_, a, choosing_b);
    return !seen->second || fails(*seen->second);
  }

  bool same_warps(const Hypothesis& a, const Hypothesis& b) {
    const Hypothesis b_here = with(a, b, WarpFileAxes{});
    return once(a, b_here, "warps", [&] {
      for (const WarpsInduction& induction : warps_inductions(device_, a, b_here, asked_)) {
        if (hold(induction.statements)) return true;
        if (undecided_) return false;
      }
      return fails("their SMs' warps and registers were not shown to answer alike");
    });
  }

  bool same_shared(const Hypothesis& a, const Hypothesis& b) {
    const Hypothesis b_here = with(a, b, SharedMemoryAxes{});
    return once(a, b_here, "shared", [&] {
      if (hold(shared_induction(device_, a, b_here, asked_))) return true;
      return undecided_ ? false
                        : fails("their SMs' shared memory was not shown to answer alike");
    });
  }

  /// f(), unless it was already shown of the same two.
  template <class F>
  bool once(const Hypothesis& a, const Hypothesis& b, const std::string& what, F&& f) {
    if (a == b) return true;
    const auto [seen, added] = shown_.try_emplace(what + describe(b), false);
    if (added) seen->second = f();
    return seen->second;
  }

  /// Asks whether all of them hold; keeps those that had to be asked.
  bool hold(const std::vector<Statement>& statements) {
    std::vector<Lemma> lemmas;
    for (const Statement& statement : statements) {
      if (statement.evident()) continue;
      Lemma lemma = statement.lemma();
      const SmtAnswer answer = ask_z3(lemma.smt2, limits_);
      if (answer.kind == SmtAnswer::Kind::unknown) {
        undecided_ = true;
        return fails(fmt::format("Z3 gave up on {}: {}", lemma.name, answer.reason));
      }
      if (answer.kind == SmtAnswer::Kind::sat) return false;
      lemmas.push_back(std::move(lemma));
    }
    for (Lemma& lemma : lemmas) {
      lemma.name = fmt::format("{:03}-{}", lemmas_.size() + 1, lemma.name);
      lemmas_.push_back(std::move(lemma));
    }
    return true;
  }

  std::string claim(const std::vector<Hypothesis>& hypotheses) const {
    return fmt::format("On {}, {} hypotheses cannot be told apart by any sequence of probes: {} "
                       "and those that differ from it as listed in the model.",
                       device_.name, hypotheses.size(), describe(hypotheses.front()));
  }

  std::string argument() const {
    return "By induction over what happens to the device. The dispatcher knows of an SM only what "
           "it answers: whether a block fits, and what the choice among SMs asks beside that. "
           "Idle SMs correspond under both hypotheses; the lemmas show that SMs which correspond "
           "answer alike, and correspond again after a block was placed or released and after the "
           "SM or the device became idle. Axes that matter under none of them (cuvier axes) are "
           "not read. The choice among SMs was run under both in lockstep on SMs of which nothing "
           "is known, from every position of the cursors: both ask the same questions in the same "
           "order. So every block goes to the same SM at the same time under both.";
  }

  const Device& device_;
  const SmtLimits& limits_;
  Asked asked_;
  std::map<std::string, std::optional<std::string>> choices_;
  std::map<std::string, bool> shown_;
  std::vector<Lemma> lemmas_;
  std::string why_;
  bool undecided_ = false;
};

}  // namespace

Equivalence prove_equivalent(const Device& device, const std::vector<Hypothesis>& hypotheses,
                             const std::vector<std::string>& channels, const SmtLimits& limits) {
  return Prover(device, channels, limits).prove(hypotheses);
}

}  // namespace cuvier
