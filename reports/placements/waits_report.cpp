#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>

#include "probes/json_fields.h"
#include "probes/named.h"
#include "reports/document/words.h"
#include "reports/placements/placements_report.h"

namespace cuvier {
namespace {

std::string name_of(int kernel, const Probe& probe) { return probe.kernels[kernel].name; }

/// Who chose the carve-out that an SM has; empty where that is no matter.
std::string carve_out_words(const Refusal& refusal, const Wait& wait, const Probe& probe) {
  if (refusal.set_by < 0) return "";
  return count_words(refusal.carve_out) +
         (refusal.set_by == wait.kernel ? " bytes, as it prefers itself"
                                        : " bytes, chosen for " + name_of(refusal.set_by, probe));
}

std::string obstacle_words(Obstacle obstacle, const Refusal& refusal, const Wait& wait,
                           const Probe& probe) {
  if (obstacle == Obstacle::carve_out) {
    return fmt::format(
        "the shared-memory carve-out is {}, and stays so while blocks are there; it prefers {}",
        carve_out_words(refusal, wait, probe), count_words(refusal.prefers));
  }
  if (obstacle == Obstacle::small_carve_out) {
    return fmt::format("too little shared memory is free in a carve-out of {}",
                       carve_out_words(refusal, wait, probe));
  }
  return std::string(named(
      obstacle,
      {"no block slot is free", "too few warp slots are free",
       "warp slots are free, but not on the subpartitions that its warps go to",
       "too few registers are free", "registers are free, but not where its warps go", "", "",
       "too little shared memory is free", "enough shared memory is free, but not in one piece",
       "a rule of the model refuses it (admission)"}));
}

std::string refusals_words(const Wait& wait, const Probe& probe) {
  std::string text;
  for (const Refusal& refusal : wait.sms) {
    text += fmt::format("{}{} (SM {}): ", text.empty() ? "" : "\n",
                        counted(refusal.sms.size(), "SM"), runs_words(refusal.sms));
    for (std::size_t i = 0; i < refusal.obstacles.size(); ++i) {
      text += (i > 0 ? "; " : "") + obstacle_words(refusal.obstacles[i], refusal, wait, probe);
    }
  }
  return text;
}

std::string_view name_of(Wait::For what) {
  return named(what, {"stream", "connection", "resident_kernels", "head_of_queue", "local_memory",
                      "room", "turn", "cluster"});
}

std::string_view name_of(Obstacle obstacle) {
  return named(obstacle, {"block_slots", "warp_slots", "warp_slots_of_subpartition", "registers",
                          "registers_of_subpartition", "carve_out", "small_carve_out",
                          "shared_memory", "shared_memory_in_pieces", "rule"});
}

}  // namespace

std::string wait_words(const Wait& wait, const Probe& probe) {
  switch (wait.what) {
    case Wait::For::stream:
      return fmt::format("its stream: {} is not complete", name_of(wait.behind, probe));
    case Wait::For::connection:
      return fmt::format("its connection: {}, launched through the same, waits itself",
                         name_of(wait.behind, probe));
    case Wait::For::resident_kernels:
      return "another kernel to complete: as many are resident as the device takes";
    case Wait::For::head_of_queue:
      return fmt::format("the head of the queue: {}, which waits itself",
                         name_of(wait.behind, probe));
    case Wait::For::local_memory:
      return fmt::format(
          "local memory: it needs {} bytes a thread, the device is set up for {}, and that changes "
          "only while no block is resident",
          count_words(probe.kernels[wait.kernel].local), count_words(wait.local));
    case Wait::For::turn:
      return "the SM whose turn it is; others would take a block\n" + refusals_words(wait, probe);
    case Wait::For::cluster:
      return "enough SMs of one GPC for a cluster\n" + refusals_words(wait, probe);
    case Wait::For::room:
      break;
  }
  return "room on an SM\n" + refusals_words(wait, probe);
}

std::string waits_text(const std::vector<std::vector<Wait>>& waits, const Probe& probe) {
  std::string text;
  std::vector<std::string> told(probe.kernels.size());
  for (std::size_t step = 0; step < waits.size(); ++step) {
    std::vector<std::string> now(probe.kernels.size());
    for (const Wait& wait : waits[step]) {
      const std::string words = now[wait.kernel] =
          fmt::format("{} of {} for {}", counted(wait.blocks, "block"), name_of(wait.kernel, probe),
                      wait_words(wait, probe));
      if (words == told[wait.kernel]) continue;
      text += fmt::format("  step {}: {}\n", step, boost::replace_all_copy(words, "\n", "\n    "));
    }
    told = std::move(now);
  }
  return text.empty() ? "" : "what waits, and for what:\n" + text;
}

nlohmann::ordered_json to_json(const Wait& wait, const Probe& probe) {
  Json json = {{"kernel", probe.kernels[wait.kernel].name},
               {"blocks", wait.blocks},
               {"for", name_of(wait.what)}};
  if (wait.behind >= 0) json["behind"] = probe.kernels[wait.behind].name;
  if (wait.what == Wait::For::local_memory) {
    json["needs"] = probe.kernels[wait.kernel].local;
    json["set_up_for"] = wait.local;
  }
  for (const Refusal& refusal : wait.sms) {
    Json each = {{"sms", refusal.sms}, {"obstacles", Json::array()}};
    for (const Obstacle obstacle : refusal.obstacles) {
      each["obstacles"].push_back(name_of(obstacle));
    }
    if (refusal.set_by >= 0) {
      each["carve_out"] = refusal.carve_out;
      each["prefers"] = refusal.prefers;
      each["set_by"] = probe.kernels[refusal.set_by].name;
    }
    json["refused"].push_back(std::move(each));
  }
  return json;
}

nlohmann::ordered_json waits_json(const std::vector<std::vector<Wait>>& waits, const Probe& probe) {
  Json json = Json::array();
  for (std::size_t step = 0; step < waits.size(); ++step) {
    for (const Wait& wait : waits[step]) {
      Json each = {{"step", step}};
      each.update(to_json(wait, probe));
      json.push_back(std::move(each));
    }
  }
  return json;
}

}  // namespace cuvier
