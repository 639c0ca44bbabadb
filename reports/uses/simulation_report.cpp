#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "probes/json_fields.h"
#include "reports/document/words.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

constexpr std::size_t most_kernels = 200;

double blocks_per_ms(const WorkloadOutcome& outcome, const Workload& workload) {
  double blocks = 0;
  for (std::size_t k = 0; k < outcome.jobs.size(); ++k) {
    if (outcome.jobs[k].ended_ms) blocks += workload.jobs[k].kernel.blocks;
  }
  return outcome.makespan_ms > 0 ? blocks / outcome.makespan_ms : 0;
}

Section policies_section(const std::vector<SimulatedPolicy>& policies,
                         const std::vector<double>& alone_ms, const Workload& workload,
                         const Device& device) {
  Table table{"Policies",
              {"policy", "ANTT", "unfinished", "utilisation", "makespan", "blocks per ms",
               "most resident", "evidence for it"}};
  for (const auto& [name, outcome, evidence] : policies) {
    table.add({name, fmt::format("{:.2f}", outcome.antt(alone_ms)),
               fmt::format("{} of {}", outcome.unfinished(), outcome.jobs.size()),
               fmt::format("{:.1f} %", 100 * outcome.utilisation(device)),
               fmt::format("{:.1f} ms", outcome.makespan_ms),
               fmt::format("{:.2f}", blocks_per_ms(outcome, workload)),
               count_words(outcome.most_blocks), evidence});
  }
  return section_of(std::move(table));
}

Chart chart(const std::vector<SimulatedPolicy>& policies, const std::string& title,
            double (*value)(const Series::Span&), double whole) {
  Chart chart{title, "ms", {}};
  for (const auto& [name, outcome, evidence] : policies) {
    Chart::Line& line =
        chart.lines.emplace_back(Chart::Line{name, outcome.over_time.span_ms(), {}});
    for (const Series::Span& span : outcome.over_time.spans()) {
      line.values.push_back(value(span) / whole);
    }
  }
  return chart;
}

std::string ended_words(const JobOutcome& job) {
  return job.ended_ms ? fmt::format("{:.3f} ms", job.turnaround_ms) : "never ends";
}

Section kernels_section(const std::vector<SimulatedPolicy>& policies, const Workload& workload) {
  Section section{"Kernels", {}, 2, false};
  section.add(
      Text("How long each takes from its arrival to its last block's end, queueing included, under "
           "each policy."));
  Table table{"Turnaround of each kernel", {"kernel", "blocks", "arrives"}};
  for (const SimulatedPolicy& policy : policies) table.headings.push_back(policy.name);
  for (std::size_t k = 0; k < std::min(workload.jobs.size(), most_kernels); ++k) {
    const Job& job = workload.jobs[k];
    std::vector<Text> row = {job.kernel.name, count_words(job.kernel.blocks),
                             fmt::format("{:.3f} ms", job.arrival_ms)};
    for (const SimulatedPolicy& policy : policies) {
      row.emplace_back(ended_words(policy.outcome.jobs[k]));
    }
    table.add(std::move(row));
  }
  section.add(std::move(table));
  if (workload.jobs.size() > most_kernels) {
    section.say("And {} more.", count_words(workload.jobs.size() - most_kernels));
  }
  return section;
}

int unfinished(const std::vector<SimulatedPolicy>& policies) {
  int most = 0;
  for (const SimulatedPolicy& policy : policies) most = std::max(most, policy.outcome.unfinished());
  return most;
}

std::string verdict(const std::vector<SimulatedPolicy>& policies,
                    const std::vector<double>& alone_ms) {
  if (const int most = unfinished(policies); most > 0) {
    return fmt::format("up to {} never end", counted(most, "kernel"));
  }
  double least = policies[0].outcome.antt(alone_ms);
  for (const SimulatedPolicy& policy : policies)
    least = std::min(least, policy.outcome.antt(alone_ms));
  std::vector<std::string> best;
  for (const SimulatedPolicy& policy : policies) {
    if (policy.outcome.antt(alone_ms) == least) best.push_back(policy.name);
  }
  return fmt::format(
      "turnaround is {}{:.2f} times the time alone on average (ANTT){}",
      best.size() < policies.size() ? "at least " : "", least,
      best.size() < policies.size() ? fmt::format(", under {}", fmt::join(best, ", ")) : "");
}

Json job_json(const JobOutcome& job, double alone_ms) {
  Json json = {{"alone_ms", alone_ms}};
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

Json series_json(const WorkloadOutcome& outcome, const Device& device) {
  const Series& series = outcome.over_time;
  Json blocks = Json::array();
  Json utilisation = Json::array();
  for (const Series::Span& span : series.spans()) {
    blocks.push_back(rounded(span.blocks));
    utilisation.push_back(
        rounded(span.warps / (static_cast<double>(outcome.sms) * device.max_warps_per_sm)));
  }
  return {{"span_ms", series.span_ms()},
          {"blocks", std::move(blocks)},
          {"utilisation", std::move(utilisation)}};
}

}  // namespace

Page simulation_page(const std::vector<SimulatedPolicy>& policies,
                     const std::vector<double>& alone_ms, const Workload& workload,
                     const Device& device) {
  Page page;
  page.title = policies.size() == 1
                   ? "A workload under " + Text(policies[0].name)
                   : Text(fmt::format("A workload under {} policies", policies.size()));
  page.written_by = "Written by " + code("cuvier simulate") + ". ";
  const int sms = policies[0].outcome.sms;
  page.about = fmt::format("{}, {}{}.", device.name, counted(sms, "SM"),
                           sms < device.sms ? fmt::format(" of {}", device.sms) : "");
  page.verdict = verdict(policies, alone_ms);
  page.tone = unfinished(policies) > 0 ? Page::Tone::bad : Page::Tone::open;
  page.add(policies_section(policies, alone_ms, workload, device));
  page.add({"Over time",
            {chart(
                 policies, "share of the warp slots in use",
                 [](const Series::Span& span) { return span.warps; },
                 static_cast<double>(policies[0].outcome.sms) * device.max_warps_per_sm),
             chart(
                 policies, "resident blocks", [](const Series::Span& span) { return span.blocks; },
                 1)}});
  page.add(kernels_section(policies, workload));
  return page;
}

nlohmann::ordered_json outcomes_json(const std::vector<SimulatedPolicy>& policies,
                                     const std::vector<double>& alone_ms, const Workload& workload,
                                     const Device& device) {
  Json json = Json::array();
  for (const auto& [name, outcome, evidence] : policies) {
    Json each = {{"policy", name},
                 {"evidence", evidence},
                 {"antt", outcome.antt(alone_ms)},
                 {"unfinished", outcome.unfinished()},
                 {"utilisation", outcome.utilisation(device)},
                 {"makespan_ms", outcome.makespan_ms},
                 {"blocks_per_ms", blocks_per_ms(outcome, workload)},
                 {"most_blocks", outcome.most_blocks},
                 {"over_time", series_json(outcome, device)}};
    Json::object_t kernels;
    kernels.reserve(outcome.jobs.size());
    for (std::size_t k = 0; k < outcome.jobs.size(); ++k) {
      // Names differ: nothing is looked for among thousands.
      kernels.push_back({workload.jobs[k].kernel.name, job_json(outcome.jobs[k], alone_ms[k])});
    }
    each["kernels"] = std::move(kernels);
    json.push_back(std::move(each));
  }
  return json;
}

}  // namespace cuvier
