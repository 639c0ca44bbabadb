#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

namespace cuvier {

/// Whether two are the same for every hypothesis is seen at a glance.
template <class T>
concept ToldApartAtOnce = requires(const T& t) {
  { t == t } -> std::same_as<bool>;
};
template <class T>
bool same_at_once(const T& a, const T& b) {
  if constexpr (ToldApartAtOnce<T>) return a == b;
  return false;
}

/// From where on an order is gone through, round and round: from where the option `cursor` is, or
/// `skip` behind it; from its start where there is no cursor.
struct Entry {
  int cursor = -1;
  int cursor_rank = 0;
  int skip = 0;

  bool at_start() const { return cursor < 0; }

  /// What orders options from there on, by their rank.
  int turn(int rank) const {
    if (at_start()) return rank;
    constexpr int round = 1 << 20;  // more than any number of options
    const int first = cursor_rank + skip;
    return rank < first ? rank - first + round : rank - first;
  }

  /// The rank of the first of so many options.
  int first_rank(int count) const { return at_start() ? 0 : (cursor_rank + skip) % count; }
};

/// An SM that a block may go to, or a group of them.
template <class Int, class Bool>
struct Option {
  int id;  ///< of the SM or the group
  Bool eligible{};
  Int key{};     ///< least first
  int rank = 0;  ///< least first among equal keys; of no meaning in an order not yet known
};

/// Options by id. The choice keeps them up to date.
template <class Int, class Bool>
class OptionList {
 public:
  using Option = cuvier::Option<Int, Bool>;

  explicit OptionList(int count) {
    for (int id = 0; id < count; ++id) list_.push_back({id});
  }

  void set_rank(const std::vector<int>& ranks) {
    for (Option& o : list_) o.rank = ranks.empty() ? 0 : ranks[o.id];
  }
  void set_eligible(int id, Bool eligible) { list_[id].eligible = std::move(eligible); }
  void set_key(int id, Int key) { list_[id].key = std::move(key); }

  const Option& operator[](int id) const { return list_[id]; }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  int size() const { return static_cast<int>(list_.size()); }

 private:
  std::vector<Option> list_;
};

/// The same of integers, in which the first of the least is found without looking at all of them:
/// a tree of least keys over the options in their order. After set_rank(), set_key() must follow
/// set_eligible() before least() is asked.
class Tournament : public OptionList<int, bool> {
 public:
  explicit Tournament(int count)
      : OptionList(count),
        leaves_(static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)))),
        least_(2 * static_cast<std::size_t>(leaves_), kNone),
        at_(count) {}

  void set_rank(const std::vector<int>& ranks) {
    if (std::ranges::equal(*this, ranks, {}, &Option::rank)) return;
    OptionList::set_rank(ranks);
    std::ranges::fill(least_, kNone);
    for (const Option& o : *this) {
      at_[o.rank] = o.id;
      put(o);
    }
  }
  /// One that is not eligible needs no key.
  void set_eligible(int id, bool eligible) {
    eligible_ += eligible - (*this)[id].eligible;
    OptionList::set_eligible(id, eligible);
    if (!eligible) put((*this)[id]);
  }
  void set_key(int id, int key) {
    OptionList::set_key(id, key);
    put((*this)[id]);
  }

  /// Whether any option is eligible.
  bool any() const { return eligible_ > 0; }

  /// Of the eligible options with the least key the first from there on.
  int least(const Entry& entry) const {
    const int node = entry.at_start() ? 1 : first_above(leaves_ + entry.first_rank(size()));
    return at_[static_cast<std::uint32_t>(least_[node])];
  }

  /// The first option from there on.
  const Option& first(const Entry& entry) const { return (*this)[at_[entry.first_rank(size())]]; }

 private:
  /// A key with the rank of who has it, so that the least has the first rank of all that have it.
  using Ranked = std::int64_t;
  static constexpr Ranked ranked(int key, int rank) { return (Ranked{key} << 32) + rank; }
  static constexpr int key_in(Ranked ranked) { return static_cast<int>(ranked >> 32); }
  static constexpr Ranked kNone = Ranked{std::numeric_limits<int>::max()} << 32;

  void put(const Option& option) {
    Ranked least = option.eligible ? ranked(option.key, option.rank) : kNone;
    for (int node = leaves_ + option.rank; least_[node] != least; node /= 2) {
      least_[node] = least;
      if (node == 1) break;
      least = std::min(least, least_[node ^ 1]);
    }
  }

  /// The node above the first leaf with the least key from this leaf on; where there is none, the
  /// root, as that is of the first of all.
  int first_above(int node) const {
    while (key_in(least_[node]) != key_in(least_[1])) {
      while (node % 2 == 1) node /= 2;  // all beneath its parent was seen
      if (node == 0) return 1;
      ++node;
    }
    return node;
  }

  int leaves_;
  std::vector<Ranked> least_;  ///< eligible beneath each node; node n is above 2n and 2n + 1
  std::vector<int> at_;        ///< the option of a rank
  int eligible_ = 0;
};

}  // namespace cuvier
