# What `cmake --install` puts beside the programs, so that find_package(cuvier) finds our libraries,
# and what `cpack` makes a Debian package of.

get_property(libraries GLOBAL PROPERTY CUVIER_LIBRARIES)
foreach(library ${libraries})
  string(REPLACE "cuvier_" "" exported ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${exported})
endforeach()
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/cuvier)
install(TARGETS cuvier_build_flags ${libraries} EXPORT cuvier
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/cuvier COMPONENT development)
install(EXPORT cuvier NAMESPACE cuvier:: DESTINATION ${config} COMPONENT development)
foreach(folder probes hypotheses corpus solver uses reports)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cuvier COMPONENT development
          FILES_MATCHING PATTERN "*.h" PATTERN "probes/gpu" EXCLUDE)
endforeach()

install(FILES docs/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libcuvier-dev
        COMPONENT development)

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cuvierConfigVersion.cmake
                                 COMPATIBILITY ExactVersion)  # docs/RELEASING.md
install(FILES cmake/cuvierConfig.cmake cmake/CuvierZ3.cmake
              ${PROJECT_BINARY_DIR}/cuvierConfigVersion.cmake
        DESTINATION ${config} COMPONENT development)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the cuvier developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME cuvier)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS cvc5)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcuvier-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "nlohmann-json3-dev, libfmt-dev, libtbb-dev, libz3-dev, libmd-dev, libboost-graph-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS program)
if(TARGET cuvier_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  install(FILES docs/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-cuvier
          COMPONENT python)
  get_target_property(minor cuvier_python CUVIER_PYTHON_MINOR)  # of the only version that loads it
  math(EXPR next_minor "${minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-cuvier)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${minor}), python3 (<< 3.${next_minor})")
endif()
set(CPACK_STRIP_FILES ON)
include(CPack)
