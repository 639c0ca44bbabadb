# The GPU runner needs a CUDA compiler; everything else does not notice its absence.
include(CheckLanguage)
if(NOT CMAKE_CUDA_COMPILER)
  find_program(CUVIER_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
               PATH_SUFFIXES bin)
  if(CUVIER_NVCC)
    set(CMAKE_CUDA_COMPILER ${CUVIER_NVCC})
  else()
    check_language(CUDA)
  endif()
endif()
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "No CUDA compiler found: cuvier-gpu, the GPU runner, is not built")
  return()
endif()

# Few by default, for a quick build; "all" is what a package for unknown GPUs is built with.
set(CUVIER_CUDA_ARCHITECTURES "80;86;90" CACHE STRING
    "Compute capabilities that cuvier-gpu is built for; \"all\": every one that it knows, and PTX")
if(CUVIER_CUDA_ARCHITECTURES STREQUAL "all")
  set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90-real 100 120-real)
else()
  list(TRANSFORM CUVIER_CUDA_ARCHITECTURES REPLACE "^([0-9]+)$" "\\1-real"
       OUTPUT_VARIABLE CMAKE_CUDA_ARCHITECTURES)
endif()

# CMake 3.25 does not know that nvcc has had C++20 since CUDA 12.
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
set(CMAKE_CUDA_STANDARD 20)
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# CUPTI's kernel records as we read them came with version 13; it is loaded at run time.
find_path(CUVIER_CUPTI_INCLUDE cupti.h
          HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include)
if(CUVIER_CUPTI_INCLUDE)
  file(STRINGS ${CUVIER_CUPTI_INCLUDE}/cupti_activity.h record REGEX "CUpti_ActivityKernel10;")
  if(NOT record)
    set(CUVIER_CUPTI_INCLUDE "" CACHE PATH "Where cupti.h is" FORCE)
  endif()
endif()
