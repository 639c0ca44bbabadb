# What all of our targets share: warnings, sanitizers, the include root.

add_library(cuvier_build_flags INTERFACE)
target_include_directories(cuvier_build_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/cuvier>)
target_compile_features(cuvier_build_flags INTERFACE cxx_std_20)
set(warnings
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic$<$<BOOL:${CUVIER_STRICT}>:;-Werror>>"
  # GCC 12 reports overlaps inside std::string's operator+ that are not there.
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>"
  # In a unity build every .cpp is included, and so taken for a header with secrets.
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>")
target_compile_options(cuvier_build_flags INTERFACE "$<BUILD_INTERFACE:${warnings}>")
if(CUVIER_READ_HEADERS_ONCE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # By which a compiler cache knows a source again that has a precompiled header. And a compiler
  # that collects its garbage from 512 MiB on alone takes a seventh less time.
  target_compile_options(cuvier_build_flags INTERFACE
    "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess;--param=ggc-min-heapsize=524288>>")
endif()
if(CUVIER_SANITIZE)
  target_compile_options(cuvier_build_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${CUVIER_SANITIZE} -fno-sanitize-recover=all
                              -fno-omit-frame-pointer>
    # The instrumentation itself makes GCC's flow analysis see uses that cannot happen.
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized -Wno-uninitialized>)
  target_link_options(cuvier_build_flags INTERFACE -fsanitize=${CUVIER_SANITIZE})
endif()
if(CUVIER_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "CUVIER_FUZZ needs clang, whose libFuzzer it is: -DCMAKE_CXX_COMPILER=clang++")
  endif()
  target_compile_options(cuvier_build_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# What programs that predict allocate by: an inference takes 8 % less time than by the C library.
# Sanitizers have their own.
add_library(cuvier_allocator INTERFACE)
if(NOT CUVIER_SANITIZE)
  find_package(mimalloc REQUIRED)
  target_link_libraries(cuvier_allocator INTERFACE mimalloc)
  target_compile_definitions(cuvier_allocator INTERFACE CUVIER_HAS_MIMALLOC)
endif()

if(CUVIER_READ_HEADERS_ONCE)
  # What nlohmann/json's templates come to is compiled once, here.
  add_library(cuvier_json STATIC ${PROJECT_SOURCE_DIR}/cmake/json_once.cpp)
  target_link_libraries(cuvier_json PUBLIC nlohmann_json::nlohmann_json)
  target_compile_features(cuvier_json PUBLIC cxx_std_20)
  target_link_libraries(cuvier_build_flags INTERFACE cuvier_json)
  set_property(GLOBAL APPEND PROPERTY CUVIER_LIBRARIES cuvier_json)
  # Takes half as long as the default for a test program, and is in the same package.
  find_program(CUVIER_GOLD ld.gold)
  if(CUVIER_GOLD)
    target_link_options(cuvier_build_flags INTERFACE
      "$<BUILD_INTERFACE:$<$<LINK_LANGUAGE:CXX>:-fuse-ld=gold>>")
  endif()

  # What most sources include, precompiled.
  add_library(cuvier_headers OBJECT ${PROJECT_SOURCE_DIR}/cmake/headers.cpp)
  target_link_libraries(cuvier_headers PRIVATE
    cuvier_build_flags fmt::fmt nlohmann_json::nlohmann_json)
  target_precompile_headers(cuvier_headers PRIVATE
    <algorithm> <filesystem> <functional> <map> <memory> <optional> <set> <string> <vector>
    <fmt/format.h> ${PROJECT_SOURCE_DIR}/cmake/json_once.h)
endif()

# With CUVIER_READ_HEADERS_ONCE, several sources of a target, which must link fmt, are compiled at
# once, after the precompiled headers.
function(cuvier_read_headers_once target)
  if(CUVIER_READ_HEADERS_ONCE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
    target_precompile_headers(${target} REUSE_FROM cuvier_headers)
    # After them GCC 12 also sees writes behind the ends of strings that are not there, and with -O3
    # members that a destructor finds uninitialized where a copy throws.
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds -Wno-stringop-overflow>
      $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>)
  endif()
endfunction()

# A target in which nothing is slow but compiling it: every day, it is optimised less.
function(cuvier_is_cold target)
  if(CUVIER_READ_HEADERS_ONCE)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
endfunction()

# The .cpp files of this folder, or of one in it ("smt/"), and below; a file added is a file built.
function(cuvier_sources result)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARGN}*.cpp)
  # The GPU runner is a program of its own.
  list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/probes/gpu/")
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# A source that defines cuvier::FUNCTION(), which the header declares: these files, each under its
# path from `root` on (embed_files.cmake).
function(cuvier_embed result function header root)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D ROOT=${root} -D HEADER=${header} -D FUNCTION=${function}
            -D OUTPUT=${output} -P ${script} -- ${ARGN}
    DEPENDS ${ARGN} ${script}
    COMMENT "Embedding the files of ${function}()"
    VERBATIM)
  set(${result} ${output} PARENT_SCOPE)
endfunction()

# The library of this folder, cuvier_library(corpus LINKS ... PRIVATE_LINKS ...), or of one IN it.
# LINKS are the arrows of docs/design/components.md; tests/layout scans that the
# includes keep to them. A folder without sources yet is a library of headers. What of it is
# trusted (CuvierTrusted.cmake) is in cuvier_FOLDER_trusted, which this one links.
function(cuvier_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "IN" "SOURCES;LINKS;PRIVATE_LINKS")
  cuvier_sources(sources ${arg_IN})
  list(APPEND sources ${arg_SOURCES})
  cuvier_trusted_library(cuvier_${folder} sources
    "${sources}" "${arg_LINKS}" "${arg_PRIVATE_LINKS}")
  if(TARGET cuvier_${folder}_trusted)
    list(APPEND arg_LINKS cuvier_${folder}_trusted)
  endif()
  if(sources)
    add_library(cuvier_${folder} STATIC ${sources})
    cuvier_read_headers_once(cuvier_${folder})
    target_link_libraries(cuvier_${folder}
      PUBLIC cuvier_build_flags ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  else()
    add_library(cuvier_${folder} INTERFACE)
    target_link_libraries(cuvier_${folder} INTERFACE cuvier_build_flags ${arg_LINKS})
  endif()
  set_property(GLOBAL APPEND PROPERTY CUVIER_LIBRARIES cuvier_${folder})
endfunction()
