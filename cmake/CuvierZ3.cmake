# The target z3::libz3.

# Debian's libz3-dev has no CMake package; others' have.
find_package(Z3 CONFIG QUIET)
if(NOT TARGET z3::libz3)
  find_path(Z3_INCLUDE_DIR z3++.h PATH_SUFFIXES z3 REQUIRED)
  find_library(Z3_LIBRARY z3 REQUIRED)
  add_library(z3::libz3 UNKNOWN IMPORTED GLOBAL)
  set_target_properties(z3::libz3 PROPERTIES
    IMPORTED_LOCATION ${Z3_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Z3_INCLUDE_DIR})
endif()
