#pragma once

#include <string_view>
#include <vector>

namespace cuvier {

/// One file of hypotheses/devices/, as it was when this was built.
struct EmbeddedDeviceFile {
  std::string_view name;  ///< without folder and ending: "rtx3090"
  std::string_view json;
};

/// All of them, ascending by name. Defined by a source that the build generates.
const std::vector<EmbeddedDeviceFile>& embedded_device_files();

}  // namespace cuvier
