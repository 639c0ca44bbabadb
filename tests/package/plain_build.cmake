# Configures the plain way (no preset, -O3) with each compiler that is here, and compiles what
# warned there:
#   cmake -D SOURCE=... -D WORK=... -P plain_build.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

find_program(GCC g++)
find_program(CLANG clang++)
set(tried 0)
foreach(compiler ${GCC} ${CLANG})
  file(REMOVE_RECURSE ${WORK})
  run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G Ninja -DCMAKE_BUILD_TYPE=Release
      -DCMAKE_CXX_COMPILER=${compiler} -DCUVIER_GPU=OFF -DBUILD_TESTING=OFF)
  file(READ ${WORK}/compile_commands.json commands)
  if(NOT commands MATCHES " -O3 " OR NOT commands MATCHES " -Wall ")
    message(FATAL_ERROR "${compiler}: the plain way is not with -O3 and warnings any more")
  endif()
  # Newer compilers warn elsewhere: nobody who only builds it is to be stopped by that.
  if(commands MATCHES " -Werror")
    message(FATAL_ERROR "${compiler}: warnings are errors without a preset")
  endif()
  set(objects probes/CMakeFiles/cuvier_probes_trusted.dir)
  run(${CMAKE_COMMAND} --build ${WORK} --target ${objects}/fact.cpp.o)
  math(EXPR tried "${tried} + 1")
endforeach()
if(tried EQUAL 0)
  message(FATAL_ERROR "no compiler was found")
endif()
file(REMOVE_RECURSE ${WORK})
