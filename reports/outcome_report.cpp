#include "reports/outcome_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/words.h"

namespace cuvier {
namespace {

using Json = nlohmann::ordered_json;

double blocks_per_ms(const Outcome& outcome) {
  double blocks = 0;
  for (std::size_t k = 0; k < outcome.jobs.size(); ++k) {
    if (outcome.jobs[k].ended_ms) blocks += outcome.script.kernels[k].blocks;
  }
  return outcome.makespan_ms > 0 ? blocks / outcome.makespan_ms : 0;
}

Json job_json(const JobOutcome& job) {
  Json json = {{"alone_ms", job.alone_ms}};
  json["started_ms"] = job.started_ms ? Json(*job.started_ms) : Json(nullptr);
  json["ended_ms"] = job.ended_ms ? Json(*job.ended_ms) : Json(nullptr);
  if (job.ended_ms) json["turnaround_ms"] = job.turnaround_ms;
  return json;
}

}  // namespace

std::string outcomes_text(const std::vector<SimulatedPolicy>& policies, const Device& device) {
  std::vector<std::vector<std::string>> rows = {{"policy", "ANTT", "unfinished", "utilisation",
                                                 "makespan", "blocks per ms", "most resident"}};
  for (const auto& [name, outcome] : policies) {
    rows.push_back({name, fmt::format("{:.2f}", outcome.antt()),
                    fmt::format("{} of {}", outcome.unfinished(), outcome.jobs.size()),
                    fmt::format("{:.1f} %", 100 * outcome.utilisation(device)),
                    fmt::format("{:.1f} ms", outcome.makespan_ms),
                    fmt::format("{:.2f}", blocks_per_ms(outcome)),
                    count_words(outcome.most_blocks)});
  }
  return aligned(rows);
}

nlohmann::ordered_json outcomes_json(const std::vector<SimulatedPolicy>& policies,
                                     const Device& device) {
  Json json = Json::array();
  for (const auto& [name, outcome] : policies) {
    Json each = {{"policy", name},
                 {"antt", outcome.antt()},
                 {"unfinished", outcome.unfinished()},
                 {"utilisation", outcome.utilisation(device)},
                 {"makespan_ms", outcome.makespan_ms},
                 {"blocks_per_ms", blocks_per_ms(outcome)},
                 {"most_blocks", outcome.most_blocks}};
    for (std::size_t k = 0; k < outcome.jobs.size(); ++k) {
      each["kernels"][outcome.script.kernels[k].name] = job_json(outcome.jobs[k]);
    }
    json.push_back(std::move(each));
  }
  return json;
}

}  // namespace cuvier
