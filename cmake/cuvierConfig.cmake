# find_package(cuvier): the targets cuvier::probes, hypotheses, corpus, solver, uses and reports, each with
# what it needs. Headers are included as in the project itself: "hypotheses/simulator.h".
include(CMakeFindDependencyMacro)
find_dependency(nlohmann_json)
find_dependency(fmt)
find_dependency(TBB)
find_dependency(Threads)
find_dependency(Boost)
include(${CMAKE_CURRENT_LIST_DIR}/CuvierZ3.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cuvier.cmake)
