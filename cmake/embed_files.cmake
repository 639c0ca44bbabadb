# cmake -D ROOT=FOLDER -D HEADER=hypotheses/embedded_devices.h -D FUNCTION=embedded_device_files
#       -D OUTPUT=FILE -P embed_files.cmake -- FILE...
# Writes a source that defines cuvier::FUNCTION(), which HEADER declares: each file under its path
# from ROOT on, without its ending.
set(rows "")
set(is_file FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(is_file)
    file(RELATIVE_PATH name "${ROOT}" "${argument}")
    string(REGEX REPLACE "\\.[a-z]+$" "" name "${name}")
    file(READ "${argument}" content)
    string(APPEND rows "    {\"${name}\", R\"file(${content})file\"},\n")
  elseif(argument STREQUAL "--")
    set(is_file TRUE)
  endif()
endforeach()
file(WRITE "${OUTPUT}" "// Generated from the files that it holds.
#include \"${HEADER}\"

namespace cuvier {

const std::vector<EmbeddedFile>& ${FUNCTION}() {
  static const std::vector<EmbeddedFile> files = {
${rows}  };
  return files;
}

}  // namespace cuvier
")
