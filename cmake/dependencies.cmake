# Finds what Clarke builds on; docs/dependencies.md says what each is used for. Everything found here is a system
# include for the compiler, so warnings come from Clarke's own files only.

set(CMAKE_FIND_PACKAGE_PREFER_CONFIG ON)

find_package(PkgConfig REQUIRED)
pkg_check_modules(PETSC REQUIRED IMPORTED_TARGET petsc>=3.18)
# petsc.pc carries the flags Debian's package was built with; -D_FORTIFY_SOURCE and -Wdate-time are not ours to
# inherit (the former refuses -O0 and disturbs the sanitizers).
set_target_properties(PkgConfig::PETSC PROPERTIES INTERFACE_COMPILE_OPTIONS "")

# PETSc's headers include mpi.h, and petsc.pc does not say where it is. The C interface suffices: MPI::MPI_CXX would
# link the removed C++ bindings.
find_package(MPI REQUIRED COMPONENTS C)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
# VTK writes the results (postprocess: the XML writers) and reads the meshes of robots (cases: STL, OBJ, PLY).
find_package(VTK 9.1 REQUIRED COMPONENTS CommonCore CommonDataModel IOXML IOGeometry IOPLY)

# Robots: urdfdom reads them, tinyxml (its own XML parser) knows the lines, console_bridge carries its messages.
pkg_check_modules(URDF REQUIRED IMPORTED_TARGET urdfdom tinyxml console_bridge)
add_library(clarke_urdf INTERFACE)
target_link_libraries(clarke_urdf INTERFACE PkgConfig::URDF VTK::CommonCore VTK::CommonDataModel VTK::IOGeometry VTK::IOPLY)

# Expressions in t (framework/time_function.cpp).
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser>=2.3)

# yaml-cpp 0.8 renamed its target.
add_library(clarke_yaml INTERFACE)
if(TARGET yaml-cpp::yaml-cpp)
  target_link_libraries(clarke_yaml INTERFACE yaml-cpp::yaml-cpp)
else()
  target_link_libraries(clarke_yaml INTERFACE yaml-cpp)
endif()

# Kokkos: what the user names (Kokkos_ROOT), else what scripts/setup.sh built with OpenMP, else the distribution's,
# which has the Serial backend only.
if(DEFINED ENV{CLARKE_CACHE})
  set(clarke_cache "$ENV{CLARKE_CACHE}")
else()
  set(clarke_cache "$ENV{HOME}/.cache/clarke")
endif()
if(CLARKE_CUDA)
  set(clarke_kokkos "${clarke_cache}/kokkos-cuda")
else()
  set(clarke_kokkos "${clarke_cache}/kokkos-openmp")
endif()
if(NOT Kokkos_ROOT AND NOT DEFINED ENV{Kokkos_ROOT} AND EXISTS "${clarke_kokkos}/lib/cmake/Kokkos/KokkosConfig.cmake")
  # A build directory configured before scripts/setup.sh ran remembers the distribution's Kokkos: forget it.
  if("${Kokkos_DIR}" MATCHES "^/usr/lib")
    unset(Kokkos_DIR CACHE)
  endif()
  set(Kokkos_ROOT "${clarke_kokkos}")
endif()
find_package(Kokkos REQUIRED)

add_library(clarke_dependencies INTERFACE)
if(TARGET trilinos_kokkoscore)
  # The distribution's Kokkos is a part of Trilinos; its exported include directory does not exist.
  find_path(CLARKE_KOKKOS_INCLUDE Kokkos_Core.hpp HINTS ${Kokkos_INCLUDE_DIRS} PATH_SUFFIXES trilinos REQUIRED)
  set_target_properties(trilinos_kokkoscore PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${CLARKE_KOKKOS_INCLUDE}")
  target_include_directories(clarke_dependencies SYSTEM INTERFACE "${CLARKE_KOKKOS_INCLUDE}")
  target_link_libraries(clarke_dependencies INTERFACE trilinos_kokkoscore)
  set(CLARKE_BACKENDS "Serial")
  set(clarke_kokkos_origin "distribution")
else()
  target_link_libraries(clarke_dependencies INTERFACE Kokkos::kokkos)
  set(CLARKE_BACKENDS "")
  foreach(pair CUDA:Cuda HIP:HIP SYCL:SYCL OPENMP:OpenMP THREADS:Threads SERIAL:Serial)
    string(REPLACE ":" ";" pair "${pair}")
    list(POP_FRONT pair key name)
    if(key IN_LIST Kokkos_DEVICES)
      list(APPEND CLARKE_BACKENDS ${name})
    endif()
  endforeach()
  list(JOIN CLARKE_BACKENDS "+" CLARKE_BACKENDS)
  set(clarke_kokkos_origin "${Kokkos_DIR}")
endif()
target_link_libraries(clarke_dependencies INTERFACE PkgConfig::PETSC MPI::MPI_C Eigen3::Eigen)

message(STATUS "PETSc ${PETSC_VERSION}, Kokkos ${Kokkos_VERSION} with ${CLARKE_BACKENDS} (${clarke_kokkos_origin}), VTK ${VTK_VERSION}")
