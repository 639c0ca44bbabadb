#include "cli/probe_file.h"

#include "probes/json_fields.h"
#include "probes/probe_json.h"

namespace cuvier {

Probe read_probe(const std::string& path, const Device& device) {
  Probe probe = probe_from_json(parse_json(read_file(path), path), path);
  validate(probe, device, path);
  return probe;
}

}  // namespace cuvier
