# Finds what Clarke builds on; docs/dependencies.md says what each is used for. Everything found here is a system
# include for the compiler, so warnings come from Clarke's own files only.
#
# Read twice: by Clarke's own CMakeLists.txt, and as a part of the installed package, where it finds the same things for
# whoever links Clarke's libraries. What it makes is therefore imported: Clarke::dependencies, Clarke::yaml, Clarke::urdf.

include(CMakeFindDependencyMacro)
if(NOT clarke_installed)  # find_dependency() asks as whoever looks for Clarke asked: here, Clarke itself
  set(CMAKE_FIND_PACKAGE_NAME Clarke)
  set(Clarke_FIND_REQUIRED ON)
endif()
set(clarke_required "")
if(Clarke_FIND_REQUIRED)
  set(clarke_required REQUIRED)
endif()
set(CMAKE_FIND_PACKAGE_PREFER_CONFIG ON)

find_dependency(PkgConfig)
pkg_check_modules(PETSC ${clarke_required} IMPORTED_TARGET petsc>=3.18)
# Robots: urdfdom reads them, tinyxml (its own XML parser) knows the lines, console_bridge carries its messages.
pkg_check_modules(URDF ${clarke_required} IMPORTED_TARGET urdfdom tinyxml console_bridge)
# Expressions in t (framework/time_function.cpp).
pkg_check_modules(MUPARSER ${clarke_required} IMPORTED_TARGET muparser>=2.3)
# Contact problems as files. PETSc loads Debian's HDF5 for Open MPI; a second build of HDF5 in the program would clash.
pkg_check_modules(HDF5 ${clarke_required} IMPORTED_TARGET hdf5-openmpi)
foreach(clarke_module IN ITEMS PETSC URDF MUPARSER HDF5)
  if(NOT ${clarke_module}_FOUND)  # only where Clarke is optional: nothing was required
    set(Clarke_FOUND FALSE)
    set(Clarke_NOT_FOUND_MESSAGE "${clarke_module} was not found by pkg-config")
    return()
  endif()
endforeach()
# petsc.pc carries the flags Debian's package was built with; -D_FORTIFY_SOURCE and -Wdate-time are not ours to
# inherit (the former refuses -O0 and disturbs the sanitizers).
set_target_properties(PkgConfig::PETSC PROPERTIES INTERFACE_COMPILE_OPTIONS "")

# PETSc's headers include mpi.h, and petsc.pc does not say where it is. The C interface suffices: MPI::MPI_CXX would
# link the removed C++ bindings.
find_dependency(MPI COMPONENTS C)
find_dependency(Eigen3 3.4 NO_MODULE)
find_dependency(nlohmann_json)
find_dependency(yaml-cpp)
# VTK writes the results (postprocess: the XML writers) and reads meshes (cases: STL, OBJ, PLY of bodies and robots, VTK's own of
# soft bodies) and pictures (PNG).
find_dependency(VTK 9.1 COMPONENTS CommonCore CommonExecutionModel CommonDataModel IOXML IOLegacy IOGeometry IOImage IOPLY)

add_library(Clarke::urdf INTERFACE IMPORTED)
target_link_libraries(Clarke::urdf INTERFACE PkgConfig::URDF VTK::CommonCore VTK::CommonExecutionModel VTK::CommonDataModel
  VTK::IOXML VTK::IOLegacy VTK::IOGeometry VTK::IOImage VTK::IOPLY)

# yaml-cpp 0.8 renamed its target.
add_library(Clarke::yaml INTERFACE IMPORTED)
if(TARGET yaml-cpp::yaml-cpp)
  target_link_libraries(Clarke::yaml INTERFACE yaml-cpp::yaml-cpp)
else()
  target_link_libraries(Clarke::yaml INTERFACE yaml-cpp)
endif()

# Kokkos: what the user names (Kokkos_ROOT), else what scripts/setup.sh built with OpenMP, else the distribution's,
# which has the Serial backend only. An installed Clarke wants the one it was built with: ClarkeConfig.cmake names it.
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
if(NOT clarke_installed AND NOT Kokkos_ROOT AND NOT DEFINED ENV{Kokkos_ROOT} AND EXISTS "${clarke_kokkos}/lib/cmake/Kokkos/KokkosConfig.cmake")
  # A build directory configured before scripts/setup.sh ran remembers the distribution's Kokkos: forget it.
  if("${Kokkos_DIR}" MATCHES "^/usr/lib")
    unset(Kokkos_DIR CACHE)
  endif()
  set(Kokkos_ROOT "${clarke_kokkos}")
endif()
find_dependency(Kokkos)

add_library(Clarke::dependencies INTERFACE IMPORTED)
if(TARGET trilinos_kokkoscore)
  # The distribution's Kokkos is a part of Trilinos; its exported include directory does not exist.
  find_path(CLARKE_KOKKOS_INCLUDE Kokkos_Core.hpp HINTS ${Kokkos_INCLUDE_DIRS} PATH_SUFFIXES trilinos REQUIRED)
  set_target_properties(trilinos_kokkoscore PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${CLARKE_KOKKOS_INCLUDE}")
  target_include_directories(Clarke::dependencies SYSTEM INTERFACE "${CLARKE_KOKKOS_INCLUDE}")
  target_link_libraries(Clarke::dependencies INTERFACE trilinos_kokkoscore)
  set(CLARKE_BACKENDS "Serial")
  set(clarke_kokkos_origin "distribution")
else()
  target_link_libraries(Clarke::dependencies INTERFACE Kokkos::kokkos)
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
if(CLARKE_FENCE_DEVICE)
  string(APPEND CLARKE_BACKENDS "+Fence")
endif()
target_link_libraries(Clarke::dependencies INTERFACE PkgConfig::PETSC MPI::MPI_C Eigen3::Eigen)

if(clarke_installed)
  return()
endif()
message(STATUS "PETSc ${PETSC_VERSION}, Kokkos ${Kokkos_VERSION} with ${CLARKE_BACKENDS} (${clarke_kokkos_origin}), VTK ${VTK_VERSION}")
