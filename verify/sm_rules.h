#pragma once

// One SM: scheduler.md, 5 and 6. What its warps and registers answer rests on other axes than what
// its shared memory does, so these are two parts of it that know nothing of each other.

#include "verify/mechanism.h"

namespace cuvier::verify {

/// Memory of which pieces are allocated: where they lie matters, or only how much they are.
struct AddressSpace {
  struct Piece {
    long begin = 0;
    long length = 0;
    long at_0 = 0;  ///< further ones, where it goes on at the beginning
    auto operator<=>(const Piece&) const = default;
  };
  /// Which gap a piece gets: that with the least of these, of its begin, its length, the piece and
  /// the space, and of the block's warps and registers; the first of several. None: it may be
  /// scattered.
  struct Fit {
    const Formula* key = nullptr;
    /// Instead: the first gap that suffices. What is free at the end of the space and at its
    /// beginning is one gap, which comes before all.
    bool is_ring = false;
    bool is_scattered() const { return !key && !is_ring; }
  };

  std::vector<Piece> taken = {};  ///< ascending, apart; none that goes on
  long amount = 0;                ///< taken, in all

  /// What of a size is not taken.
  long left(long size) const { return std::max(0L, size - amount); }
  /// What is free below `size`.
  std::vector<Piece> gaps(long size, Fit fit) const {
    if (fit.is_scattered()) return {{0, left(size)}};
    std::vector<Piece> gaps;
    long from = 0;
    // Perhaps beyond: a size may have become smaller.
    for (const auto& [begin, length, at_0] : taken) {
      if (std::min(begin, size) > from) gaps.push_back({from, std::min(begin, size) - from});
      from = std::max(from, begin + length);
    }
    if (size > from) gaps.push_back({from, size - from});
    if (fit.is_ring && gaps.size() > 1 && gaps.front().begin == 0 && size > from) {
      gaps.back().length += gaps.front().length;
      gaps.erase(gaps.begin());
    }
    return gaps;
  }
  /// How many pieces there is room for.
  long pieces(long size, long length, Fit fit) const {
    long pieces = 0;
    for (const Piece& gap : gaps(size, fit)) pieces += gap.length / length;
    return pieces;
  }
  /// For a block of so many warps and registers; at the end, where there is no room.
  Piece take(long size, long length, Fit fit, long w, long registers) {
    std::vector<Piece> gaps = this->gaps(size, fit);
    std::erase_if(gaps, [&](const Piece& gap) { return gap.length < length; });
    if (gaps.empty()) gaps = {{size, length}};
    const auto key = [&](const Piece& gap) {
      if (!fit.is_ring && !fit.key) return Formula::Key();
      if (!fit.is_ring) return fit.key->tuple({gap.begin, gap.length, length, size, w, registers});
      return Formula::Key{{gap.begin + gap.length > size ? -1.0 : gap.begin}};
    };
    const long begin = std::ranges::min_element(gaps, {}, key)->begin;
    const long to_end = fit.is_ring && begin < size ? std::min(length, size - begin) : length;
    amount += length;
    if (fit.is_scattered()) return {begin, length};
    taken.push_back({begin, to_end});
    if (to_end < length) taken.push_back({0, length - to_end});
    std::ranges::sort(taken);
    return {begin, to_end, length - to_end};
  }
  void give_back(const Piece& piece) {
    const auto erase = [&](const Piece& one) {
      if (const auto at = std::ranges::find(taken, one); at != taken.end()) taken.erase(at);
    };
    erase({piece.begin, piece.length});
    if (piece.at_0 > 0) erase({0, piece.at_0});
    amount -= piece.length + piece.at_0;
  }
  auto operator<=>(const AddressSpace&) const = default;
};

/// SMs that share a configuration of shared memory: whether they are idle, and became so in this
/// action, and the configuration that they have or had last.
template <class Config>
struct Domain {
  bool idle = true;
  bool emptied = false;
  Config config = {};
  bool operator==(const Domain&) const = default;
};
/// Those that an SM is in: its TPC, itself, the device (config_scope).
template <class Config>
using DomainsOf = std::array<Domain<Config>, 3>;
using Around = DomainsOf<long>;

/// What a block's warps hold.
struct HeldWarps {
  std::vector<int> subpartitions;              ///< of each warp
  std::vector<AddressSpace::Piece> registers;  ///< the same
  std::optional<int> row;  ///< slots of the SM from here on, where it needs them
  auto operator<=>(const HeldWarps&) const = default;
};

/// The warp slots and registers of an SM, and its warp pointer.
struct WarpFile {
  std::array<int, 4> free_slots;
  std::array<AddressSpace, 4> registers;  ///< with `per_sm` the first is the SM's
  int pointer = 0;
  std::vector<HeldWarps> held;  ///< by resident blocks, as they came
  auto operator<=>(const WarpFile&) const = default;
};

/// Of rules: those of one kind change what an SM has in the same way.
using Kind = std::array<long, 7>;

/// What rules of a mechanism are about: the kernels of a probe on a device.
struct RulesOf {
  const Device& device;
  const Mechanism& mechanism;
  const std::vector<Kernel>& kernels;

  /// A configuration of shared memory: other rules have none.
  long with_block(int, std::size_t, const Around&) const { return 0; }
};

/// About warps and registers. What is passed must outlive it.
class WarpRules : RulesOf {
 public:
  using State = WarpFile;

  explicit WarpRules(const RulesOf& of);
  using RulesOf::with_block;

  WarpFile empty() const;
  bool fits(const WarpFile& file, int kernel, const Around& = {}) const {
    return !routes(file, kernel).empty();
  }
  /// limit_w: further blocks that there is room for (warps, with `strict_warps`).
  int room(const WarpFile& file, int kernel, const Around& = {}) const;
  /// Registers that are held, and with a block of the kernel (-1: of none).
  int usage(const WarpFile& file, int kernel) const;
  /// A block comes; the last of `held` is what it holds. One that does not fit holds nothing.
  void place(WarpFile& file, int kernel, const Around& = {}) const;
  /// The blocks at these places of `held` leave: ascending.
  void leave(WarpFile& file, const std::vector<int>& places) const;
  /// The device is idle.
  void device_idle(WarpFile& file) const;
  /// On an idle SM whose latest block was of this kernel and its last warp went to `last`.
  int pointer_after(int kernel, int last) const;

  Kind kind(int kernel, const Around&) const;

 private:
  /// Where the row of slots for a block's warps begins: behind the last where there is none free;
  /// none where it needs no row.
  std::optional<int> row(const WarpFile& file, int kernel) const;
  /// Where the warps of a block go; empty where it does not fit.
  std::vector<int> routes(const WarpFile& file, int kernel) const;
  /// What the warps of a block have left of each subpartition, dealt one after the other.
  struct Dealt {
    std::array<int, 4> room;  ///< warps of the block that it can take
    std::array<int, 4> free_slots;
    std::array<long, 4> held;  ///< registers
    int next;                  ///< behind the latest warp; the pointer at first
  };
  /// Where warp i goes, the pointer being p.
  int to(int p, int i, int kernel, const Dealt& dealt) const;
  int pointer_behind(int pointer, int last, int kernel) const;
  std::array<int, 4> can_take(const WarpFile& file, int kernel) const;
  long worth(const AddressSpace& space, int kernel) const {
    return space.pieces(file_size_, each_[kernel], fit_);
  }

  bool per_sm_;
  AddressSpace::Fit fit_;
  long file_size_;
  std::vector<long> each_;  ///< registers that a warp holds, by kernel: r_w
};

/// What the blocks of an SM hold of its shared memory.
struct SharedMemory {
  AddressSpace space;
  std::vector<AddressSpace::Piece> held;  ///< by resident blocks, as they came
  auto operator<=>(const SharedMemory&) const = default;
};

/// Likewise about shared memory.
class SharedRules : RulesOf {
 public:
  using State = SharedMemory;

  explicit SharedRules(const RulesOf& of);

  SharedMemory empty() const { return {}; }
  bool fits(const SharedMemory& memory, int kernel, const Around& around) const;
  /// limit_s.
  int room(const SharedMemory& memory, int kernel, const Around& around) const;
  /// Bytes that are held, likewise.
  int usage(const SharedMemory& memory, int kernel) const {
    return static_cast<int>(memory.space.amount + (kernel < 0 ? 0 : needs_[kernel].bytes));
  }
  void place(SharedMemory& memory, int kernel, const Around& around) const;
  void leave(SharedMemory& memory, const std::vector<int>& places) const;
  /// The configuration that idle SMs take for the kernel, bytes.
  long target(int kernel) const { return needs_[kernel].target; }
  /// The configuration of the domain at that place once a block of the kernel is there; 0 where
  /// the mechanism has another's.
  long with_block(int kernel, std::size_t domain, const Around& around) const;
  /// What is remembered of one once its SMs are idle.
  long left(long config) const { return change_ ? config : 0; }

  Kind kind(int kernel, const Around& around) const;

 private:
  struct Needs {
    long bytes = 0;      ///< s
    long preferred = 0;  ///< configuration
    long target = 0;     ///< likewise
  };
  Needs needs(const Kernel& kernel) const;
  bool has_domains() const { return scope_ < std::tuple_size_v<Around>; }
  bool is_idle(const Around& around) const { return has_domains() && around[scope_].idle; }
  /// The configuration of the SM once a block of the kernel is there.
  long size_for(int kernel, const Around& around) const {
    return has_domains() ? with_block(kernel, scope_, around) : device.shared_configs.back();
  }

  AddressSpace::Fit fit_;
  const Formula* change_;  ///< of a configuration; none: it is as an idle domain took it
  std::size_t scope_;      ///< place in Around; behind it: every SM has the largest
  std::vector<Needs> needs_;
};

}  // namespace cuvier::verify
