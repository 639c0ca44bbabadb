# cmake -D OUTPUT=FILE -P embed_devices.cmake -- DEVICE.json...
# Writes a source that defines cuvier::embedded_device_files().
set(rows "")
set(is_file FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(is_file)
    get_filename_component(name "${argument}" NAME_WE)
    file(READ "${argument}" content)
    string(APPEND rows "    {\"${name}\", R\"device(${content})device\"},\n")
  elseif(argument STREQUAL "--")
    set(is_file TRUE)
  endif()
endforeach()
file(WRITE "${OUTPUT}" "// Generated from hypotheses/devices/*.json.
#include \"hypotheses/embedded_devices.h\"

namespace cuvier {

const std::vector<EmbeddedDeviceFile>& embedded_device_files() {
  static const std::vector<EmbeddedDeviceFile> files = {
${rows}  };
  return files;
}

}  // namespace cuvier
")
