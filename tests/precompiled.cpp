// Nothing: what the tests share are headers, precompiled (CMakeLists.txt).
