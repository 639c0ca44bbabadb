# cmake -D ROOT=FOLDER -D HEADER=hypotheses/gpu.h -D OUTPUT=FILE -P embed_mechanism.cmake
# Writes a source that defines cuvier::embedded_mechanism(): HEADER and all of ours that it includes,
# each behind those that it includes itself, and the standard headers that they need.
cmake_policy(VERSION 3.25)

set(standard "")
set(text "")

function(take header)
  get_property(taken GLOBAL PROPERTY taken)
  if(header IN_LIST taken)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY taken ${header})
  file(STRINGS ${ROOT}/${header} includes REGEX "^#include ")
  foreach(include IN LISTS includes)
    if(include MATCHES "^#include \"(.*)\"")
      take(${CMAKE_MATCH_1})
    elseif(include MATCHES "^#include <([a-z_]+)>")
      list(APPEND standard ${CMAKE_MATCH_1})
    else()
      message(FATAL_ERROR "${header}: ${include}: what predicts needs the standard library alone")
    endif()
  endforeach()
  file(READ ${ROOT}/${header} content)
  string(REGEX REPLACE "#(pragma once|include [^\n]*)\n+" "" content "${content}")
  string(APPEND text "// ${header}\n\n${content}\n")
  set(standard "${standard}" PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()

take(${HEADER})
list(REMOVE_DUPLICATES standard)
list(SORT standard)
list(TRANSFORM standard REPLACE "(.+)" "#include <\\1>\n")
string(JOIN "" standard ${standard})
string(SHA256 digest "${standard}${text}")
string(SUBSTRING ${digest} 0 8 digest)
file(WRITE "${OUTPUT}" "// Generated from ${HEADER} and what it includes.
#include \"hypotheses/embedded_mechanism.h\"

namespace cuvier {

EmbeddedMechanism embedded_mechanism() {
  return {R\"mechanism(${standard})mechanism\", R\"mechanism(${text})mechanism\", \"${digest}\"};
}

}  // namespace cuvier
")
