#include "reports/mismatch_json.h"

#include "probes/json_fields.h"

namespace cuvier {

nlohmann::ordered_json mismatch_json(const Mismatch& mismatch) {
  Json json = {{"recording", mismatch.recording}, {"where", mismatch.where}};
  if (mismatch.fact.step >= 0) json["step"] = mismatch.fact.step;
  json["kernel"] = mismatch.kernel;
  json["seen"] = mismatch.seen;
  json["predicted"] = mismatch.predicted;
  return json;
}

}  // namespace cuvier
