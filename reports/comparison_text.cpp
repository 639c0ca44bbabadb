#include "reports/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/observation_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t widest_cell = 56;

std::string cut(std::string text) {
  if (text.size() <= widest_cell) return text;
  return text.substr(0, widest_cell - 3) + "...";
}

const Started* started_of(const Step& step, int kernel) {
  const auto found = std::ranges::find(step.started, kernel, &Started::kernel);
  return found == step.started.end() ? nullptr : &*found;
}

std::string started_words(const Started* started, const Probe& probe) {
  if (!started) return "nothing";
  return fmt::format("{}[{}] on {}", probe.kernels[started->kernel].name,
                     runs_words(started->block), runs_words(started->sm));
}

std::string side_by_side(const Distinction& distinction) {
  std::vector<Row> rows = rows_of_both(distinction);
  for (Row& row : rows) {
    for (std::string& cell : row) cell = cut(std::move(cell));
  }
  return aligned(rows, 2);
}

std::string sm_words(int sm) { return sm < 0 ? "waits" : fmt::format("SM {}", sm); }

std::string proof_text(const Proof& proof) {
  std::string text = fmt::format("{}\n{}\n", proof.claim, proof.argument);
  for (const Lemma& lemma : proof.lemmas) {
    text += fmt::format("  {}: {}\n", lemma.name, lemma.statement);
  }
  return text;
}

}  // namespace

std::vector<Row> kernel_rows(const Probe& probe) {
  const auto any = [&](auto has) { return std::ranges::any_of(probe.kernels, has); };
  const bool local = any([](const Kernel& kernel) { return kernel.local > 0; });
  const bool priority = any([](const Kernel& kernel) { return kernel.priority != 0; });
  const bool stream = any([](const Kernel& kernel) { return kernel.stream.has_value(); });
  const bool cluster = any([](const Kernel& kernel) { return kernel.cluster.has_value(); });
  Row head = {"kernel", "blocks", "threads", "registers", "shared"};
  if (local) head.emplace_back("local");
  if (priority) head.emplace_back("priority");
  if (stream) head.emplace_back("stream");
  if (cluster) head.emplace_back("cluster");
  std::vector<Row> rows = {head};
  for (const Kernel& kernel : probe.kernels) {
    Row row = {kernel.name};
    for (const int number : {kernel.blocks, kernel.threads, kernel.registers, kernel.shared}) {
      row.push_back(fmt::format("{}", number));
    }
    if (local) row.push_back(fmt::format("{}", kernel.local));
    if (priority) row.push_back(fmt::format("{}", kernel.priority));
    if (stream) row.push_back(kernel.stream.value_or("-"));
    if (cluster) row.push_back(kernel.cluster ? fmt::format("{}", *kernel.cluster) : "-");
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> rows_of_both(const Distinction& distinction) {
  const auto& [probe, a, b, parting, why, likelihood] = distinction;
  std::vector<Row> rows = {{"step", "action", "under A", "under B", ""}};
  for (std::size_t s = 0; s < probe.script.size(); ++s) {
    std::set<int> kernels;
    for (const Step* step : {&a.steps[s], &b.steps[s]}) {
      for (const Started& started : step->started) kernels.insert(started.kernel);
    }
    Row head = {fmt::format("{}", s), action_words(probe.script[s], probe)};
    if (kernels.empty()) rows.push_back({head[0], head[1], "nothing", "nothing", ""});
    for (const int kernel : kernels) {
      const bool parts = static_cast<int>(s) == parting.step && kernel == parting.kernel;
      rows.push_back({head[0], head[1], started_words(started_of(a.steps[s], kernel), probe),
                      started_words(started_of(b.steps[s], kernel), probe),
                      parts ? "<- they part" : ""});
      head = {"", ""};
    }
  }
  return rows;
}

std::string plain_reason(const Hypothesis& a, const Hypothesis& b) {
  if (a == b) return "A and B are the same hypothesis";
  if (canonical(a) != canonical(b)) return "";
  std::vector<std::string_view> idle;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (a.values[axis] != b.values[axis]) idle.push_back(axis_info(axis).name);
  }
  return fmt::format("A and B differ only in {}, which changes nothing under their other values",
                     fmt::join(idle, ", "));
}

std::string_view name_of(Comparison::Kind kind) {
  switch (kind) {
    case Comparison::Kind::different:
      return "different";
    case Comparison::Kind::equivalent:
      return "equivalent";
    case Comparison::Kind::not_distinguished:
      return "not distinguished";
    case Comparison::Kind::undecided:
      break;
  }
  return "undecided";
}

std::string likelihood_words(const Likelihood& likelihood) {
  return fmt::format("B excluded by {} of {} outcomes drawn under A, A by {} of {} under B",
                     likelihood.excludes_b, likelihood.drawn, likelihood.excludes_a,
                     likelihood.drawn);
}

std::string parting_words(const Distinction& distinction) {
  const Parting& parting = distinction.parting;
  const std::string& kernel = distinction.probe.kernels[parting.kernel].name;
  if (parting.block < 0) {
    return fmt::format("step {}, {}: it prefers {} bytes of shared memory under A, {} under B",
                       parting.step, kernel,
                       distinction.a.steps[parting.step].shared_config.at(parting.kernel),
                       distinction.b.steps[parting.step].shared_config.at(parting.kernel));
  }
  const std::string place =
      fmt::format("step {}, block {} of {}", parting.step, parting.block, kernel);
  if (parting.sm_a == parting.sm_b) {
    return fmt::format("{}: SM {} under both, its warps in other slots", place, parting.sm_a);
  }
  return fmt::format("{}: {} under A, {} under B", place, sm_words(parting.sm_a),
                     sm_words(parting.sm_b));
}

std::string comparison_text(const Comparison& comparison, const Device& device, const Hypothesis& a,
                            const Hypothesis& b) {
  const std::string plain = plain_reason(a, b);
  const std::string reason = comparison.distinction ? parting_words(*comparison.distinction)
                             : plain.empty()        ? comparison.reason
                                                    : plain;
  std::string text =
      fmt::format("{}{}{}\n", name_of(comparison.kind), reason.empty() ? "" : ": ", reason);
  std::vector<Row> rows = {
      {"A", model_words(a)},
      {"B", model_words(b)},
      {"device", fmt::format("{} ({})", device.name, counted(device.sms, "SM"))},
      {"took", duration_words(comparison.seconds)}};
  if (comparison.distinction) {
    rows.push_back({"found by", comparison.distinction->why});
    if (const auto& likelihood = comparison.distinction->likelihood) {
      rows.push_back({"likelihood", likelihood_words(*likelihood)});
    }
  }
  text += aligned(rows, 2);
  if (comparison.distinction) {
    text += fmt::format("\n{}\n{}", aligned(kernel_rows(comparison.distinction->probe), 2),
                        side_by_side(*comparison.distinction));
  }
  if (comparison.proof && plain.empty()) text += '\n' + proof_text(*comparison.proof);
  return text;
}

}  // namespace cuvier
