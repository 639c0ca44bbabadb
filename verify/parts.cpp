#include "verify/parts.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cuvier::verify {
namespace {

Set all(int size) {
  Set set(size);
  std::iota(set.begin(), set.end(), 0);
  return set;
}

void mix(std::size_t& hash, std::size_t with) { hash = (hash ^ with) * 0x9E3779B97F4A7C15ULL; }

}  // namespace

std::vector<Mechanism> combinations_of(const Space& space, const std::vector<int>& of_axes) {
  std::vector<Mechanism> combinations = {Mechanism::undecided()};
  for (const int axis : of_axes) {
    std::vector<Mechanism> more;
    for (const Mechanism& each : combinations) {
      for (const Value& value : space.values(axis)) {
        more.push_back(each);
        more.back().decide(axis, value);
      }
    }
    combinations = std::move(more);
  }
  return combinations;
}

const Set* Sets::either(const Set* one, const Set* other) {
  if (one == other) return one;
  Set both;
  std::ranges::set_union(*one, *other, std::back_inserter(both));
  return get(std::move(both));
}

Answers::Range Answers::range(const Set* set) {
  const auto [at, is_new] = ranges_.try_emplace(set);
  if (is_new) {
    Range range{std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
    for (const int each : *set) {
      range.least = std::min(range.least, by_combination[each]);
      range.most = std::max(range.most, by_combination[each]);
    }
    at->second = range;
  }
  return at->second;
}

const std::vector<const Set*>& Answers::split(const Set* set, int cap, Sets& sets) {
  const auto [at, is_new] = splits_.try_emplace({set, cap});
  if (is_new) {
    std::map<int, Set> by_answer;
    for (const int each : *set) by_answer[std::min(cap, by_combination[each])].push_back(each);
    for (auto& [answer, part] : by_answer) at->second.push_back(sets.get(std::move(part)));
  }
  return at->second;
}

namespace {

/// That blocks leave, as what was done to a node.
std::vector<int> leaving(const std::vector<int>& places) {
  std::vector<int> by = {1};
  by.insert(by.end(), places.begin(), places.end());
  return by;
}

}  // namespace

// -- warps ----------------------------------------------------------------------------------------

WarpPart::WarpPart(const Device& device, const Space& space)
    : device_(device),
      combinations_(combinations_of(
          space, {axis_of<"register_granularity">(), axis_of<"warp_placement">(),
                  axis_of<"register_pool">(), axis_of<"register_layout">(),
                  axis_of<"pointer_skip">(), axis_of<"pointer_reset">(), axis_of<"room_warps">()})),
      live_(all(static_cast<int>(combinations_.size()))) {
  for (const Mechanism& each : combinations_) rules_.emplace_back(device_, each);
}

int WarpPart::interned(std::vector<WarpFile> files) {
  std::size_t hash = 0;
  for (const int each : live_) {
    for (const int slots : files[each].free_slots) mix(hash, slots);
    for (const AddressSpace& space : files[each].registers) mix(hash, space.amount);
    mix(hash, files[each].pointer);
  }
  const auto [from, to] = node_by_hash_.equal_range(hash);
  for (auto at = from; at != to; ++at) {
    if (nodes_[at->second] == files) return at->second;
  }
  nodes_.push_back(std::move(files));
  const int node = static_cast<int>(nodes_.size()) - 1;
  node_by_hash_.emplace(hash, node);
  return node;
}

void WarpPart::begin(const Probe& probe, const Set& kept,
                     const std::vector<std::vector<int>*>& nodes_of_sms) {
  probe_ = &probe;
  const auto before = std::move(nodes_);
  const auto all_before = std::move(combinations_);
  nodes_.clear();
  node_by_hash_.clear();
  made_.clear();
  answers_.clear();
  combinations_.clear();
  rules_.clear();
  for (const int each : kept) combinations_.push_back(all_before[each]);
  for (const Mechanism& each : combinations_) rules_.emplace_back(device_, each);
  live_ = all(static_cast<int>(kept.size()));
  std::map<int, int> now;
  for (std::vector<int>* nodes : nodes_of_sms) {
    for (int& node : *nodes) {
      const auto [at, is_new] = now.try_emplace(node);
      if (is_new) {
        std::vector<WarpFile> files;
        for (const int each : kept) files.push_back(before[node][each]);
        at->second = interned(std::move(files));
      }
      node = at->second;
    }
  }
}

int WarpPart::changed(std::vector<int> by, int node, const auto& change) {
  by.push_back(node);
  const auto [made, is_new] = made_.try_emplace(std::move(by));
  if (is_new) {
    std::vector<WarpFile> files = nodes_[node];
    for (const int each : live_) change(rules_[each], files[each]);
    made->second = interned(std::move(files));
  }
  return made->second;
}

int WarpPart::place(int node, int kernel) {
  return changed({0, kernel}, node, [&](const WarpRules& rules, WarpFile& file) {
    rules.place(file, probe_->kernels[kernel]);
  });
}

int WarpPart::leave(int node, const std::vector<int>& places) {
  return changed(leaving(places), node,
                 [&](const WarpRules& rules, WarpFile& file) { rules.leave(file, places); });
}

int WarpPart::device_idle(int node) {
  return changed({2}, node,
                 [](const WarpRules& rules, WarpFile& file) { rules.device_idle(file); });
}

int WarpPart::after(const Kernel& kernel, int last) {
  std::vector<WarpFile> files(combinations_.size(), WarpFile(device_));
  for (const int each : live_) files[each].pointer = rules_[each].pointer_after(kernel, last);
  return interned(std::move(files));
}

Answers& WarpPart::answers(int node, int kernel, Question question) {
  const auto [at, is_new] = answers_.try_emplace(Asked{static_cast<int>(question), node, kernel});
  if (is_new) {
    at->second.by_combination.resize(combinations_.size());
    const Kernel& of = probe_->kernels[kernel];
    for (const int each : live_) {
      const WarpFile& file = nodes_[node][each];
      const WarpRules& rules = rules_[each];
      at->second.by_combination[each] =
          question == Question::fits ? rules.fits(file, of)
          : question == Question::room
              ? rules.room(file, of)
              : rules.held_registers(file) + of.warps() * rules.warp_registers(of);
    }
  }
  return at->second;
}

Answers& WarpPart::several(int node, int kernel, int most) {
  const auto [at, is_new] = answers_.try_emplace(Asked{-1, node, kernel, most});
  if (is_new) {
    at->second.by_combination.resize(combinations_.size());
    for (const int each : live_) {
      at->second.by_combination[each] =
          rules_[each].several(nodes_[node][each], probe_->kernels[kernel], most);
    }
  }
  return at->second;
}

Set WarpPart::with_routes(const Set& set, int node, int place,
                          const std::vector<int>& routes) const {
  Set with;
  std::ranges::copy_if(set, std::back_inserter(with), [&](int each) {
    return nodes_[node][each].held[place].subpartitions == routes;
  });
  return with;
}

// -- shared memory --------------------------------------------------------------------------------

SharedPart::SharedPart(const Device& device, const Space& space)
    : device_(device),
      needs_(
          combinations_of(space, {axis_of<"register_granularity">(), axis_of<"config_occupancy">(),
                                  axis_of<"config_rounding">(), axis_of<"shared_granularity">(),
                                  axis_of<"runtime_shared">()})),
      rules_(combinations_of(space, {axis_of<"config_scope">(), axis_of<"config_gate">(),
                                     axis_of<"shared_placement">(), axis_of<"shared_room">()})) {
  for (int needs = 0; needs < static_cast<int>(needs_.size()); ++needs) {
    for (int rules = 0; rules < static_cast<int>(rules_.size()); ++rules) {
      combinations_.push_back({needs, rules});
    }
  }
}

void SharedPart::begin(const Probe& probe, const Set& kept) {
  const auto all_before = std::move(combinations_);
  combinations_.clear();
  for (const int each : kept) combinations_.push_back(all_before[each]);
  shared_rules_.clear();
  for (const Mechanism& each : rules_) shared_rules_.emplace_back(device_, each);
  live_ = all(size());
  nodes_.clear();
  node_by_hash_.clear();
  made_.clear();
  answers_.clear();
  needs_of_kernels_.clear();
  for (const Mechanism& each : needs_) {
    auto& of_kernels = needs_of_kernels_.emplace_back();
    const WarpRules warps(device_, each);
    const SharedRules shared(device_, each);
    for (const Kernel& kernel : probe.kernels) {
      of_kernels.push_back(shared.needs(kernel, warps.warp_registers(kernel)));
    }
  }
  interned({{SharedMemory{}}, std::vector<int>(size(), 0)});
}

long SharedPart::config(int combination, const ConfiguredBy& by) const {
  const int scope = rules_mechanism(combination)[axis_of<"config_scope">()].named;
  if (scope == value_of<"config_scope", "none">()) return device_.largest_config();
  return by[scope] < 0 ? SharedRules::idle : needs(combination, by[scope]).preferred;
}

int SharedPart::interned(Node node) {
  std::size_t hash = 0;
  for (const int each : live_) mix(hash, node.of_combination[each]);
  for (const SharedMemory& state : node.states)
    mix(hash, state.space.amount + 7 * state.held.size());
  const auto [from, to] = node_by_hash_.equal_range(hash);
  for (auto at = from; at != to; ++at) {
    if (nodes_[at->second] == node) return at->second;
  }
  nodes_.push_back(std::move(node));
  const int number = static_cast<int>(nodes_.size()) - 1;
  node_by_hash_.emplace(hash, number);
  return number;
}

namespace {

/// The states that come of others, each worked out once for all combinations with which it is
/// alike.
class NewStates {
 public:
  int get(const std::vector<long>& key, const auto& make) {
    const auto [at, is_new] = by_key_.try_emplace(key);
    if (is_new) {
      SharedMemory state = make();
      const auto same = std::ranges::find(states, state);
      at->second = static_cast<int>(same - states.begin());
      if (same == states.end()) states.push_back(std::move(state));
    }
    return at->second;
  }
  std::vector<SharedMemory> states;

 private:
  std::map<std::vector<long>, int> by_key_;
};

}  // namespace

int SharedPart::place(int node, int kernel, const ConfiguredBy& by) {
  const auto [made, is_new] = made_.try_emplace(std::vector{0, node, kernel, by[0], by[1], by[2]});
  if (is_new) {
    NewStates states;
    Node next{{}, std::vector<int>(size(), 0)};
    const Node& before = nodes_[node];
    for (const int each : live_) {
      const int state = before.of_combination[each];
      const SharedNeeds& needs = this->needs(each, kernel);
      const long size = config(each, by);
      const int placement = rules_mechanism(each)[axis_of<"shared_placement">()].named;
      next.of_combination[each] = states.get(
          {state, needs.bytes, size == SharedRules::idle ? needs.preferred : size, placement}, [&] {
            SharedMemory memory = before.states[state];
            rules(each).place(memory, needs, size);
            return memory;
          });
    }
    next.states = std::move(states.states);
    made->second = interned(std::move(next));
  }
  return made->second;
}

int SharedPart::leave(int node, const std::vector<int>& places) {
  std::vector<int> by = leaving(places);
  by.push_back(node);
  const auto [made, is_new] = made_.try_emplace(std::move(by));
  if (is_new) {
    NewStates states;
    Node next{{}, std::vector<int>(size(), 0)};
    const Node& before = nodes_[node];
    for (const int each : live_) {
      const int state = before.of_combination[each];
      const int placement = rules_mechanism(each)[axis_of<"shared_placement">()].named;
      next.of_combination[each] = states.get({state, placement}, [&] {
        SharedMemory memory = before.states[state];
        rules(each).leave(memory, places);
        return memory;
      });
    }
    next.states = std::move(states.states);
    made->second = interned(std::move(next));
  }
  return made->second;
}

Answers& SharedPart::answers(int node, int kernel, const ConfiguredBy& by, Question question) {
  const auto [at, is_new] =
      answers_.try_emplace(Asked{static_cast<int>(question), node, kernel, by[0], by[1], by[2]});
  if (is_new) {
    at->second.by_combination.resize(size());
    for (const int each : live_) {
      const SharedMemory& memory = nodes_[node].states[nodes_[node].of_combination[each]];
      const SharedNeeds& needs = this->needs(each, kernel);
      const long size = config(each, by);
      at->second.by_combination[each] =
          question == Question::fits   ? rules(each).fits(memory, needs, size)
          : question == Question::room ? rules(each).room(memory, needs, size)
                                       : static_cast<int>(memory.space.amount + needs.bytes);
    }
  }
  return at->second;
}

Answers& SharedPart::several(int node, int kernel, const ConfiguredBy& by, int most) {
  const auto [at, is_new] =
      answers_.try_emplace(Asked{-1, node, kernel, by[0], by[1], by[2], most});
  if (is_new) {
    at->second.by_combination.resize(size());
    for (const int each : live_) {
      at->second.by_combination[each] =
          rules(each).several(nodes_[node].states[nodes_[node].of_combination[each]],
                              needs(each, kernel), config(each, by), most);
    }
  }
  return at->second;
}

Set SharedPart::that_prefer(const Set& set, int kernel, long config) const {
  Set that;
  std::ranges::copy_if(set, std::back_inserter(that),
                       [&](int each) { return needs(each, kernel).preferred == config; });
  return that;
}

}  // namespace cuvier::verify
