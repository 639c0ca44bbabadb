#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cuvier {

/// Finds entries of a row by their hash, by open addressing. It is made for tables that are
/// emptied over and over: clear() takes as long as there are entries, and gives back nothing.
class FlatIndex {
 public:
  /// The entry of that hash for which `is_it(entry)` holds; -1 where there is none.
  template <class IsIt>
  int find(std::size_t hash, IsIt&& is_it) const {
    if (places_.empty()) return -1;
    std::size_t place = home(hash);
    for (; places_[place] >= 0; place = next(place)) {
      const int entry = places_[place];
      if (hashes_[entry] == hash && is_it(entry)) return entry;
    }
    return -1;
  }

  /// Adds the next entry: they are numbered from 0.
  void add(std::size_t hash) {
    hashes_.push_back(hash);
    if (2 * hashes_.size() > places_.size()) {
      places_.assign(std::max<std::size_t>(16, 2 * places_.size()), -1);
      for (std::size_t entry = 0; entry < hashes_.size(); ++entry) put(static_cast<int>(entry));
    } else {
      put(static_cast<int>(hashes_.size()) - 1);
    }
  }

  int size() const { return static_cast<int>(hashes_.size()); }

  void clear() {
    // The latest first: those before it are all in the way that leads to it.
    while (!hashes_.empty()) {
      std::size_t place = home(hashes_.back());
      while (places_[place] != static_cast<int>(hashes_.size()) - 1) place = next(place);
      places_[place] = -1;
      hashes_.pop_back();
    }
  }

 private:
  std::size_t home(std::size_t hash) const { return hash & (places_.size() - 1); }
  std::size_t next(std::size_t place) const { return (place + 1) & (places_.size() - 1); }

  void put(int entry) {
    std::size_t place = home(hashes_[entry]);
    while (places_[place] >= 0) place = next(place);
    places_[place] = entry;
  }

  std::vector<std::size_t> hashes_;  ///< by entry
  std::vector<int> places_;          ///< entries; a power of two of them; -1: none
};

/// A hash of what has `hash` and then the value.
inline std::size_t hash_combine(std::size_t hash, std::size_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  return hash ^ hash >> 32;
}

}  // namespace cuvier
