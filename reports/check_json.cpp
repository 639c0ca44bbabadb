#include "reports/check_json.h"

#include "probes/json_fields.h"
#include "reports/model_json.h"

namespace cuvier {

nlohmann::ordered_json check_json(const Finding& finding) {
  Json json = model_json(finding);
  json["mismatches"] = Json::array();
  for (const Mismatch& mismatch : finding.mismatches) {
    Json row = {{"recording", mismatch.recording}, {"where", mismatch.where}};
    if (mismatch.fact.step >= 0) row["step"] = mismatch.fact.step;
    row["kernel"] = mismatch.kernel;
    row["seen"] = mismatch.seen;
    row["predicted"] = mismatch.predicted;
    json["mismatches"].push_back(std::move(row));
  }
  return json;
}

}  // namespace cuvier
