# How Clarke's own targets are made.

# Flags for Clarke's own files.
add_library(clarke_flags INTERFACE)
target_include_directories(clarke_flags INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR};${PROJECT_BINARY_DIR}/generated>")
target_compile_options(clarke_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow>
  # Fusing a*b+c on one code path and not on another would make results differ between backends and batch sizes.
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms of GCC 12 about std::string's operator+, inlined from the standard library's own headers.
  target_compile_options(clarke_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-stringop-overread>)
endif()
if(CLARKE_CUDA)
  include(cmake/cuda.cmake)
endif()
if(CLARKE_WERROR)
  target_compile_options(clarke_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(CLARKE_SANITIZE)
  # -O1 -g1: several times faster to run, and smaller, than -O0 -g, with the same findings and line numbers.
  target_compile_options(clarke_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer
                         -fno-sanitize-recover=undefined -U_FORTIFY_SOURCE -O1 -g1)
  target_link_options(clarke_flags INTERFACE -fsanitize=address,undefined)
endif()

# Nothing of ours is exported from a program. Debian's PETSc loads, through Trilinos' ML, the distribution's Kokkos as
# a shared library beside the static one linked here. Exported symbols of the static copy would take over those of the
# shared one, whose destructors then free the same memory a second time when the process ends.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

target_link_options(clarke_flags INTERFACE LINKER:--exclude-libs,ALL)

# The same for whoever compiles our headers and links our libraries: clarke_framework passes it on.
add_library(clarke_usage INTERFACE)
target_include_directories(clarke_usage INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include/clarke>")
target_compile_options(clarke_usage INTERFACE
  $<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-fvisibility=hidden;-fvisibility-inlines-hidden>>)
target_link_options(clarke_usage INTERFACE $<INSTALL_INTERFACE:LINKER:--exclude-libs,ALL>)
if(CLARKE_FENCE_DEVICE)
  target_compile_definitions(clarke_usage INTERFACE CLARKE_FENCE_DEVICE)
endif()
if(NOT CLARKE_CUDA)
  target_compile_features(clarke_usage INTERFACE cxx_std_20)
endif()

# Parsing Kokkos and PETSc costs more than most of our files; they are parsed once, in a target of its own, whose
# result every layer and the program reuse. CMake cannot do that for nvcc.
if(CLARKE_CUDA)
  set(CLARKE_PCH OFF)
endif()
if(CLARKE_PCH)
  # CONFIGURE writes only what changed: a new time stamp would recompile everything.
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/precompiled.cpp" CONTENT "// Carries the precompiled headers.\n")
  add_library(clarke_precompiled OBJECT "${PROJECT_BINARY_DIR}/generated/precompiled.cpp")
  target_link_libraries(clarke_precompiled PRIVATE clarke_flags clarke_usage Clarke::dependencies nlohmann_json::nlohmann_json)
  target_precompile_headers(clarke_precompiled PRIVATE <Kokkos_Core.hpp> <petscsnes.h> <Eigen/Dense>
    <algorithm> <array> <cmath> <functional> <map> <memory> <string> <vector>)
endif()

# clarke_public(<target> ...): installed, and Clarke::<name without clarke_> for who links it.
set(clarke_exported "")
function(clarke_public)
  foreach(target IN LISTS ARGN)
    string(REGEX REPLACE "^clarke_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    list(APPEND clarke_exported ${target})
  endforeach()
  set(clarke_exported "${clarke_exported}" PARENT_SCOPE)
endfunction()
clarke_public(clarke_flags clarke_usage)

function(clarke_own_target target)
  if(CLARKE_CUDA)
    clarke_cuda_target(${target})
  endif()
  target_link_libraries(${target} PRIVATE clarke_flags)
  add_dependencies(${target} clarke_version)
  if(CLARKE_PCH)
    target_precompile_headers(${target} REUSE_FROM clarke_precompiled)
  endif()
endfunction()

# clarke_layer(<folder> LINK ...): library clarke_<folder> from every .cpp below the folder. A folder without any is
# an interface library, so that a layer may consist of headers only.
function(clarke_layer folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  set(target clarke_${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  if(sources)
    add_library(${target} STATIC ${sources})
    # An object of its own, so that a program may bring another one (cmake/tests.cmake, worked examples).
    set_source_files_properties("${PROJECT_SOURCE_DIR}/${folder}/register.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_link_libraries(${target} ${arg_LINK})
    clarke_own_target(${target})
  else()
    list(TRANSFORM arg_LINK REPLACE "^(PUBLIC|PRIVATE)$" "INTERFACE")
    add_library(${target} INTERFACE)
    target_link_libraries(${target} ${arg_LINK})
  endif()
  clarke_public(${target})
  set(clarke_exported "${clarke_exported}" PARENT_SCOPE)
endfunction()

# clarke_program(<name> <folder> LINK ...): an executable in the root of the build directory. All but its main.cpp are objects of
# the target <name>_commands, so that a test may run commands in a process of its own (tests/fuzz/fork_server).
function(clarke_program name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LINK")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  if(NOT sources)
    message(STATUS "${folder}/ has no sources: no program ${name}")
    return()
  endif()
  list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/${folder}/main.cpp")
  add_library(${name}_commands OBJECT ${sources})
  target_link_libraries(${name}_commands PUBLIC ${arg_LINK})
  clarke_own_target(${name}_commands)
  add_executable(${name} "${PROJECT_SOURCE_DIR}/${folder}/main.cpp")
  target_link_libraries(${name} PRIVATE ${name}_commands)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  clarke_own_target(${name})
endfunction()
