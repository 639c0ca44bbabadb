# cmake -D OUTPUT=FILE -D HTML=FOLDER -P embed_page.cmake
# Writes a source that defines cuvier::embedded_page(): page.html, with all styles and scripts in it.
function(join result)
  set(all "")
  foreach(file ${ARGN})
    file(READ "${file}" content)
    string(APPEND all "${content}\n")
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

file(GLOB styles ${HTML}/*.css)
file(GLOB scripts ${HTML}/*.js)
join(style ${styles})
join(script ${scripts})
file(READ "${HTML}/page.html" page)
string(REPLACE "/*STYLE*/" "${style}" page "${page}")
string(REPLACE "/*SCRIPT*/" "${script}" page "${page}")
file(WRITE "${OUTPUT}" "// Generated from reports/document/html.
#include \"reports/document/report_file.h\"

namespace cuvier {

std::string_view embedded_page() { return R\"page(${page})page\"; }

}  // namespace cuvier
")
