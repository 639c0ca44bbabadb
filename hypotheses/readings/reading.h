#pragma once

#include <concepts>
#include <optional>
#include <utility>
#include <vector>

#include "hypotheses/scheduler/flight.h"
#include "hypotheses/scheduler/options.h"
#include "hypotheses/scheduler/sm_rules.h"

namespace cuvier {

/// What the choice of an SM (selector.h) takes from a reading, beside Int and Bool: what its
/// quantities and conditions are. Options are a range of Option; R::Options is what it keeps
/// them in, an OptionList or better (options.h).
template <class R, class Options>
concept ChoiceReading = requires(R& r, const typename R::Bool& condition, const Options& options,
                                 int n, const Entry& entry, bool (*allowed)(int),
                                 const std::vector<std::vector<int>>& groups) {
  { r.constant(n) } -> std::convertible_to<typename R::Int>;
  // A branch: the hypothesis's in a prediction; a solver follows each that some hypothesis takes.
  { r.decide(condition) } -> std::same_as<bool>;
  { r.template resolve<Selection>() } -> std::same_as<Selection::Value>;
  { r.template is<CursorReset>(CursorReset::never) } -> std::same_as<bool>;
  { r.any(options) } -> std::same_as<bool>;  // of these SMs is eligible
  // Whether it holds whatever branch is taken.
  { r.certain(condition) } -> std::same_as<bool>;
  // The eligible option with the least key, of these the first in the order from the entry on; `n`
  // is the first option's node in an order yet to be learned; allowed(id) is whether what was
  // observed allows it.
  { r.pick(options, n, entry, allowed) } -> std::same_as<int>;
  {
    r.at_cursor(options, entry)
    } -> std::convertible_to<const Option<typename R::Int, typename R::Bool>&>;  // the first of all
  // Whether what was observed allows the block at hand on the SM.
  { r.may_place(n) } -> std::same_as<bool>;
  // By the tie-break; empty: an order yet to be learned.
  { r.sm_ranks() } -> std::convertible_to<std::vector<int>>;
  { r.group_ranks(groups) } -> std::convertible_to<std::vector<int>>;
};

/// What the choice of a cluster's SMs (cluster_selector.h) takes beside that.
template <class R>
concept ClusterReading = requires(R& r, const typename R::Bool& condition, int n,
                                  const std::vector<Option<typename R::Int, typename R::Bool>>& o,
                                  const Entry& entry, bool (*allowed)(int), int (*work)()) {
  // What work that only reads and decides comes to: of ways that come to the same, one is followed.
  { r.outcome_of(work) } -> std::same_as<int>;
  // As pick(), of options whose order is known.
  { r.pick_ranked(o, entry, allowed) } -> std::same_as<int>;
  // Whether what was observed allows one of the next so many blocks on the SM.
  { r.may_place_among(n, n) } -> std::same_as<bool>;
  // As decide(); not where it holds, though what was observed does not allow that.
  { r.decide_as_seen(condition, true) } -> std::same_as<bool>;
};

/// What the scheduler (scheduler.h) takes from a reading beside that: Warps and Shared are what
/// the states of an SM are.
template <class R>
concept Reading = requires(R& r, const typename R::Warps& warps,
                           const Flight<typename R::Warps>& flight, int n) {
  { r.idle_warps() } -> std::convertible_to<typename R::Warps>;
  { r.idle_shared() } -> std::convertible_to<typename R::Shared>;
  { r.never() } -> std::convertible_to<typename R::Bool>;
  // A rule of sm_rules.h in its domain, on states.
  { r.apply(std::declval<const SharedBytes&>()) } -> std::convertible_to<typename R::Int>;
  { r.apply(std::declval<const FitsWarps&>(), warps) } -> std::convertible_to<typename R::Bool>;
  // Whether what the axis says may be a formula.
  { r.template may_be_formula<Admission>() } -> std::same_as<bool>;
  r.begins();                // a probe: rules are about its kernels
  r.picks(n, flight);        // an SM for a pick of that kernel, which may join these
  r.placed(n, n, n, warps);  // a block of a kernel on an SM
  // What nobody controls (PairsInFlight::drifting). Whether one pick more of the kernel joins those
  // in flight, where else it would be the turn of this SM again after so many blocks;
  { r.another_joins(n, n, n) } -> std::same_as<bool>;
  // and whether a pick that went to this SM and joins so many in flight, of so many that can be,
  // counts the blocks left so late that it still takes two.
  { r.counts_late(n, n, n, n) } -> std::same_as<bool>;
};

/// What a reading may offer beside that: it lets no SM hold more blocks of some kernels than so
/// many. No GPU has such caps; schedulers that were proposed do (uses/simulate).
template <class R>
concept HasCaps = requires(const R& r, int kernel) {
  // None for a kernel that never has one: kernels that have are nobody's like.
  { r.cap_on_sm(kernel) } -> std::same_as<std::optional<int>>;
};

}  // namespace cuvier
