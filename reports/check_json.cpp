#include "reports/check_json.h"

#include "probes/json_fields.h"
#include "reports/mismatch_json.h"
#include "reports/model_json.h"

namespace cuvier {

nlohmann::ordered_json check_json(const Finding& finding) {
  Json json = model_json(finding);
  json["mismatches"] = mismatches_json(finding.mismatches);
  return json;
}

}  // namespace cuvier
