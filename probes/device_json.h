#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "probes/device.h"

namespace cuvier {

/// Reads the `device` object of the oracle protocol. Throws Error naming the
/// field: missing, of a wrong type, unknown, or inconsistent with another.
/// `where` prefixes every message ("devices/a100.json", "rtx.jsonl:1"); `path`
/// is the object's own place in that document ("device"), if it is not the root.
Device device_from_json(const nlohmann::ordered_json& json, const std::string& where,
                        const std::string& path = {});

/// Every field; the optional maps only where they are known.
nlohmann::ordered_json to_json(const Device& device);

/// A field that is not the same of two devices, as JSON has it; "nothing" where it is not there.
struct DifferingField {
  std::string name;
  std::string of_one;
  std::string of_other;
};

/// Those of one in their order, then those that only the other has.
std::vector<DifferingField> differing_fields(const Device& one, const Device& other);

}  // namespace cuvier
