#include "uses/fleet/gpu_result.h"

#include "hypotheses/assumptions.h"
#include "probes/format.h"
#include "probes/schemas.h"

namespace cuvier {
namespace {

constexpr Word<FleetStage, 4> stages{{"begun", "checked", "probed", "done"}};

/// The axes, and beside them the order where that was learned.
struct MechanismFormat {
  std::optional<Hypothesis> read(const Json& json, const Place& place) const {
    expect_object(json, place);
    Json axes = json;
    axes.erase("order");
    Hypothesis mechanism = hypothesis_from_json(axes, place.where(), place.path());
    if (json.contains("order")) {
      mechanism.order = read_integers(json["order"], place.field("order"), {});
    }
    return mechanism;
  }
  Json write(const Hypothesis& mechanism) const {
    Json json = to_json(mechanism);
    if (!mechanism.order.empty()) json["order"] = mechanism.order;
    return json;
  }
  Json schema() const { return {{"type", "object"}}; }
};

constexpr ListOf<String> texts{String()};
constexpr Integer some_number;

constexpr auto gpu_format = object<GpuResult>([](auto& gpu, auto& field) {
  field.required("id", gpu.id, String(), "its UUID; of an oracle that tells none, where it is");
  field.optional("driver", gpu.driver, String(), "its driver's version");
  field.required("host", gpu.host, String(), "the node");
  field.required("oracle", gpu.oracle, String(), "who was asked");
  field.required("device", gpu.device, DeviceFormat(), "its facts, with its own map");
  field.required("stage", gpu.stage, stages, "how far a task has come");
  field.required("seconds", gpu.seconds, Number(), "that tasks worked on it");
  field.optional("failed", gpu.failed, String(), "why the last task ended before its end");
  field.optional("facts_otherwise", gpu.facts_otherwise, texts,
                 "in what it differs from its device file");
  field.optional("unrepeated", gpu.unrepeated, texts,
                 "probes whose answer was another the second time");
  field.optional("silent_sms", gpu.silent_sms, Integers(), "SMs on which no block was ever seen");
  field.optional("run_ms", gpu.run_ms, Number(), "milliseconds of a probe, in the median");
  field.optional("asked", gpu.asked, some_number,
                 "answered probes that tell the fleet's model from others");
  field.optional("told", gpu.told, some_number, "others that these tell from it");
  field.optional("rivals", gpu.rivals, some_number, "others altogether");
  field.optional("contradicted_by", gpu.contradicted_by, String(),
                 "the probe whose answer the fleet's model does not explain");
  field.optional("verdict", gpu.verdict, String(),
                 "\"as the model\", or that of an inference of its own");
  field.optional("reason", gpu.reason, String(), "of that verdict");
  field.optional("mechanism", gpu.mechanism, MechanismFormat(),
                 "as in a model file; with the `order` where one was learned");
});

}  // namespace

GpuResult read_gpu_result(const std::string& path) {
  return gpu_format.read(parse_json(read_file(path), path), Place(path));
}

nlohmann::ordered_json to_json(const GpuResult& result) { return gpu_format.write(result); }

nlohmann::ordered_json gpu_result_schema() { return gpu_format.schema(); }

}  // namespace cuvier
