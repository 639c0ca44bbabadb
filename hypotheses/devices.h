#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "probes/device.h"

namespace cuvier {

/// A device that needs no file of the user's.
struct DeviceFile {
  std::string name;  ///< the short name: "rtx3090"
  Device device;
  std::string note;  ///< for people: where a fact is from that nobody measured, say; or empty
};

/// The content of hypotheses/devices/, ascending by name.
const std::vector<DeviceFile>& known_devices();

/// The known device of that name, in whatever case, or, for a path that ends in ".json", the device
/// object in that file, which may have a `note` beside its fields. Throws Error: an unknown name is
/// told the known ones.
Device find_device(const std::string& name_or_path);

/// The known file of the GPU that the device is, whatever CUDA calls it ("NVIDIA A100-SXM4-40GB"):
/// the file's short name is among the words of the device's, and the documented limits are the
/// same. Null: there is none.
const DeviceFile* known_file_of(const Device& device);

/// Of such a file.
nlohmann::ordered_json device_file_schema();

}  // namespace cuvier
