#include "reports/finding/check_json.h"

#include "probes/json_fields.h"
#include "reports/finding/mismatch_json.h"
#include "reports/finding/model_json.h"

namespace cuvier {

nlohmann::ordered_json check_json(const Finding& finding) {
  Json json = model_json(finding);
  json["mismatches"] = mismatches_json(finding.mismatches);
  return json;
}

}  // namespace cuvier
