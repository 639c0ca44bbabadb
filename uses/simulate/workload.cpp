#include "uses/simulate/workload.h"

#include <algorithm>
#include <numeric>

#include "probes/kernel_fields.h"
#include "uses/others_fields.h"

namespace cuvier {
namespace {

constexpr double some = 1e-9;

constexpr auto more_than_0 =
    Checked{Number(), R"({"minimum": 1e-9, "maximum": 1000000000})",
            [](double amount) { return amount >= some && amount <= largest_number; },
            "must be more than 0, and no more than 1e9"};
constexpr auto at_least_0 =
    Checked{Number(), R"({"minimum": 0, "maximum": 1000000000})",
            [](double amount) { return amount >= 0 && amount <= largest_number; },
            "must be 0 or more, and no more than 1e9"};

/// [SHARE, ADDED] for each point.
struct Points {
  std::vector<std::pair<double, double>> read(const Json& json, const Place& place) const {
    expect_array(json, place);
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const Place at = place.item(i);
      expect_array(json[i], at);
      if (json[i].size() != 2) at.fail("must be a share in use and what it adds");
      const double share = more_than_0.read(json[i][0], at.item(0));
      if (!points.empty() && share <= points.back().first) at.fail("shares must ascend");
      points.emplace_back(share, at_least_0.read(json[i][1], at.item(1)));
    }
    return points;
  }
  Json schema() const {
    const Json point = {{"type", "array"},
                        {"prefixItems", {more_than_0.schema(), at_least_0.schema()}},
                        {"minItems", 2},
                        {"maxItems", 2}};
    return {{"type", "array"}, {"items", point}};
  }
};

constexpr Word<Refill, 2> refills{{"at_once", "in_pairs"}};
constexpr Word<BlockRounding, 3> roundings{{"down", "nearest", "up"}};

constexpr auto issue_format = object<IssueProfile>([](auto& issue, auto& field) {
  field.required("instructions", issue.instructions, Integer{{1, 100'000}}, "of a block");
  field.required("stall_cycles", issue.stall_cycles, Integer{{0, 10'000}}, "behind each of them");
});

constexpr auto job_fields = [](auto& job, auto& field) {
  kernel_fields(job.kernel, field);
  field.required("block_ms", job.block_ms, more_than_0,
                 "how long a block runs if nothing slows it, in ms");
  field.optional("arrival_ms", job.arrival_ms, at_least_0, "when it comes, in ms");
  field.optional("block_memory", job.block_memory, at_least_0,
                 "of the device's memory, the share that a block works on");
  field.optional("most_per_sm", job.most_per_sm, Integer{{1}}, "of its blocks");
  field.optional("issue", job.issue, issue_format, "how its blocks share an SM's issue slots");
  field.optional("throughput", job.throughput,
                 Checked{ListOf{more_than_0}, R"({"minItems": 1})",
                         [](const std::vector<double>& values) { return !values.empty(); },
                         "is empty; begin with that of one block"},
                 "of 1, 2, ... of its blocks on an SM; of more: the last");
};

constexpr auto format = object<Workload>([](auto& workload, auto& field) {
  field.required("kernels", workload.jobs,
                 by_name(
                     object<Job>(job_fields), [](auto& job) -> auto& { return job.kernel.name; }),
                 "what comes, by name");
  field.optional("contention", workload.contention.points, Points(),
                 "how much longer blocks run as the warp slots of an SM fill: straight lines "
                 "between a share in use and what it adds (0.5 is half); shares ascend");
  field.optional("memory_contention", workload.memory_contention.points, Points(),
                 "likewise as what all resident blocks work on fills the memory");
  field.optional("refill", workload.refill, refills, "when an SM gets back what a block held");
  field.optional("lazy", workload.lazy, roundings,
                 "Lee et al.'s lazy scheduling, with this rounding");
  field.optional("reserved_sms", workload.reserved, ReservedSmsFormat(),
                 "SMs that take no blocks of the kernels: how many (the last ones), or which");
  field.optional(
      "resident", workload.resident,
      by_name(
          object<Kernel>(kernel_fields), [](Kernel & kernel) -> auto& { return kernel.name; }),
      "other kernels, which are there before all of these and stay");
});

/// The cycles until the first block ends, and what each issued by then.
struct Watched {
  int cycles = 0;
  std::vector<int> issued;
};

Watched watch(const IssueProfile& profile, int blocks) {
  Watched watched{0, std::vector(blocks, 0)};
  std::vector<int> ready_at(blocks, 0);
  int latest = 0;
  while (watched.issued[latest] < profile.instructions) {
    const auto is_ready = [&](int at) { return at <= watched.cycles; };
    int next = latest;
    if (!is_ready(ready_at[latest])) {
      next = static_cast<int>(std::ranges::find_if(ready_at, is_ready) - ready_at.begin());
    }
    if (next == blocks) {
      watched.cycles = std::ranges::min(ready_at);
      continue;
    }
    ++watched.issued[next];
    ready_at[next] = ++watched.cycles + profile.stall_cycles;
    latest = next;
  }
  return watched;
}

}  // namespace

double Contention::added(double share) const {
  std::pair<double, double> from = {0, 0};
  for (const auto& to : points) {
    if (share <= to.first) {
      return from.second +
             (to.second - from.second) * (share - from.first) / (to.first - from.first);
    }
    from = to;
  }
  return from.second;
}

Workload workload_from_json(const nlohmann::ordered_json& json, const Device& device,
                            const std::string& where) {
  Workload workload = format.read(json, Place(where));
  Probe probe;
  for (const Job& job : workload.jobs) probe.kernels.push_back(job.kernel);
  validate(probe, device, where);
  expect_apart(workload.resident, probe.kernels, device, where);
  expect_some_left(workload.reserved, device, Place(where).field("reserved_sms"));
  std::ranges::stable_sort(workload.jobs, {}, &Job::arrival_ms);
  return workload;
}

nlohmann::ordered_json workload_schema() { return format.schema(); }

Throughput throughput_of(const Job& job, int most_blocks) {
  Throughput of;
  std::vector<double> curve = job.throughput;
  if (job.issue) {
    of.issues = throughput_by_blocks(*job.issue, most_blocks);
    if (curve.empty()) curve = of.issues;
    of.issues.insert(of.issues.begin(), 0);
  }
  if (curve.empty()) return of;
  of.speed.push_back(1);
  for (int blocks = 1; blocks <= most_blocks; ++blocks) {
    const auto index = std::min(static_cast<std::size_t>(blocks), curve.size()) - 1;
    of.speed.push_back(curve[index] / (curve[0] * blocks));
  }
  return of;
}

std::vector<int> issued_when_first_ends(const IssueProfile& profile, int blocks) {
  return watch(profile, blocks).issued;
}

std::vector<double> throughput_by_blocks(const IssueProfile& profile, int most) {
  std::vector<double> throughput;
  for (int blocks = 1; blocks <= most; ++blocks) {
    const Watched watched = watch(profile, blocks);
    const int issued = std::reduce(watched.issued.begin(), watched.issued.end());
    throughput.push_back(static_cast<double>(issued) / watched.cycles);
  }
  return throughput;
}

int lazy_blocks(const std::vector<int>& issued, BlockRounding rounding) {
  const int sum = std::reduce(issued.begin(), issued.end());
  const int most = issued.empty() ? 0 : std::ranges::max(issued);
  if (most == 0) return 1;
  const int add = rounding == BlockRounding::up        ? most - 1
                  : rounding == BlockRounding::nearest ? most / 2
                                                       : 0;
  return std::max(1, (sum + add) / most);
}

}  // namespace cuvier
