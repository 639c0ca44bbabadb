#pragma once

// How an Exploration picks an SM: of the cells of its options, in an order that may be unknown.

#include <algorithm>
#include <utility>
#include <vector>

#include "solver/space/exploration.h"

namespace cuvier {

template <LiftedValues V>
auto Exploration<V>::find_cursor(const std::vector<Option>& options) -> Option {
  // Either it is where the block was seen to go, or on any SM on which it must wait, perhaps
  // until another kernel's block has moved the cursor.
  std::vector<Bool> branches;
  for (const Option& option : options) {
    const bool other_first = std::ranges::any_of(
        options, [&](const Option& other) { return goes_before(other, option, 0); });
    const bool goes = !other_first && may_place(option.id);
    branches.push_back(goes ? values_.both(paths_.alive(), option.eligible) : values_.no());
    branches.push_back(other_first ? values_.no()
                                   : values_.without(paths_.alive(), option.eligible));
  }
  const Option& at = options[paths_.follow(branches) / 2];
  for (const Option& other : options) {
    if (&other != &at) learn_before(at, other, 0);
  }
  return at;
}

template <LiftedValues V>
auto Exploration<V>::cells_of(const auto& options, const Entry& entry) const -> std::vector<Cell> {
  std::vector<Cell> cells;
  if constexpr (requires { options.cells(entry); }) {
    cells = options.cells(entry);
    std::erase_if(cells, [&](const Cell& cell) { return values_.is_no(cell.eligible); });
  } else {
    for (const Option& option : options) {
      if (values_.is_no(option.eligible)) continue;
      const int turn = entry.turn(option.rank);
      const auto cell =
          std::ranges::find_if(cells, [&](const Cell& c) { return is_in(c, option); });
      if (cell == cells.end()) {
        cells.push_back({option.eligible, option.key, option.id, turn});
      } else if (turn < cell->turn) {
        cell->first = option.id;
        cell->turn = turn;
      }
    }
  }
  return cells;
}

template <LiftedValues V>
int Exploration<V>::pick_ranked(const auto& options, const Entry& entry, const auto& allowed) {
  return paths_.follow([&] {
    const std::vector<Cell> cells = cells_of(options, entry);
    std::vector<Branch> branches;
    for (const Cell& cell : cells) {
      Bool wins = allowed(cell.first) ? values_.both(paths_.alive(), cell.eligible) : values_.no();
      for (const Cell& other : cells) {
        if (values_.is_no(wins)) break;
        if (&other == &cell) continue;
        const auto how = other.turn < cell.turn ? Beats::at_most : Beats::less;
        wins = values_.without(wins, beaten_by(other, cell.key, how));
      }
      branches.push_back({cell.first, wins});
    }
    return branches;
  });
}

template <LiftedValues V>
int Exploration<V>::pick_in_unknown_order(const std::vector<Option>& options, int first_node,
                                          const auto& allowed) {
  const std::vector<Cell> cells = cells_of(options, {});
  std::vector<std::vector<const Option*>> options_of(cells.size());
  std::vector<std::pair<std::size_t, const Option*>> contenders;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (const Option& o : options) {
      if (is_in(cells[c], o)) options_of[c].push_back(&o);
    }
    std::ranges::stable_sort(options_of[c], {}, &Option::rank);
    for (const Option* o : options_of[c]) {
      if (allowed(o->id)) contenders.emplace_back(c, o);
    }
  }
  std::vector<Bool> branches;
  for (const auto& [own, option] : contenders) {
    const auto surely_before = [&, winner = option](const Option* other) {
      return goes_before(*other, *winner, first_node);
    };
    Bool wins = values_.both(paths_.alive(), cells[own].eligible);
    for (std::size_t c = 0; c < cells.size() && !values_.is_no(wins); ++c) {
      const bool beaten = std::ranges::any_of(options_of[c], surely_before);
      if (c == own) {
        if (beaten) wins = values_.no();
      } else {
        wins = values_.without(
            wins, beaten_by(cells[c], option->key, beaten ? Beats::at_most : Beats::less));
      }
    }
    branches.push_back(wins);
  }
  const auto [own, winner] = contenders[paths_.follow(branches)];
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto settled = [&, winner = winner](const Option* o) {
      return o == winner || goes_before(*winner, *o, first_node);
    };
    if (std::ranges::all_of(options_of[c], settled)) continue;
    if (c != own && !decide(beaten_by(cells[c], winner->key, Beats::equal))) continue;
    for (const Option* o : options_of[c]) {
      if (o != winner) learn_before(*winner, *o, first_node);
    }
  }
  return winner->id;
}

}  // namespace cuvier
