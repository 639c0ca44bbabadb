#include "uses/simulate/workload.h"

#include <algorithm>

#include "probes/json_fields.h"
#include "probes/probe_json.h"

namespace cuvier {
namespace {

double read_amount(const Json& json, const Place& place, double least) {
  const double amount = read_number(json, place);
  if (!(amount >= least) || amount > static_cast<double>(largest_number)) {
    place.fail(least > 0 ? "must be more than 0, and no more than 1e9"
                         : "must be 0 or more, and no more than 1e9");
  }
  return amount;
}

constexpr double some = 1e-9;

Contention read_contention(const Json& json, const Place& place) {
  expect_array(json, place);
  Contention contention;
  for (std::size_t i = 0; i < json.size(); ++i) {
    expect_array(json[i], place.item(i));
    if (json[i].size() != 2) place.item(i).fail("must be a share in use and what it adds");
    const double share = read_amount(json[i][0], place.item(i).item(0), some);
    if (!contention.points.empty() && share <= contention.points.back().first) {
      place.item(i).fail("shares must ascend");
    }
    contention.points.emplace_back(share, read_amount(json[i][1], place.item(i).item(1), 0));
  }
  return contention;
}

IssueProfile read_issue(const Json& json, const Place& place) {
  Fields fields(json, place);
  constexpr int most_instructions = 100'000;
  constexpr int most_cycles = 10'000;
  IssueProfile profile;
  profile.instructions = static_cast<int>(read_integer(
      fields.at("instructions"), fields.place("instructions"), {1, most_instructions}));
  profile.stall_cycles = static_cast<int>(
      read_integer(fields.at("stall_cycles"), fields.place("stall_cycles"), {0, most_cycles}));
  fields.refuse_unknown();
  return profile;
}

std::vector<double> read_throughput(const Json& json, const Place& place) {
  expect_array(json, place);
  if (json.empty()) place.fail("is empty; begin with that of one block");
  std::vector<double> throughput;
  for (std::size_t i = 0; i < json.size(); ++i) {
    throughput.push_back(read_amount(json[i], place.item(i), some));
  }
  return throughput;
}

BlockRounding read_rounding(const Json& json, const Place& place) {
  if (json == "down") return BlockRounding::down;
  if (json == "nearest") return BlockRounding::nearest;
  if (json != "up") place.fail("must be down, nearest or up");
  return BlockRounding::up;
}

/// Takes what a workload says of a kernel, and leaves what a probe says.
Job take_job(Json& kernel, const Place& place) {
  expect_object(kernel, place);
  Job job;
  const auto take = [&](const char* name, auto&& read) {
    if (!kernel.contains(name)) return;
    read(kernel[name], place.field(name));
    kernel.erase(name);
  };
  if (!kernel.contains("block_ms")) place.field("block_ms").fail("is missing; add it");
  take("block_ms",
       [&](const Json& json, const Place& at) { job.block_ms = read_amount(json, at, some); });
  take("arrival_ms",
       [&](const Json& json, const Place& at) { job.arrival_ms = read_amount(json, at, 0); });
  take("block_memory",
       [&](const Json& json, const Place& at) { job.block_memory = read_amount(json, at, 0); });
  take("most_per_sm", [&](const Json& json, const Place& at) {
    job.most_per_sm = static_cast<int>(read_integer(json, at, {1, largest_number}));
  });
  take("issue", [&](const Json& json, const Place& at) { job.issue = read_issue(json, at); });
  take("throughput",
       [&](const Json& json, const Place& at) { job.throughput = read_throughput(json, at); });
  return job;
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
  const Place root(where);
  Fields fields(json, root);
  const Json& kernels = fields.at("kernels");
  const Place kernels_place = fields.place("kernels");
  expect_object(kernels, kernels_place);
  if (kernels.empty()) kernels_place.fail("is empty; declare a kernel");
  Workload workload;
  if (fields.has("contention")) {
    workload.contention = read_contention(fields.at("contention"), fields.place("contention"));
  }
  if (fields.has("memory_contention")) {
    workload.memory_contention =
        read_contention(fields.at("memory_contention"), fields.place("memory_contention"));
  }
  if (fields.has("refill")) {
    const Json& refill = fields.at("refill");
    if (refill != "at_once" && refill != "in_pairs") {
      fields.place("refill").fail("must be at_once or in_pairs");
    }
    if (refill == "in_pairs") workload.refill = Refill::in_pairs;
  }
  if (fields.has("lazy")) {
    workload.lazy = read_rounding(fields.at("lazy"), fields.place("lazy"));
  }
  fields.refuse_unknown();
  Json probe = {{"name", "workload"}, {"kernels", kernels}, {"script", Json::array()}};
  for (auto& [name, kernel] : probe["kernels"].items()) {
    workload.jobs.push_back(take_job(kernel, kernels_place.field(name)));
    probe["script"].push_back({{"launch", name}});
  }
  const Probe read = probe_from_json(probe, where);
  validate(read, device, where);
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) workload.jobs[i].kernel = read.kernels[i];
  std::ranges::stable_sort(workload.jobs, {}, &Job::arrival_ms);
  return workload;
}

}  // namespace cuvier
