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

# clarke_cuda_target(<target>): its C++ files go to nvcc. With CMAKE_UNITY_BUILD several of them at a time, which CMake does for
# C++ only (for CUDA since 3.31).
function(clarke_cuda_target target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(unity ${target} UNITY_BUILD)
  if(unity)
    set(alone "")
    foreach(source IN LISTS sources)
      get_source_file_property(definitions "${source}" COMPILE_DEFINITIONS)
      if(definitions)  # its own, so it stays alone
        list(APPEND alone "${source}")
      endif()
    endforeach()
    if(alone)
      list(REMOVE_ITEM sources ${alone})
    endif()
    list(LENGTH sources count)
    math(EXPR last "${count} - 1")
    set(batches "")
    foreach(first RANGE 0 ${last} ${CMAKE_UNITY_BUILD_BATCH_SIZE})
      list(SUBLIST sources ${first} ${CMAKE_UNITY_BUILD_BATCH_SIZE} some)
      list(TRANSFORM some REPLACE "(.+)" "#include \"\\1\"\n")
      list(JOIN some "" text)
      set(batch "${PROJECT_BINARY_DIR}/generated/${target}_${first}.cpp")
      file(CONFIGURE OUTPUT "${batch}" CONTENT "${text}" @ONLY)
      list(APPEND batches "${batch}")
    endforeach()
    set(sources ${batches} ${alone})
    set_target_properties(${target} PROPERTIES SOURCES "${sources}" UNITY_BUILD OFF)
  endif()
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CUDA)
endfunction()
