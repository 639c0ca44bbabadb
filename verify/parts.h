#pragma once

// What one SM answers under each combination of the values of the axes that it goes by. Warps and
// shared memory rest on different axes, and on what was placed on the SM; so an answer is a table
// over a few axes, whatever the others are.

#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "verify/probe.h"
#include "verify/shared_memory.h"
#include "verify/space.h"
#include "verify/warps.h"

namespace cuvier::verify {

/// A set of combinations, ascending. Equal sets are one object (Sets), so that they are compared
/// by their address.
using Set = std::vector<int>;

/// Of numbers.
struct Hash {
  std::size_t operator()(const auto& numbers) const {
    std::size_t hash = 0;
    for (const auto number : numbers) {
      hash = (hash ^ static_cast<std::size_t>(number)) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

class Sets {
 public:
  const Set* get(Set set) { return &*sets_.insert(std::move(set)).first; }
  const Set* either(const Set* one, const Set* other);

 private:
  std::unordered_set<Set, Hash> sets_;
};

/// The answers of each combination to one question; those of combinations that are excluded
/// already say nothing.
struct Answers {
  std::vector<int> by_combination;

  struct Range {
    int least = 0;
    int most = 0;
  };
  Range range(const Set* set);
  /// The set by its answers, none above `cap` told apart.
  const std::vector<const Set*>& split(const Set* set, int cap, Sets& sets);

 private:
  std::unordered_map<const Set*, Range> ranges_;
  std::map<std::pair<const Set*, int>, std::vector<const Set*>> splits_;
};
/// By what was asked, of which node and kernel, and the rest that it rests on.
using Asked = std::array<int, 7>;
using AllAnswers = std::unordered_map<Asked, Answers, Hash>;

/// An SM's warps and registers. A node is what an SM holds, under each combination.
class WarpPart {
 public:
  WarpPart(const Device& device, const Space& space);

  const std::vector<Mechanism>& combinations() const { return combinations_; }
  /// A probe begins. Only these combinations are kept, by their place among them from now on; the
  /// nodes of SMs are renumbered, too.
  void begin(const Probe& probe, const Set& kept,
             const std::vector<std::vector<int>*>& nodes_of_sms);
  /// From now on the answers of others do not matter.
  void look_at(const Set& live) { live_ = live; }
  int empty() { return interned(std::vector<WarpFile>(combinations_.size(), WarpFile(device_))); }

  int place(int node, int kernel);
  int leave(int node, const std::vector<int>& places);
  int device_idle(int node);
  /// An idle SM, where such a block came last and its last warp went there.
  int after(const Kernel& kernel, int last);

  enum class Question { fits, room, registers };
  Answers& answers(int node, int kernel, Question question);
  Answers& several(int node, int kernel, int most);
  /// Those under which the block at this place of the SM has its warps there.
  Set with_routes(const Set& set, int node, int place, const std::vector<int>& routes) const;
  int warp_registers(int combination, const Kernel& kernel) const {
    return rules_[combination].warp_registers(kernel);
  }

 private:
  int interned(std::vector<WarpFile> files);
  /// The node after that change of each file; `by` says which change it is.
  int changed(std::vector<int> by, int node, const auto& change);

  const Device& device_;
  std::vector<Mechanism> combinations_;
  std::vector<WarpRules> rules_;
  const Probe* probe_ = nullptr;
  Set live_;
  std::vector<std::vector<WarpFile>> nodes_;
  std::unordered_multimap<std::size_t, int> node_by_hash_;
  std::unordered_map<std::vector<int>, int, Hash> made_;  ///< nodes, by what was done to which
  AllAnswers answers_;
};

/// An SM's shared memory. A combination is one of what a kernel needs (config_occupancy,
/// config_rounding, shared_granularity, runtime_shared, register_granularity) and one of the other
/// rules.
class SharedPart {
 public:
  SharedPart(const Device& device, const Space& space);

  int size() const { return static_cast<int>(combinations_.size()); }
  /// Between them they decide all its axes.
  const Mechanism& needs_mechanism(int combination) const {
    return needs_[combinations_[combination].needs];
  }
  const Mechanism& rules_mechanism(int combination) const {
    return rules_[combinations_[combination].rules];
  }
  /// As WarpPart's.
  void begin(const Probe& probe, const Set& kept);
  void look_at(const Set& live) { live_ = live; }
  int empty() const { return 0; }

  /// Whose block configured the SM's domain, by config_scope.
  using ConfiguredBy = std::array<int, 4>;
  int place(int node, int kernel, const ConfiguredBy& by);
  int leave(int node, const std::vector<int>& places);

  enum class Question { fits, room, bytes };
  Answers& answers(int node, int kernel, const ConfiguredBy& by, Question question);
  Answers& several(int node, int kernel, const ConfiguredBy& by, int most);
  /// Those under which the kernel prefers this configuration.
  Set that_prefer(const Set& set, int kernel, long config) const;

 private:
  struct Node {
    std::vector<SharedMemory> states;
    std::vector<int> of_combination;  ///< which of them
    bool operator==(const Node&) const = default;
  };
  struct Combination {
    int needs;
    int rules;
  };
  const SharedNeeds& needs(int combination, int kernel) const {
    return needs_of_kernels_[combinations_[combination].needs][kernel];
  }
  const SharedRules& rules(int combination) const {
    return shared_rules_[combinations_[combination].rules];
  }
  long config(int combination, const ConfiguredBy& by) const;
  int interned(Node node);

  const Device& device_;
  std::vector<Mechanism> needs_;
  std::vector<Mechanism> rules_;
  std::vector<Combination> combinations_;
  std::vector<SharedRules> shared_rules_;
  std::vector<std::vector<SharedNeeds>> needs_of_kernels_;
  Set live_;
  std::vector<Node> nodes_;
  std::unordered_multimap<std::size_t, int> node_by_hash_;
  std::unordered_map<std::vector<int>, int, Hash> made_;  ///< nodes, by what was done to which
  AllAnswers answers_;
};

/// Each combination of the values of these axes.
std::vector<Mechanism> combinations_of(const Space& space, const std::vector<int>& of_axes);

}  // namespace cuvier::verify
