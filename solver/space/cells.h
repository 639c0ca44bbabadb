#pragma once

#include <boost/dynamic_bitset.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "hypotheses/scheduler/options.h"

namespace cuvier {

/// Options that no hypothesis tells apart but by their rank.
template <class Int, class Bool>
struct Cell {
  Bool eligible{};
  Int key{};
  int first = 0;  ///< by turn: its id
  int turn = 0;   ///< of that one
};

/// Options of which the cells are kept up to date: a choice looks at these, not at all options. For
/// what is ToldApartAtOnce.
template <class Int, class Bool>
class CellList : public OptionList<Int, Bool> {
 public:
  using Base = OptionList<Int, Bool>;
  using Cell = cuvier::Cell<Int, Bool>;

  explicit CellList(int count) : Base(count), place_(count), at_(count) {
    std::iota(place_.begin(), place_.end(), 0);
    put_all();
  }

  void set_rank(const std::vector<int>& ranks) {
    Base::set_rank(ranks);
    if (ranks.empty()) return;  // an order not yet known
    place_ = ranks;
    put_all();
  }
  void set_eligible(int id, Bool eligible) {
    if ((*this)[id].eligible == eligible) return;
    take(id);
    Base::set_eligible(id, std::move(eligible));
    put(id);
  }
  void set_key(int id, Int key) {
    if ((*this)[id].key == key) return;
    take(id);
    Base::set_key(id, std::move(key));
    put(id);
  }

  std::vector<Cell> cells(const Entry& entry) const {
    std::vector<Cell> cells;
    const int from = entry.first_rank(this->size());
    for (const Members& members : members_) {
      if (members.places.none()) continue;
      auto place = from == 0 ? members.places.find_first() : members.places.find_next(from - 1);
      if (place == boost::dynamic_bitset<>::npos) place = members.places.find_first();
      cells.push_back(
          {members.eligible, members.key, at_[place], entry.turn(static_cast<int>(place))});
    }
    return cells;
  }

  /// The first option from there on.
  const typename Base::Option& first(const Entry& entry) const {
    return (*this)[at_[entry.first_rank(this->size())]];
  }

 private:
  struct Members {
    Bool eligible;
    Int key;
    boost::dynamic_bitset<> places;
  };

  void put_all() {
    members_.clear();
    for (int id = 0; id < this->size(); ++id) {
      at_[place_[id]] = id;
      put(id);
    }
  }

  void put(int id) {
    const auto& option = (*this)[id];
    Members* free = nullptr;
    for (Members& members : members_) {
      if (members.eligible == option.eligible && members.key == option.key) {
        members.places.set(place_[id]);
        return;
      }
      if (members.places.none()) free = &members;
    }
    if (!free) free = &members_.emplace_back(Members{{}, {}, boost::dynamic_bitset<>(at_.size())});
    free->eligible = option.eligible;
    free->key = option.key;
    free->places.set(place_[id]);
  }

  void take(int id) {
    const auto& option = (*this)[id];
    for (Members& members : members_) {
      if (members.eligible == option.eligible && members.key == option.key) {
        members.places.reset(place_[id]);
      }
    }
  }

  std::vector<int> place_;  ///< of an option: its rank, once there is one
  std::vector<int> at_;     ///< the option of a place
  std::vector<Members> members_;
};

}  // namespace cuvier
