#include "reports/outcome_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/words.h"

namespace cuvier {
namespace {

using Json = nlohmann::ordered_json;

double blocks_per_ms(const Outcome& outcome, const Workload& workload) {
  double blocks = 0;
  for (std::size_t k = 0; k < outcome.jobs.size(); ++k) {
    if (outcome.jobs[k].ended_ms) blocks += workload.jobs[k].kernel.blocks;
  }
  return outcome.makespan_ms > 0 ? blocks / outcome.makespan_ms : 0;
}

Json job_json(const JobOutcome& job) {
  Json json = {{"alone_ms", job.alone_ms}};
  json["started_ms"] = job.started_ms ? Json(*job.started_ms) : Json(nullptr);
  json["ended_ms"] = job.ended_ms ? Json(*job.ended_ms) : Json(nullptr);
  if (job.ended_ms) json["turnaround_ms"] = job.turnaround_ms;
  if (job.most_per_sm) json["most_per_sm"] = *job.most_per_sm;
  return json;
}

/// What is left of sums of many short times is no digit of the answer.
double rounded(double value) {
  constexpr double units = 1e9;
  return std::round(value * units) / units;
}

Json series_json(const Series& series, const Device& device) {
  Json blocks = Json::array();
  Json utilisation = Json::array();
  for (const Series::Span& span : series.spans()) {
    blocks.push_back(rounded(span.blocks));
    utilisation.push_back(
        rounded(span.warps / (static_cast<double>(device.sms) * device.max_warps_per_sm)));
  }
  return {{"span_ms", series.span_ms()},
          {"blocks", std::move(blocks)},
          {"utilisation", std::move(utilisation)}};
}

}  // namespace

std::vector<std::vector<std::string>> outcome_rows(const std::vector<SimulatedPolicy>& policies,
                                                   const Workload& workload, const Device& device) {
  std::vector<std::vector<std::string>> rows = {{"policy", "ANTT", "unfinished", "utilisation",
                                                 "makespan", "blocks per ms", "most resident"}};
  for (const auto& [name, outcome, evidence] : policies) {
    rows.push_back({name, fmt::format("{:.2f}", outcome.antt()),
                    fmt::format("{} of {}", outcome.unfinished(), outcome.jobs.size()),
                    fmt::format("{:.1f} %", 100 * outcome.utilisation(device)),
                    fmt::format("{:.1f} ms", outcome.makespan_ms),
                    fmt::format("{:.2f}", blocks_per_ms(outcome, workload)),
                    count_words(outcome.most_blocks)});
  }
  return rows;
}

nlohmann::ordered_json outcomes_json(const std::vector<SimulatedPolicy>& policies,
                                     const Workload& workload, const Device& device) {
  Json json = Json::array();
  for (const auto& [name, outcome, evidence] : policies) {
    Json each = {{"policy", name},
                 {"evidence", evidence},
                 {"antt", outcome.antt()},
                 {"unfinished", outcome.unfinished()},
                 {"utilisation", outcome.utilisation(device)},
                 {"makespan_ms", outcome.makespan_ms},
                 {"blocks_per_ms", blocks_per_ms(outcome, workload)},
                 {"most_blocks", outcome.most_blocks},
                 {"over_time", series_json(outcome.over_time, device)}};
    Json::object_t kernels;
    for (std::size_t k = 0; k < outcome.jobs.size(); ++k) {
      // Names differ: nothing is looked for among thousands.
      kernels.push_back({workload.jobs[k].kernel.name, job_json(outcome.jobs[k])});
    }
    each["kernels"] = std::move(kernels);
    json.push_back(std::move(each));
  }
  return json;
}

}  // namespace cuvier
