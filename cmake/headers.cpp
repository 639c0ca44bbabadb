// Nothing: what targets share are headers, precompiled (CuvierTargets.cmake, tests/CMakeLists.txt).
