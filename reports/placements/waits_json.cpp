#include "reports/placements/waits_json.h"

#include <nlohmann/json.hpp>

namespace cuvier {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Wait::For what) {
  switch (what) {
    case Wait::For::stream:
      return "stream";
    case Wait::For::resident_kernels:
      return "resident_kernels";
    case Wait::For::head_of_queue:
      return "head_of_queue";
    case Wait::For::local_memory:
      return "local_memory";
    case Wait::For::room:
      return "room";
    case Wait::For::turn:
      return "turn";
    case Wait::For::cluster:
      return "cluster";
  }
  return "";
}

const char* name_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::block_slots:
      return "block_slots";
    case Obstacle::warp_slots:
      return "warp_slots";
    case Obstacle::warp_slots_of_subpartition:
      return "warp_slots_of_subpartition";
    case Obstacle::registers:
      return "registers";
    case Obstacle::registers_of_subpartition:
      return "registers_of_subpartition";
    case Obstacle::carve_out:
      return "carve_out";
    case Obstacle::small_carve_out:
      return "small_carve_out";
    case Obstacle::shared_memory:
      return "shared_memory";
    case Obstacle::shared_memory_in_pieces:
      return "shared_memory_in_pieces";
  }
  return "";
}

}  // namespace

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
