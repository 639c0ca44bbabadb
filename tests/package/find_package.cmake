# Installs a build, builds docs/example with it as somebody else would, and runs that:
#   cmake -D BUILD=... -D SOURCE=... -D WORK=... -P find_package.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE said)
  set(said "${said}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/docs/example -B ${WORK}/build -G Ninja
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=Release ${OPTIONS})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/example)
if(NOT said MATCHES "algorithm-1: they meet on [0-9]+ of 82 SMs\n")
  message(FATAL_ERROR "the example said: ${said}")
endif()
run(${WORK}/prefix/bin/cuvier --version)
foreach(page man/man1/cuvier.1 bash-completion/completions/cuvier)
  if(NOT EXISTS ${WORK}/prefix/share/${page})
    message(FATAL_ERROR "not installed: share/${page}")
  endif()
endforeach()
file(REMOVE_RECURSE ${WORK})
