#include "solver/space/version_space.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "hypotheses/simulator.h"
#include "probes/mapped.h"
#include "solver/cancellation/task.h"
#include "solver/space/diagram_values.h"
#include "solver/space/hypothesis_sets.h"
#include "solver/space/strands.h"

namespace cuvier {

// For explanations.cpp, too.
template std::vector<Strand<DiagramValues>> explain(const Recording&, const Device&, DiagramValues&,
                                                    const std::vector<Strand<DiagramValues>>&,
                                                    const Effort&, std::size_t, const Task&);

namespace {

// Diagrams are rebuilt from what is alive once they hold this many nodes (about 40 bytes each).
constexpr std::size_t kMostNodes = 4'000'000;
constexpr int kMostOrders = 8;  // of sessions
// States that go round, such as a pointer among four subpartitions, soon come back.
constexpr std::size_t kMostTransitions = 8;
constexpr int kFew = 8;  // so many are predicted sooner than followed

using DiagramStrand = Strand<DiagramValues>;

/// What a recording did to the strands.
struct Transition {
  std::vector<DiagramStrand> before;
  std::vector<DiagramStrand> after;
};

}  // namespace

struct VersionSpace::State {
  State(const Device& d, const Assumptions& a)
      : device(d),
        orders(d),
        assumptions(a),
        parts(parts_of(a)),
        workspace(std::make_unique<Workspace>()) {
    initial.combinations = 1;
    for (int axis = 0; axis < kAxes; ++axis) {
      initial.combinations *= std::popcount(a.allowed[axis]);
    }
    begin(parts.front());
    initial.initial = diagrams().count(distinct());
    resort_to_others();
  }

  Diagrams& diagrams() const { return workspace->diagrams; }

  void begin(const Assumptions& part) {
    const Ref set = set_of(diagrams(), part);
    strands.clear();
    repeated.clear();
    if (set != diagrams().no()) strands.push_back({{set}, {}, {}, Precedences(device.sms)});
  }

  /// A last resort (AxisValue) is tried where nothing else is left, on everything that was
  /// observed.
  void resort_to_others(const Task& task = {}) {
    while (strands.empty() && part + 1 < parts.size()) {
      begin(parts[++part]);
      if (strands.empty()) continue;
      const Ref anew = diagrams().without(set(), set_of(diagrams(), parts[part - 1]));
      initial.initial += diagrams().count(cuvier::distinct(diagrams(), orders, anew));
      explore_all(task);
    }
  }

  /// What tells most of where blocks went goes first: with an order of which nothing is known, the
  /// rest may end in too many states. Where one does, others may leave less open of it.
  void explore_all(const Task& task) {
    std::vector<Session> sessions = sessions_of({{{}, device, observed}});
    for (Session& session : sessions) session.front().fresh = true;
    const auto going_on = sessions.end() - (sessions.empty() ? 0 : 1);
    most_ordering_first({sessions.begin(), going_on});
    for (int tries = 1;; ++tries) {
      auto session = sessions.begin();
      try {
        for (; session != sessions.end(); ++session)
          for (const Recording& recording : *session)
            if (!strands.empty()) explore(recording, task);
        return;
      } catch (const GaveUp&) {
        strands.clear();
        if (tries == kMostOrders || going_on - session < 2) throw;
        std::rotate(session, session + 1, going_on);
        begin(parts[part]);
      }
    }
  }

  bool observe(const Recording& recording, const Task& task) {
    if (recording.fresh) foreseen.clear();
    const bool tells = !is_foreseen(recording);
    if (!tells) {
      foreseen.push_back(recording);
    } else {
      simulated.reset();
      catch_up(task);
      explore(recording, task);
    }
    observed.push_back(recording);
    resort_to_others(task);
    return tells;
  }

  /// Whether few are left, and all of them predict it: it takes nothing from the set. To predict it
  /// is faster than to follow it, and where it leads to matters only once one is not foreseen.
  bool is_foreseen(const Recording& recording) {
    if (!simulated) {
      const auto few = members(kFew);
      if (!few) return false;
      simulated.emplace();
      for (const Hypothesis& each : *few) {
        replay_session(observed, simulated->emplace_back(device, each));
      }
    }
    return std::ranges::all_of(
        *simulated, [&](Simulator& each) { return explains(each.replay(recording), recording); });
  }

  void catch_up(const Task& task) {
    for (; !foreseen.empty(); foreseen.erase(foreseen.begin())) explore(foreseen.front(), task);
  }

  void explore(const Recording& recording, const Task& task) {
    const Recording& before = repeated_recording;
    if (repeated.empty() || recording.fresh || before.facts != recording.facts ||
        !same_question(before.probe, recording.probe)) {
      repeated.clear();
      repeated_recording = recording;
    }
    if (diagrams().size() > kMostNodes) compact();
    DiagramValues values(*workspace, {set()});
    for (DiagramStrand& strand : strands) strand.rest = values.cared_for(std::move(strand.rest));
    const auto known = std::ranges::find_if(
        repeated, [&](const Transition& each) { return are_same(values, each.before, strands); });
    std::vector<DiagramStrand> next =
        known != repeated.end()
            ? known->after
            : explain(recording, device, values, strands, Effort{}, kMostStrands + 1, task);
    const bool is_new = known == repeated.end() && !recording.fresh;  // that began elsewhere
    if (is_new && repeated.size() < kMostTransitions) repeated.push_back({strands, next});
    strands = std::move(next);
  }

  static bool are_same(const DiagramValues& values, const std::vector<DiagramStrand>& some,
                       const std::vector<DiagramStrand>& others) {
    return std::ranges::equal(some, others, [&](const DiagramStrand& a, const DiagramStrand& b) {
      return values.same(a.set, b.set) && same_state(values, a, b);
    });
  }

  /// Moves what is alive into fresh diagrams.
  void compact() {
    repeated.clear();
    auto fresh = std::make_unique<Workspace>();
    std::unordered_map<Ref, Ref> sets;
    std::unordered_map<Ref, Ref> files;
    const auto same = [](int leaf) { return leaf; };
    const auto renumber = [&](int leaf) {
      return fresh->warp_files.intern(workspace->warp_files[leaf]);
    };
    for (DiagramStrand& strand : strands) {
      strand.set.ref = fresh->diagrams.copy_from(diagrams(), strand.set.ref, same, sets);
      for (auto& file : strand.rest.warp_files) {
        file.ref = fresh->diagrams.copy_from(diagrams(), file.ref, renumber, files);
      }
      for (auto& config : strand.rest.configs) {
        config.ref = fresh->diagrams.copy_from(diagrams(), config.ref, same, sets);
      }
    }
    workspace = std::move(fresh);
  }

  Ref set() const {
    Ref all = diagrams().no();
    for (const DiagramStrand& strand : strands) all = diagrams().either(all, strand.set.ref);
    return all;
  }

  Ref distinct() const { return cuvier::distinct(diagrams(), orders, set()); }

  /// The simplest member: Algorithm 1's values where possible.
  Hypothesis simplest_of(Ref set) const {
    return with_order(nearest(diagrams(), set, {}), 0,
                      named_order(device, TieBreak::tpc_interleaved));
  }

  Hypothesis random_of(Ref set, Rng& rng) const {
    Hypothesis member;
    for (int axis = 0; axis < kAxes; ++axis) {
      std::vector<double> weights;
      for (int v = 0; v < axis_size(axis); ++v) {
        const double count = diagrams().count(diagrams().child(set, axis, v));
        weights.push_back(assumptions.allows(axis, v) ? count : 0);
      }
      const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
      if (std::popcount(all_values(axis) & ~last_resorts(axis)) == 1 && total == weights[0]) {
        set = diagrams().child(set, axis, 0);
        continue;  // draws nothing: it changes no probe
      }
      double at = static_cast<double>(rng() >> 11) * 0x1p-53 * total;
      int value = 0;
      while (value + 1 < axis_size(axis) && (weights[value] == 0 || at >= weights[value])) {
        at -= weights[value++];
      }
      member.values[axis] = static_cast<std::uint8_t>(value);
      set = diagrams().child(set, axis, value);
    }
    // Where the observations leave the order open, members differ in it, too.
    std::vector<int> preferred = named_order(device, TieBreak::linear);
    for (std::size_t i = preferred.size(); i-- > 1;) {
      std::swap(preferred[i], preferred[uniform(rng, 0, static_cast<int>(i))]);
    }
    return with_order(member, rng(), preferred);
  }

  std::vector<const DiagramStrand*> strands_of(const Hypothesis& h) const {
    std::vector<const DiagramStrand*> with;
    for (const DiagramStrand& strand : strands) {
      if (diagrams().value_at(strand.set.ref, h) == 1) with.push_back(&strand);
    }
    return with;
  }

  /// Gives a learned tie-break an order that was learned for it: there may be several, of
  /// which `which` chooses one.
  Hypothesis with_order(Hypothesis h, std::uint64_t which,
                        const std::vector<int>& preferred) const {
    if (h.get<TieBreak>() != TieBreak::learned) return h;
    const auto learned_for = strands_of(h);
    h.order = learned_for[which % learned_for.size()]->precedences.order(preferred);
    return h;
  }

  /// Groups that only their order tells apart: all, or where the smallest goes first those of one
  /// size.
  std::vector<std::vector<int>> rivals_under(const Hypothesis& h) const {
    const auto groups = groups_of(device, h.get<Hierarchy>());
    const bool by_size = h.get<GroupSelection>() == GroupSelection::smallest_first;
    std::map<std::size_t, std::vector<int>> rivals;
    for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
      rivals[by_size ? groups[g].size() : 0].push_back(g);
    }
    return mapped(rivals, [](const auto& of_size) { return of_size.second; });
  }

  /// The hypothesis with each of its learned orders; none if one is not known to the end.
  std::optional<std::vector<Hypothesis>> with_orders(Hypothesis h) const {
    if (h.get<TieBreak>() != TieBreak::learned) return {{std::move(h)}};
    std::vector<Hypothesis> each;
    std::vector<int> preferred = named_order(device, TieBreak::linear);
    for (const DiagramStrand* strand : strands_of(h)) {
      h.order = strand->precedences.order(preferred);
      const std::vector<int> reversed(h.order.rbegin(), h.order.rend());
      if (strand->precedences.order(reversed) != h.order &&
          !strand->precedences.settle(groups_of(device, h.get<Hierarchy>()), rivals_under(h))) {
        return std::nullopt;
      }
      if (std::ranges::find(each, h) == each.end()) each.push_back(h);
    }
    return each;
  }

  std::optional<std::vector<Hypothesis>> members(int most) const {
    const Ref all = distinct();
    if (strands.empty() || diagrams().count(all) > most) return std::nullopt;
    std::vector<Hypothesis> listed{simplest_of(all)};
    std::ranges::copy(members_of(diagrams(), all), std::back_inserter(listed));
    std::erase_if(listed, [&](const Hypothesis& each) {
      return &each != &listed.front() && each.values == listed.front().values;
    });
    std::vector<Hypothesis> members;
    for (const Hypothesis& each : listed) {
      const auto ordered = with_orders(each);
      if (!ordered) return std::nullopt;
      members.insert(members.end(), ordered->begin(), ordered->end());
    }
    return members;
  }

  bool contains(const Hypothesis& h) const {
    return std::ranges::any_of(strands_of(h), [&](const DiagramStrand* strand) {
      return h.order.empty() || strand->precedences.allows(h.order);
    });
  }

  Device device;
  FirstOrders orders;
  Assumptions assumptions;
  std::vector<Assumptions> parts;  ///< of the space, in the order in which they are considered
  std::size_t part = 0;            ///< the one at hand
  std::unique_ptr<Workspace> workspace;
  std::vector<DiagramStrand> strands;
  std::vector<Recording> observed;
  std::optional<std::vector<Simulator>> simulated;  ///< all that are left, where they are few
  std::vector<Recording> foreseen;   ///< the latest of the session: strands do not follow them yet
  Recording repeated_recording;      ///< the latest
  std::vector<Transition> repeated;  ///< what it did each time since it began to repeat
  HypothesisCount initial;
};

VersionSpace::VersionSpace(const Device& device, const Assumptions& assumptions)
    : state_(std::make_unique<State>(device, assumptions)) {}
VersionSpace::~VersionSpace() = default;
VersionSpace::VersionSpace(VersionSpace&&) noexcept = default;
VersionSpace& VersionSpace::operator=(VersionSpace&&) noexcept = default;

bool VersionSpace::observe(const Recording& recording, const Task& task) {
  return state_->observe(recording, task);
}

bool VersionSpace::empty() const { return state_->strands.empty(); }

bool VersionSpace::contains(const Hypothesis& hypothesis) const {
  return state_->contains(hypothesis);
}

HypothesisCount VersionSpace::count() const {
  HypothesisCount count = state_->initial;
  count.remaining = state_->diagrams().count(state_->distinct());
  count.exact = count.combinations < 0x1p53;
  return count;
}

SurvivingValues VersionSpace::surviving() const {
  return surviving_in(state_->diagrams(), state_->set());
}

std::array<bool, kAxes> VersionSpace::open() const {
  std::array<bool, kAxes> open{};
  const Ref set = state_->set();
  for (int axis = 0; axis < kAxes; ++axis) {
    const Ref where = mattering(state_->diagrams(), axis);
    const std::vector<int> values =
        values_in(state_->diagrams(), state_->diagrams().both(set, where), axis);
    open[axis] = std::ranges::any_of(values, [&](int v) {
      return state_->orders.of(axis, v) != state_->orders.of(axis, values.front());
    });
  }
  return open;
}

Hypothesis VersionSpace::simplest() const { return state_->simplest_of(state_->set()); }

std::optional<std::vector<Hypothesis>> VersionSpace::members(int most) const {
  return state_->members(most);
}

std::vector<Hypothesis> VersionSpace::draw(int count, Rng& rng) const {
  const Ref all = state_->distinct();
  std::vector<Hypothesis> drawn;
  const auto add = [&](const Hypothesis& h) {
    if (static_cast<int>(drawn.size()) < count && std::ranges::find(drawn, h) == drawn.end()) {
      drawn.push_back(h);
    }
  };
  if (empty()) return drawn;
  const Hypothesis simplest = state_->simplest_of(all);
  add(simplest);
  // If any other order was learned for it, there is one of these.
  const std::vector<int> reversed(simplest.order.rbegin(), simplest.order.rend());
  for (int i = 0; i < count && !reversed.empty(); ++i) {
    add(state_->with_order(simplest, i, reversed));
  }
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int v = 0; v < axis_size(axis); ++v) {
      const Ref neighbours =
          state_->diagrams().both(all, state_->diagrams().literal(axis, 1u << v));
      if (neighbours != state_->diagrams().no()) add(state_->simplest_of(neighbours));
    }
  }
  for (int tries = 0; tries < 4 * count; ++tries) add(state_->random_of(all, rng));
  return drawn;
}

}  // namespace cuvier
