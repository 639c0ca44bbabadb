#include "uses/fits/changes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace cuvier {
namespace {

class Search {
 public:
  Search(const Device& device, const std::vector<Hypothesis>& hypotheses, const KernelSet& set,
         OrderLimits limits)
      : device_(device), hypotheses_(hypotheses), set_(set), limits_(limits) {}

  /// The largest value of a field, in whole units, with which nothing is stranded.
  std::optional<Change> less_of(Change::Of of, int Kernel::*field, int kernel, int unit) {
    const int from = set_.kernels[kernel].*field;
    int refused = (from + unit - 1) / unit;  // of what is known, the least that does not do
    const auto does = [&](int units) {
      Kernel less = set_.kernels[kernel];
      less.*field = units * unit;
      return places_all_with(kernel, less);
    };
    if (refused == 0) return std::nullopt;
    int least = 1;
    if (field == &Kernel::shared) {
      // With none at all the carve-out may be too small for others.
      const std::array starts{0, refused / 4, refused / 2, refused / 4 * 3};
      const auto start = std::ranges::find_if(starts, does);
      if (start == starts.end()) return std::nullopt;
      least = *start;
    } else if (least >= refused || !does(least)) {
      return std::nullopt;
    }
    while (refused - least > 1) {
      const int middle = (least + refused) / 2;
      (does(middle) ? least : refused) = middle;
    }
    return Change{.of = of, .kernel = kernel, .from = from, .to = least * unit};
  }

  void add_less_of(Change::Of of, int Kernel::*field, int kernel, int unit) {
    if (const auto less = less_of(of, field, kernel, unit)) found_.push_back(*less);
  }

  /// Whole clusters.
  std::optional<Change> fewer_blocks(int kernel) {
    return less_of(Change::Of::blocks, &Kernel::blocks, kernel,
                   set_.kernels[kernel].cluster.value_or(1));
  }

  void add_fewer_blocks(int kernel) {
    if (const auto fewer = fewer_blocks(kernel)) found_.push_back(*fewer);
  }

  void add_packing(int kernel) {
    for (int factor = 2; factor <= 32; factor *= 2) {
      const auto as_one = packed(set_.kernels[kernel], factor, device_);
      if (!as_one || !places_all_with(kernel, *as_one)) continue;
      found_.push_back({.of = Change::Of::packing,
                        .kernel = kernel,
                        .from = set_.kernels[kernel].blocks,
                        .to = factor});
      return;
    }
  }

  void add_carve_out() {
    with_largest_carve_out([&] {
      if (places_all(set_.kernels, {})) found_.push_back({.of = Change::Of::carve_out});
    });
  }

  /// Fewer blocks and the largest carve-out, where neither does as well alone.
  void add_blocks_with_carve_out() {
    if (std::ranges::count(found_, Change::Of::carve_out, &Change::of) > 0) return;
    for (int k = 0; k < std::ssize(set_.kernels); ++k) {
      std::optional<Change> both;
      with_largest_carve_out([&] { both = fewer_blocks(k); });
      const bool is_more =
          both && std::ranges::none_of(found_, [&](const Change& alone) {
            return alone.of == Change::Of::blocks && alone.kernel == k && alone.to >= both->to;
          });
      if (!is_more) continue;
      both->with_carve_out = true;
      found_.push_back(*both);
    }
  }

  void add_order(const std::optional<Order>& safe) {
    const int count = static_cast<int>(set_.kernels.size());
    for (int later = 0; later < count; ++later) {
      for (int earlier = 0; earlier < count; ++earlier) {
        if (later == earlier || !places_all(set_.kernels, {{later, earlier}})) continue;
        found_.push_back({.of = Change::Of::order, .kernel = earlier, .later = later});
        return;
      }
    }
    if (!safe || !safe->is_settled()) return;
    Change all{.of = Change::Of::orders};
    std::vector<Precedence> chain;
    for (const Arrival& arrival : safe->arrivals) {
      if (arrival.ends) continue;
      if (!all.sequence.empty()) chain.push_back({arrival.kernel, all.sequence.back()});
      all.sequence.push_back(arrival.kernel);
    }
    if (places_all(set_.kernels, chain)) found_.push_back(std::move(all));
  }

  std::vector<Change> found() { return std::move(found_); }

 private:
  void with_largest_carve_out(const auto& look) {
    std::vector<Hypothesis> largest = hypotheses_;
    for (Hypothesis& hypothesis : largest) {
      hypothesis.set<ConfigRounding>(ConfigRounding::largest);
    }
    std::swap(largest, hypotheses_);
    look();
    std::swap(largest, hypotheses_);
  }

  bool places_all_with(int kernel, const Kernel& changed) {
    std::vector<Kernel> kernels = set_.kernels;
    kernels[kernel] = changed;
    return is_legal(changed, device_) && places_all(kernels, {});
  }

  bool places_all(const std::vector<Kernel>& kernels, std::vector<Precedence> precedences) {
    if (!set_.others.none()) {
      return every_scheduler(device_, hypotheses_, {kernels, set_.others, set_.launching},
                             {.task = limits_.task})
          .why_not.empty();
    }
    const std::vector<Precedence>& edges = set_.launching.edges;
    precedences.insert(precedences.end(), edges.begin(), edges.end());
    return std::ranges::all_of(hypotheses_, [&](const Hypothesis& hypothesis) {
      const Orders seen = orders(device_, hypothesis, kernels, precedences, limits_);
      limits_.most_launches -= seen.launches;
      return seen.all_seen && seen.safe && !seen.stranding;
    });
  }

  const Device& device_;
  std::vector<Hypothesis> hypotheses_;
  const KernelSet& set_;
  OrderLimits limits_;
  std::vector<Change> found_;
};

}  // namespace

std::optional<Kernel> packed(const Kernel& kernel, int factor, const Device& device) {
  if (kernel.blocks % factor != 0 || kernel.cluster ||
      kernel.threads > device.max_threads_per_block / factor ||
      kernel.shared > device.max_shared_per_block / factor) {
    return std::nullopt;
  }
  Kernel as_one = kernel;
  as_one.blocks /= factor;
  as_one.threads *= factor;
  as_one.shared *= factor;
  return is_legal(as_one, device) ? std::optional(as_one) : std::nullopt;
}

std::vector<Change> changes(const Device& device, const std::vector<Hypothesis>& hypotheses,
                            const KernelSet& set, const std::optional<Order>& safe,
                            OrderLimits limits) {
  if (kept_apart(device, set)) return {};
  Search search(device, hypotheses, set, limits);
  if (set.others.none()) search.add_order(safe);
  search.add_carve_out();
  for (int k = 0; k < std::ssize(set.kernels); ++k) {
    search.add_fewer_blocks(k);
    search.add_packing(k);
    search.add_less_of(Change::Of::threads, &Kernel::threads, k, 32);
    search.add_less_of(Change::Of::registers, &Kernel::registers, k, 8);
    search.add_less_of(Change::Of::shared, &Kernel::shared, k, 128);
  }
  search.add_blocks_with_carve_out();
  return search.found();
}

std::vector<Change> changes(const Device& device, const Fits& answer, const KernelSet& set,
                            const Task& task) {
  if (is_safe(answer)) return {};
  OrderLimits limits{.task = task.part("looking for a change that helps")};
  const auto launches = std::int64_t{limits.most_launches} * std::ssize(answer.asked);
  limits.most_launches =
      static_cast<int>(std::min<std::int64_t>(launches, FitsLimits().most_launches));
  return changes(device, answer.looked_at(), set, answer.safe, limits);
}

}  // namespace cuvier
