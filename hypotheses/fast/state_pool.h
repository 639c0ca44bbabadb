#pragma once

#include <vector>

#include "hypotheses/fast/flat_index.h"
#include "hypotheses/readings/concrete.h"
#include "hypotheses/scheduler/shared_memory.h"
#include "hypotheses/scheduler/warp_file.h"

namespace cuvier {

inline std::size_t hash_of(const AddressSpace<Concrete>& space, std::size_t hash) {
  for (const auto& i : space.intervals) {
    const auto at = static_cast<std::size_t>(i.base);
    hash = hash_combine(hash, at << 32 ^ i.size << 2 ^ i.space);
  }
  return hash;
}

/// Small numbers in one.
inline std::size_t packed(const PerSubpartition<Concrete>& each) {
  std::size_t packed = 0;
  for (const int one : each) packed = packed << 16 ^ one;
  return packed;
}

inline std::size_t hash_of(const WarpFile<Concrete>& file) {
  std::size_t hash = hash_combine(file.pointer, packed(file.used_slots));
  hash = hash_combine(hash, packed(file.used_registers));
  for (const auto& holding : file.holdings) hash = hash_combine(hash, packed(holding.warps));
  return hash_of(file.rows, hash_of(file.registers, hash));
}

inline std::size_t hash_of(const SharedMemory<Concrete>& memory) {
  return hash_of(memory.space, memory.blocks);
}

/// States by number: equal states have equal numbers.
template <class State>
class StatePool {
 public:
  int intern(State state) {
    const std::size_t hash = hash_of(state);
    const int known = index_.find(hash, [&](int number) { return states_[number] == state; });
    if (known >= 0) return known;
    states_.push_back(std::move(state));
    index_.add(hash);
    return size() - 1;
  }

  const State& operator[](int number) const { return states_[number]; }
  int size() const { return static_cast<int>(states_.size()); }

 private:
  std::vector<State> states_;
  FlatIndex index_;
};

}  // namespace cuvier
