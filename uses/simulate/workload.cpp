#include "uses/simulate/workload.h"

#include <algorithm>

#include "probes/json_fields.h"
#include "probes/probe_json.h"

namespace cuvier {
namespace {

double read_amount(const Json& json, const Place& place, double least) {
  if (!json.is_number()) place.fail("must be a number");
  const double amount = json.get<double>();
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
  fields.refuse_unknown();
  Json probe = {{"name", "workload"}, {"kernels", kernels}, {"script", Json::array()}};
  for (auto& [name, kernel] : probe["kernels"].items()) {
    const Place place = kernels_place.field(name);
    expect_object(kernel, place);
    Job job;
    if (kernel.contains("arrival_ms")) {
      job.arrival_ms = read_amount(kernel["arrival_ms"], place.field("arrival_ms"), 0);
      kernel.erase("arrival_ms");
    }
    if (!kernel.contains("block_ms")) place.field("block_ms").fail("is missing; add it");
    job.block_ms = read_amount(kernel["block_ms"], place.field("block_ms"), some);
    kernel.erase("block_ms");
    if (kernel.contains("block_memory")) {
      job.block_memory = read_amount(kernel["block_memory"], place.field("block_memory"), 0);
      kernel.erase("block_memory");
    }
    workload.jobs.push_back(std::move(job));
    probe["script"].push_back({{"launch", name}});
  }
  const Probe read = probe_from_json(probe, where);
  validate(read, device, where);
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) workload.jobs[i].kernel = read.kernels[i];
  std::ranges::stable_sort(workload.jobs, {}, &Job::arrival_ms);
  return workload;
}

}  // namespace cuvier
