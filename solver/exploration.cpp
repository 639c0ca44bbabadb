#include "solver/exploration.h"

#include <algorithm>

namespace cuvier {
namespace {

// Far beyond what a recording with known SMs needs; one without may fork at every block.
constexpr int kMostPaths = 200'000;

}  // namespace

Exploration::Exploration(const Device& device, Workspace& workspace,
                         const Expectation& expectation, Ref care)
    : device_(device),
      workspace_(workspace),
      diagrams_(workspace.diagrams),
      expectation_(expectation),
      warp_care_(diagrams_.project(care, members(WarpFileAxes{}))),
      shared_care_(diagrams_.project(care, members(SharedMemoryAxes{}))) {}

void Exploration::begin(Ref alive, const Precedences& precedences) {
  start_ = alive;
  known_at_start_ = precedences;
  to_visit_.assign(1, {});
}

bool Exploration::next_path() {
  if (to_visit_.empty()) return false;
  if (++paths_ > kMostPaths) {
    throw GaveUp("more than " + std::to_string(kMostPaths) +
                 " ways to explain one recording: it tells too little of where blocks went");
  }
  decisions_ = std::move(to_visit_.back());
  to_visit_.pop_back();
  decided_ = 0;
  alive_ = start_;
  precedences_ = known_at_start_;
  resolved_.fill(-1);
  return true;
}

void Exploration::end_step(int kernels) {
  for (int k = 0; k < kernels; ++k) {
    const int started = static_cast<int>(started_on_[k].size());
    if (!expectation_.satisfied(step_, k, started)) throw DeadEnd();
  }
}

void Exploration::require_equal(Int value, int expected) {
  keep(diagrams_.settled(diagrams_.apply(std::array{alive_, value.ref}, [&](const auto& v) {
    return v[0] == 1 && v[1] == expected ? 1 : 0;
  })));
}

Ref Exploration::where(Ref care, int leaf) {
  return diagrams_.apply(std::array{care}, [&](const auto& cared_for) {
    return cared_for[0] == 1 ? leaf : Diagrams::kDontCare;
  });
}

Exploration::Warps Exploration::idle_warps() {
  return {where(warp_care_, workspace_.warp_files.intern({}))};
}

Exploration::Shared Exploration::idle_shared() {
  return {where(shared_care_, workspace_.shared_memories.intern({}))};
}

void Exploration::keep(Ref set) {
  if (set == diagrams_.no()) throw DeadEnd();
  alive_ = set;
}

int Exploration::follow(const std::vector<Ref>& branches) {
  std::vector<int> taken;
  for (int b = 0; b < static_cast<int>(branches.size()); ++b) {
    if (branches[b] != diagrams_.no()) taken.push_back(b);
  }
  if (taken.empty()) throw DeadEnd();
  int choice = taken[0];
  if (taken.size() > 1) {
    if (decided_ < decisions_.size()) {
      choice = decisions_[decided_];
    } else {
      for (std::size_t i = taken.size(); i-- > 1;) {
        to_visit_.push_back(decisions_);
        to_visit_.back().push_back(taken[i]);
      }
      decisions_.push_back(choice);
    }
    ++decided_;
  }
  alive_ = branches[choice];
  return choice;
}

bool Exploration::decide(Bool condition) {
  if (condition.ref == diagrams_.yes()) return true;
  if (condition.ref == diagrams_.no()) return false;
  return follow({diagrams_.both(alive_, condition.ref),
                 diagrams_.without(alive_, condition.ref)}) == 0;
}

bool Exploration::waits_beside(Bool some_eligible) {
  const Ref sticky =
      diagrams_.literal(index_of<Selection>(), one_of(Selection::sticky_round_robin));
  return follow({diagrams_.both(diagrams_.both(alive_, sticky), some_eligible.ref),
                 diagrams_.without(alive_, some_eligible.ref)}) == 0;
}

int Exploration::resolve_axis(int axis) {
  int& value = resolved_[axis];
  if (value < 0) {
    std::vector<Ref> branches;
    for (int v = 0; v < axis_size(axis); ++v) {
      branches.push_back(diagrams_.both(alive_, diagrams_.literal(axis, 1u << v)));
    }
    value = follow(branches);
  }
  return value;
}

const std::vector<int>& Exploration::sm_ranks() {
  const auto tie_break = resolve<TieBreak>();
  std::vector<int>& ranks = named_ranks_[tie_break];
  if (ranks.empty() && tie_break != TieBreak::learned) {
    ranks = ranks_of(named_order(device_, tie_break));
  }
  return ranks;
}

std::vector<int> Exploration::group_ranks(const std::vector<std::vector<int>>& groups) {
  if (!order_unknown()) return group_ranks_of(groups, sm_ranks());
  precedences_.set_groups(groups);
  return {};
}

int Exploration::rank_after(const std::vector<int>& ranks, int id, int cursor, int skip,
                            int first_node) {
  if (!ranks.empty()) return rank_after_cursor(ranks, id, cursor, skip);
  // In an unknown order: -1 on the cursor, 0 known to be ahead of it, 2 known to be behind
  // it, 1 neither.
  if (cursor < 0) return 0;
  if (id == cursor) return skip == 0 ? -1 : 2;
  if (precedences_.before(first_node + cursor, first_node + id)) return 0;
  return precedences_.before(first_node + id, first_node + cursor) ? 2 : 1;
}

int Exploration::first_in_order(const std::vector<Option>& options) {
  return static_cast<int>(std::ranges::min_element(options, {}, &Option::rank) - options.begin());
}

int Exploration::find_cursor(const std::vector<Option>& options) {
  // Each SM that the cursor passed is known to come before all that it did not pass yet.
  // Past the last, it is on the first again.
  const bool wrapped = std::ranges::none_of(options, [](const Option& o) { return o.rank == 0; });
  std::vector<const Option*> ahead;
  for (const Option& o : options) {
    const bool first = std::ranges::none_of(
        options, [&](const Option& other) { return precedences_.before(other.id, o.id); });
    if (wrapped ? first : o.rank == 0) ahead.push_back(&o);
  }
  // Either the cursor is where the block was seen to go, or on an SM on which it must wait,
  // perhaps until another kernel's block has moved the cursor.
  Ref waits = diagrams_.no();
  for (const Option* o : ahead) {
    waits = diagrams_.either(waits, diagrams_.without(alive_, o->eligible));
  }
  const auto at = std::ranges::find_if(ahead, &Option::allowed);
  const Ref goes = at == ahead.end() ? diagrams_.no() : diagrams_.both(alive_, (*at)->eligible);
  if (follow({goes, waits}) == 1) return -1;
  for (const Option* o : ahead) {
    if (o != *at && !o->allowed && !precedences_.add((*at)->id, o->id)) throw DeadEnd();
  }
  return static_cast<int>(*at - options.data());
}

std::vector<Exploration::Cell> Exploration::cells_of(const std::vector<Option>& options) const {
  std::vector<Cell> cells;
  for (const Option& option : options) {
    if (option.eligible == diagrams_.no()) continue;
    auto cell = std::ranges::find_if(cells, [&](const Cell& c) {
      return c.eligible == option.eligible && c.key == option.key;
    });
    if (cell == cells.end()) {
      cell = cells.insert(cells.end(), {option.eligible, option.key, {}});
    }
    cell->options.push_back(&option);
  }
  for (Cell& cell : cells) std::ranges::stable_sort(cell.options, {}, &Option::rank);
  return cells;
}

Ref Exploration::beaten_by(const Cell& cell, const Option& option, int how) {
  return apply(Beats{how}, Bool{cell.eligible}, Int{cell.key}, Int{option.key}).ref;
}

int Exploration::pick_option(const std::vector<Option>& options, int first_node) {
  if (order_unknown()) return pick_in_unknown_order(options, first_node);
  const std::vector<Cell> cells = cells_of(options);
  std::vector<Ref> branches;
  for (const Cell& cell : cells) {
    const Option& first = *cell.options[0];
    Ref wins = first.allowed ? diagrams_.both(alive_, cell.eligible) : diagrams_.no();
    for (const Cell& other : cells) {
      if (wins == diagrams_.no()) break;
      if (&other == &cell) continue;
      const bool goes_before = other.options[0]->rank < first.rank;
      wins = diagrams_.without(
          wins, beaten_by(other, first, goes_before ? Beats::at_most : Beats::less));
    }
    branches.push_back(wins);
  }
  return cells[follow(branches)].options[0]->id;
}

int Exploration::pick_in_unknown_order(const std::vector<Option>& options, int first_node) {
  const std::vector<Cell> cells = cells_of(options);
  // SMs that were observed as a set are alike: one stands for all. Where a block may wait for
  // the chosen group, nothing was observed of it: each may be the one.
  const bool alike = resolved_[index_of<Selection>()] != Selection::sticky_round_robin;
  std::vector<std::pair<const Cell*, const Option*>> contenders;
  for (const Cell& cell : cells) {
    const Option* best = nullptr;
    for (const Option* o : cell.options) {
      if (!o->allowed) continue;
      if (!alike) contenders.emplace_back(&cell, o);
      if (!best || (o->rank == best->rank &&
                    precedences_.before(first_node + o->id, first_node + best->id))) {
        best = o;
      }
    }
    if (alike && best) contenders.emplace_back(&cell, best);
  }
  std::vector<Ref> branches;
  for (const auto& [cell, option] : contenders) {
    const auto surely_before = [&, rank = option->rank](const Option* other) {
      return rank != 1 && other->rank < rank;
    };
    Ref wins = diagrams_.both(alive_, cell->eligible);
    for (const Cell& other : cells) {
      if (wins == diagrams_.no()) break;
      const bool beaten = std::ranges::any_of(other.options, surely_before);
      if (&other == cell) {
        if (beaten) wins = diagrams_.no();
      } else {
        wins = diagrams_.without(
            wins, beaten_by(other, *option, beaten ? Beats::at_most : Beats::less));
      }
    }
    branches.push_back(wins);
  }
  const auto [chosen_cell, winner] = contenders[follow(branches)];
  for (const Cell& other : cells) {
    const auto tied = [&, winner = winner](const Option* o) {
      return o != winner && o->rank == winner->rank && o->rank != 1 && !(alike && o->allowed);
    };
    if (std::ranges::none_of(other.options, tied)) continue;
    if (&other != chosen_cell && !decide({beaten_by(other, *winner, Beats::equal)})) continue;
    for (const Option* o : other.options) {
      if (tied(o) && !precedences_.add(first_node + winner->id, first_node + o->id)) {
        throw DeadEnd();
      }
    }
  }
  return winner->id;
}

void Exploration::placed(int kernel, int, int sm, const Warps& warps) {
  std::vector<int>& started = started_on_[kernel];
  if (!expectation_.allows(step_, kernel, started, sm)) throw DeadEnd();
  if (const auto* route = expectation_.route(step_, kernel, static_cast<int>(started.size()))) {
    keep(diagrams_.settled(diagrams_.apply(std::array{alive_, warps.ref}, [&](const auto& v) {
      return v[0] == 1 && workspace_.warp_files[v[1]].last_route == *route ? 1 : 0;
    })));
  }
  started.push_back(sm);
}

}  // namespace cuvier
