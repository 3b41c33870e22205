# CUDA: every C++ file is compiled by nvcc, because Kokkos 3.4 with CUDA refuses any other compiler.

if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES ${Kokkos_CUDA_ARCHITECTURES})
endif()
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(CMAKE_CUDA_COMPILER nvcc HINTS /usr/local/cuda/bin REQUIRED)
endif()
enable_language(CUDA)

# CMake 3.25 does not know that nvcc has C++20 and would silently compile as C++17.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)

# No fused multiply-add on the device either: the same sums as on the host. -Wpedantic would judge nvcc's own output.
# 20012: Eigen annotates defaulted functions.
target_compile_options(clarke_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda;--fmad=false;-diag-suppress=20012;-Xcompiler=-fopenmp,-ffp-contract=off,-Wall,-Wextra>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # The false alarms of targets.cmake, by the same compiler behind nvcc.
  target_compile_options(clarke_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-restrict,-Wno-stringop-overflow,-Wno-array-bounds,-Wno-stringop-overread>")
endif()
