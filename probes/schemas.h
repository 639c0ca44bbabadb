#pragma once

#include "probes/device_json.h"
#include "probes/json_fields.h"

namespace cuvier {

// JSON Schemas, from the tables by which files are read and written (probes/format.h).

nlohmann::ordered_json device_schema();  ///< as it stands in other files
nlohmann::ordered_json probe_schema();
nlohmann::ordered_json recordings_line_schema();

/// A device as it stands in other files, as a kind of value for their tables.
struct DeviceFormat {
  Device read(const Json& json, const Place& place) const {
    return device_from_json(json, place.where(), place.path());
  }
  Json write(const Device& device) const { return to_json(device); }
  Json schema() const { return device_schema(); }
};

}  // namespace cuvier
