#include "uses/fits/demand.h"

#include <algorithm>

namespace cuvier {
namespace {

constexpr int register_unit = 256;  // a warp's registers are allocated in these
constexpr int shared_unit = 128;    // bytes
constexpr int runtime_shared = 1024;

int round_up(int number, int unit) { return (number + unit - 1) / unit * unit; }

int registers_per_warp(const Kernel& kernel) {
  return round_up(kernel.registers * 32, register_unit);
}

template <class Demand>
Resource resource(const char* name, int capacity, const std::vector<Kernel>& kinds,
                  Demand&& demand) {
  Resource resource{name, capacity, {}};
  for (const Kernel& kernel : kinds) resource.per_block.push_back(demand(kernel));
  return resource;
}

int one(const Kernel&) { return 1; }

constexpr int most_looked_at = 1'000'000;
constexpr std::size_t most_kept = 2'000;

int used(const Resource& resource, const Contents& contents) {
  int used = 0;
  for (std::size_t i = 0; i < contents.size(); ++i) used += contents[i] * resource.per_block[i];
  return used;
}

/// Goes through all contents within the limits until it has seen too many.
class AllContents {
 public:
  AllContents(const std::vector<Resource>& limits) : limits_(limits) {}

  /// False where `visit` returned false, or there were too many. `visit(contents)` is called for
  /// each; of contents that it does not go beyond (`goes_on` false) no greater one is looked at.
  template <class Visit>
  bool each(const Visit& visit) {
    Contents contents(limits_[0].per_block.size());
    return go(contents, 0, visit);
  }

 private:
  /// More of the kind `from` and those behind it.
  template <class Visit>
  bool go(Contents& contents, std::size_t from, const Visit& visit) {
    if (++looked_at_ > most_looked_at) return false;
    const std::optional<bool> goes_on = visit(contents);
    if (!goes_on) return false;
    if (!*goes_on) return true;
    for (std::size_t i = from; i < contents.size(); ++i) {
      ++contents[i];
      const bool done = !is_within(limits_, contents) || go(contents, i, visit);
      --contents[i];
      if (!done) return false;
    }
    return true;
  }

  const std::vector<Resource>& limits_;
  int looked_at_ = 0;
};

}  // namespace

DemandSet demands_of(const std::vector<Kernel>& kernels) {
  DemandSet set;
  for (int k = 0; k < static_cast<int>(kernels.size()); ++k) {
    const Kernel& kernel = kernels[k];
    const auto alike = std::ranges::find_if(set.kinds, [&](const Kernel& kind) {
      return kind.threads == kernel.threads && kind.registers == kernel.registers &&
             kind.shared == kernel.shared;
    });
    if (alike == set.kinds.end()) {
      set.kinds.push_back(kernel);
      set.members.push_back({k});
    } else {
      alike->blocks += kernel.blocks;
      set.members[alike - set.kinds.begin()].push_back(k);
    }
  }
  return set;
}

std::vector<Resource> limits(const Device& device, const std::vector<Kernel>& kinds) {
  return {
      resource("block_slots", device.max_blocks_per_sm, kinds, one),
      resource("warp_slots", device.max_warps_per_sm, kinds,
               [](const Kernel& k) { return k.warps(); }),
      resource("registers", device.registers_per_sm, kinds,
               [](const Kernel& k) { return k.warps() * registers_per_warp(k); }),
      resource("shared_bytes", device.largest_config(), kinds,
               [](const Kernel& k) { return round_up(k.shared, shared_unit); }),
  };
}

std::vector<Resource> needs(const Device& device, const std::vector<Kernel>& kinds, int carve_out) {
  const auto share = [&](const Kernel& k) {
    return (k.warps() + device.subpartitions - 1) / device.subpartitions;
  };
  int most_registers = 1;
  for (const Kernel& kernel : kinds) {
    most_registers = std::max(most_registers, registers_per_warp(kernel));
  }
  const int any_warps =
      device.subpartitions * std::min(device.warps_per_subpartition(),
                                      device.registers_per_subpartition() / most_registers);
  return {
      resource("block_slots", device.max_blocks_per_sm, kinds, one),
      resource("warps_of_subpartition", device.warps_per_subpartition(), kinds, share),
      resource("registers_of_subpartition", device.registers_per_subpartition(), kinds,
               [&](const Kernel& k) { return share(k) * registers_per_warp(k); }),
      resource("warps_of_any_registers", any_warps, kinds,
               [](const Kernel& k) { return k.warps(); }),
      resource("shared_bytes", carve_out, kinds,
               [](const Kernel& k) { return round_up(k.shared, shared_unit) + runtime_shared; }),
  };
}

bool is_within(const std::vector<Resource>& resources, const Contents& contents) {
  return std::ranges::all_of(resources,
                             [&](const Resource& r) { return used(r, contents) <= r.capacity; });
}

bool has_room(const std::vector<Resource>& needs, const Contents& contents, int kind) {
  if (std::ranges::count(contents, 0) == std::ssize(contents)) return true;
  Contents more = contents;
  ++more[kind];
  return is_within(needs, more);
}

std::optional<std::vector<Contents>> least_without_room(const std::vector<Resource>& limits,
                                                        const std::vector<Resource>& needs,
                                                        int kind) {
  std::vector<Contents> least;
  const bool done = AllContents(limits).each([&](const Contents& contents) -> std::optional<bool> {
    if (has_room(needs, contents, kind)) return true;
    Contents less = contents;
    for (int& count : less) {
      if (count == 0) continue;
      --count;
      const bool also = !has_room(needs, less, kind);
      ++count;
      if (also) return false;
    }
    least.push_back(contents);
    if (least.size() > most_kept) return std::nullopt;
    return false;
  });
  return done ? std::optional(std::move(least)) : std::nullopt;
}

std::optional<std::vector<Contents>> greatest(const std::vector<Resource>& limits) {
  std::vector<Contents> greatest;
  const bool done = AllContents(limits).each([&](const Contents& contents) -> std::optional<bool> {
    Contents more = contents;
    for (int& count : more) {
      ++count;
      const bool fits = is_within(limits, more);
      --count;
      if (fits) return true;
    }
    greatest.push_back(contents);
    if (greatest.size() > most_kept) return std::nullopt;
    return true;
  });
  return done ? std::optional(std::move(greatest)) : std::nullopt;
}

}  // namespace cuvier
