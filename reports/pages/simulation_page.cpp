#include "reports/pages/simulation_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/words.h"

namespace cuvier {
namespace {

constexpr std::size_t most_kernels = 200;

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
  Section section{"Kernels", 2, {}};
  section.items.emplace_back(
      Text("How long each takes from its arrival to its last block's end, queueing included, under "
           "each policy."));
  Table table{"Turnaround of each kernel", {"kernel", "blocks", "arrives"}, {}};
  for (const SimulatedPolicy& policy : policies) table.headings.push_back(policy.name);
  for (std::size_t k = 0; k < std::min(workload.jobs.size(), most_kernels); ++k) {
    const Job& job = workload.jobs[k];
    std::vector<Text> row = {job.kernel.name, count_words(job.kernel.blocks),
                             fmt::format("{:.3f} ms", job.arrival_ms)};
    for (const SimulatedPolicy& policy : policies) {
      row.emplace_back(ended_words(policy.outcome.jobs[k]));
    }
    table.rows.push_back(std::move(row));
  }
  section.items.emplace_back(std::move(table));
  if (workload.jobs.size() > most_kernels) {
    section.items.emplace_back(Text(fmt::format(
        "And {} more.", count_words(static_cast<double>(workload.jobs.size() - most_kernels)))));
  }
  return section;
}

int unfinished(const std::vector<SimulatedPolicy>& policies) {
  int most = 0;
  for (const SimulatedPolicy& policy : policies) most = std::max(most, policy.outcome.unfinished());
  return most;
}

std::string verdict(const std::vector<SimulatedPolicy>& policies) {
  if (const int most = unfinished(policies); most > 0) {
    return fmt::format("up to {} never end", counted(most, "kernel"));
  }
  double least = policies[0].outcome.antt();
  for (const SimulatedPolicy& policy : policies) least = std::min(least, policy.outcome.antt());
  std::vector<std::string> best;
  for (const SimulatedPolicy& policy : policies) {
    if (policy.outcome.antt() == least) best.push_back(policy.name);
  }
  return fmt::format(
      "turnaround is {}{:.2f} times the time alone on average (ANTT){}",
      best.size() < policies.size() ? "at least " : "", least,
      best.size() < policies.size() ? fmt::format(", under {}", fmt::join(best, ", ")) : "");
}

}  // namespace

Page simulation_page(const std::vector<SimulatedPolicy>& policies, const Workload& workload,
                     const Device& device) {
  Page page;
  page.title = policies.size() == 1
                   ? "A workload under " + Text(policies[0].name)
                   : Text(fmt::format("A workload under {} policies", policies.size()));
  page.about = "Written by " + code("cuvier simulate") +
               fmt::format(". {}, {}.", device.name, counted(device.sms, "SM"));
  page.verdict = verdict(policies);
  page.tone = unfinished(policies) > 0 ? Page::Tone::bad : Page::Tone::good;
  const auto rows = outcome_rows(policies, workload, device);
  Table table{"Policies", rows.front(), {}};
  table.headings.emplace_back("evidence for it");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    auto& row = table.rows.emplace_back(rows[i].begin(), rows[i].end());
    row.emplace_back(policies[i - 1].evidence);
  }
  page.sections.push_back({"Policies", 2, {std::move(table)}});
  page.sections.push_back({"Over time",
                           2,
                           {chart(
                                policies, "share of the warp slots in use",
                                [](const Series::Span& span) { return span.warps; },
                                static_cast<double>(device.sms) * device.max_warps_per_sm),
                            chart(
                                policies, "resident blocks",
                                [](const Series::Span& span) { return span.blocks; }, 1)}});
  page.sections.push_back(kernels_section(policies, workload));
  return page;
}

}  // namespace cuvier
