#include "uses/order/launch_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "uses/simulate/simulation.h"

namespace cuvier {
namespace {

/// Jobs that keep their order: of one stream, or alike, so that their order makes no difference.
using Chain = std::vector<int>;

bool share_a_stream(const Kernel& a, const Kernel& b) { return a.stream && a.stream == b.stream; }

bool are_alike(const Job& a, const Job& b) {
  Kernel as_a = b.kernel;
  as_a.name = a.kernel.name;
  as_a.stream = a.kernel.stream;
  return as_a == a.kernel && a.block_ms == b.block_ms;
}

/// Every job is in one of them.
std::vector<Chain> chains_of(const std::vector<Job>& jobs) {
  const auto has_company = [&](const Job& job) {
    return std::ranges::count_if(jobs, [&](const Job& other) {
             return share_a_stream(job.kernel, other.kernel);
           }) > 1;
  };
  std::vector<Chain> chains;
  for (int k = 0; k < std::ssize(jobs); ++k) {
    const bool in_company = has_company(jobs[k]);
    const auto own = std::ranges::find_if(chains, [&](const Chain& chain) {
      const Job& first = jobs[chain.front()];
      return in_company ? share_a_stream(first.kernel, jobs[k].kernel)
                        : !has_company(first) && are_alike(first, jobs[k]);
    });
    if (own == chains.end()) {
      chains.push_back({k});
    } else {
      own->push_back(k);
    }
  }
  return chains;
}

/// How many ways there are to merge them.
double merges_of(const std::vector<Chain>& chains) {
  double merges = 1;
  double jobs = 0;
  for (const Chain& chain : chains) {
    for (std::size_t i = 1; i <= chain.size(); ++i) merges *= ++jobs / static_cast<double>(i);
  }
  return std::round(merges);
}

/// An order of launches: whose next job it is, each time.
using Merge = std::vector<int>;

class Search {
 public:
  Search(const Device& device, const Hypothesis& hypothesis, const Workload& workload,
         const LaunchOrderLimits& limits, const Task& task)
      : device_(device),
        hypothesis_(hypothesis),
        workload_(workload),
        limits_(limits),
        task_(task),
        chains_(chains_of(workload.jobs)) {}

  LaunchOrders run() {
    std::vector<int> as_given(workload_.jobs.size());
    for (int k = 0; k < std::ssize(as_given); ++k) as_given[k] = k;
    const Merge given = merge_of(as_given);
    const Merge recommended = merge_of(recommended_order(device_, hypothesis_, workload_));
    found_.count = merges_of(chains_);
    found_.given = found_.best = found_.worst = tried(given);
    found_.recommended = tried(recommended);
    consider(found_.recommended);
    if (found_.count <= limits_.most_orders) {
      see_all(given);
    } else {
      swap_while_it_helps(found_.recommended.is_better_than(found_.given) ? recommended : given);
    }
    return std::move(found_);
  }

 private:
  Merge merge_of(const std::vector<int>& jobs) const {
    Merge merge;
    for (const int job : jobs) {
      const auto chain =
          std::ranges::find_if(chains_, [&](const Chain& l) { return std::ranges::count(l, job); });
      merge.push_back(static_cast<int>(chain - chains_.begin()));
    }
    return merge;
  }

  LaunchOrder tried(const Merge& merge) {
    tell_progress();
    LaunchOrder order;
    Workload reordered = workload_;
    reordered.jobs.clear();
    std::vector<std::size_t> next(chains_.size());
    for (const int chain : merge) {
      order.jobs.push_back(chains_[chain][next[chain]++]);
      reordered.jobs.push_back(workload_.jobs[order.jobs.back()]);
    }
    const WorkloadOutcome outcome =
        simulate(device_, hypothesis_, reordered, kNoHorizon, nullptr, task_);
    order.unfinished = outcome.unfinished();
    order.makespan_ms = outcome.makespan_ms;
    ++found_.simulated;
    return order;
  }

  void tell_progress() const {
    const bool sees_all = found_.count <= limits_.most_orders;
    const double all = sees_all ? found_.count : limits_.most_simulated;
    task_.doing({fmt::format("simulating orders: {} tried", found_.simulated), found_.simulated,
                 all, !sees_all});
  }

  /// Whether it is better than all before.
  bool consider(const LaunchOrder& order) {
    if (found_.worst.is_better_than(order)) found_.worst = order;
    const bool is_better = order.is_better_than(found_.best);
    if (is_better) found_.best = order;
    return is_better;
  }

  void see_all(Merge merge) {
    std::ranges::sort(merge);
    found_.simulated = 0;
    do consider(tried(merge));
    while (std::next_permutation(merge.begin(), merge.end()));
    found_.all_seen = true;
  }

  void swap_while_it_helps(Merge merge) {
    for (bool helped = true; helped;) {
      helped = false;
      for (std::size_t i = 0; i < merge.size(); ++i) {
        for (std::size_t j = i + 1; j < merge.size(); ++j) {
          if (merge[i] == merge[j]) continue;
          if (found_.simulated >= limits_.most_simulated) return;
          std::swap(merge[i], merge[j]);
          if (consider(tried(merge))) {
            helped = true;
          } else {
            std::swap(merge[i], merge[j]);
          }
        }
      }
    }
    found_.no_swap_helps = true;
  }

  const Device& device_;
  const Hypothesis& hypothesis_;
  const Workload& workload_;
  const LaunchOrderLimits limits_;
  const Task& task_;
  const std::vector<Chain> chains_;
  LaunchOrders found_;
};

/// The shared-memory configuration that idle SMs take for the kernel, in bytes.
int target_config_of(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel) {
  if (hypothesis.get<ConfigScope>() == ConfigScope::none) return device.largest_config();
  const Probe alone{"", {kernel}, {{0, {}}}};
  return predict(device, hypothesis, alone).steps[0].shared_config.at(0);
}

}  // namespace

bool LaunchOrder::is_better_than(const LaunchOrder& other) const {
  constexpr double same = 1e-9;  // what rounding may make of it
  if (unfinished != other.unfinished) return unfinished < other.unfinished;
  return makespan_ms < other.makespan_ms * (1 - same);
}

Workload launches_from_json(const nlohmann::ordered_json& json, const Device& device,
                            const std::string& where) {
  Workload workload = workload_from_json(json, device, where);
  for (const Job& job : workload.jobs) {
    if (job.arrival_ms == 0) continue;
    Place(where)
        .field("kernels")
        .field(job.kernel.name)
        .field("arrival_ms")
        .fail("is not for an order, in which all are launched at the start; leave it out");
  }
  return workload;
}

std::vector<int> recommended_order(const Device& device, const Hypothesis& hypothesis,
                                   const Workload& workload) {
  std::vector<std::pair<int, int>> size;
  for (const Job& job : workload.jobs) {
    size.emplace_back(job.kernel.local, target_config_of(device, hypothesis, job.kernel));
  }
  std::vector<int> left(size.size());
  for (int k = 0; k < std::ssize(left); ++k) left[k] = k;
  std::vector<int> order;
  while (!left.empty()) {
    const auto is_held_up = [&](int k) {
      return std::ranges::any_of(left, [&](int other) {
        return other < k && share_a_stream(workload.jobs[other].kernel, workload.jobs[k].kernel);
      });
    };
    const auto largest = std::ranges::max_element(
        left, {}, [&](int k) { return std::tuple(!is_held_up(k), size[k], -k); });
    order.push_back(*largest);
    left.erase(largest);
  }
  return order;
}

LaunchOrders launch_orders(const Device& device, const Hypothesis& hypothesis,
                           const Workload& workload, const LaunchOrderLimits& limits,
                           const Task& task) {
  LaunchOrders found = Search(device, hypothesis, workload, limits, task).run();
  std::vector<Kernel> kernels;
  for (const Job& job : workload.jobs) kernels.push_back(job.kernel);
  const Partition part = without_sms(device, workload.reserved.some_of(device.sms));
  found.left_to_chance = steps_of_one_outcome(part.device, on_partition(device, hypothesis, part),
                                              launch_all("", kernels)) < std::ssize(kernels);
  return found;
}

}  // namespace cuvier
