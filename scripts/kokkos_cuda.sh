#!/usr/bin/env bash
# Builds Kokkos 3.4 with CUDA + OpenMP + Serial as a static library; called by `scripts/setup.sh --cuda`.
#
#   scripts/kokkos_cuda.sh SOURCE PREFIX     SOURCE: unpacked Kokkos 3.4; PREFIX: where to install
#
# Kokkos 3.4's own CMake knows CUDA only through nvcc_wrapper as the compiler of everything, and predates Hopper and
# CUDA 13. Its library is 25 files, so they are compiled here by nvcc itself, after three edits.
set -euo pipefail
source_dir="$1" prefix="$2"
arch="${CLARKE_CUDA_ARCH:-90}"
nvcc="${CUDACXX:-nvcc}"
core="$source_dir/core/src"

# edit FILE SED-SCRIPT TEXT: applies the script, and fails unless TEXT is in the file afterwards and was not before.
edit() {
  ! grep -qF -- "$3" "$1" || { echo "kokkos_cuda: $1 is already edited" >&2; return 1; }
  sed -i "$2" "$1"
  grep -qF -- "$3" "$1" || { echo "kokkos_cuda: the edit of $1 did not apply; is this Kokkos 3.4?" >&2; return 1; }
}

# 1. Half precision does not compile with CUDA 13; half_t then is float, and Clarke does not use it.
edit "$core/Cuda/Kokkos_Cuda_Half.hpp" '0,/^#ifdef KOKKOS_ENABLE_CUDA$/s//#if 0  \/\/ edited/' '#if 0  // edited'
# 2. CUDA 13 names the target of a prefetch by a structure.
edit "$core/Cuda/Kokkos_CudaSpace.cpp" \
  's/cudaMemPrefetchAsync(ptr, bytes, space.cuda_device(),/cudaMemPrefetchAsync(ptr, bytes,\
#if CUDART_VERSION >= 13000\
                                        {cudaMemLocationTypeDevice, space.cuda_device()}, 0,\
#else\
                                        space.cuda_device(),\
#endif/' 'cudaMemLocationTypeDevice'
# 3. Without it, 3.4 throws at run time on anything newer than Ampere (8 KiB: as for 7.0 and 8.x).
edit "$core/Cuda/Kokkos_Cuda_BlockSize_Deduction.hpp" 's/^      case 86: return 8;/      case 86: case 87: case 89: case 90: case 100: case 103: case 120: return 8;/' 'case 90:'

# Headers, and the configuration that Kokkos' CMake would have written.
include="$prefix/include"
mkdir -p "$include" "$prefix/lib/cmake/Kokkos"
(cd "$core" && find . -name '*.h*' -exec cp --parents {} "$include" \;)
(cd "$source_dir/containers/src" && find . -name '*.h*' -exec cp --parents {} "$include" \;)
(cd "$source_dir/algorithms/src" && find . -name '*.h*' -exec cp --parents {} "$include" \;)
cat >"$include/KokkosCore_config.h" <<'END'
#if !defined(KOKKOS_MACROS_HPP) || defined(KOKKOS_CORE_CONFIG_H)
#error "Do not include KokkosCore_config.h directly; include Kokkos_Macros.hpp instead."
#else
#define KOKKOS_CORE_CONFIG_H
#endif
#define KOKKOS_VERSION 30401
#define KOKKOS_ENABLE_SERIAL
#define KOKKOS_ENABLE_OPENMP
#define KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA_LAMBDA
#define KOKKOS_ENABLE_CXX20
#define KOKKOS_ENABLE_COMPLEX_ALIGN
#define KOKKOS_ENABLE_LIBDL
// The newest architecture this version knows; it stands for everything since.
#define KOKKOS_ARCH_AMPERE
#define KOKKOS_ARCH_AMPERE80
END
printf '#include <fwd/Kokkos_Fwd_%s.hpp>\n' CUDA OPENMP SERIAL >"$include/KokkosCore_Config_FwdBackend.hpp"
printf '#include <decl/Kokkos_Declare_%s.hpp>\n' CUDA OPENMP SERIAL >"$include/KokkosCore_Config_DeclareBackend.hpp"
echo '#include <setup/Kokkos_Setup_Cuda.hpp>' >"$include/KokkosCore_Config_SetupBackend.hpp"
: >"$include/KokkosCore_Config_PostInclude.hpp"
for name in Fwd Declare Setup; do sed -i '1i #pragma once' "$include/KokkosCore_Config_${name}Backend.hpp"; done

# The library: host files go through nvcc too, because the configuration above refuses any other compiler.
objects="$(mktemp -d "${TMPDIR:-/tmp}/clarke-kokkos.XXXXXX")"
trap 'rm -rf "$objects"' EXIT
export nvcc arch include objects
find "$core/impl" "$core/OpenMP" "$core/Cuda" "$source_dir/containers/src" -name '*.cpp' -print0 |
  xargs -0 -P "$(env -u OMP_NUM_THREADS nproc)" -I{} bash -c '
    "$nvcc" -x cu -std=c++20 -O3 -DNDEBUG -DKOKKOS_DEPENDENCE "-arch=sm_$arch" --extended-lambda --fmad=false -w \
      -Xcompiler -fopenmp,-fPIC,-ffp-contract=off,-w -I"$include" -c "$1" -o "$objects/$(basename "$1" .cpp).o"' _ {}
ar rcs "$prefix/lib/libkokkoscore.a" "$objects"/*.o

cat >"$prefix/lib/cmake/Kokkos/KokkosConfigVersion.cmake" <<'END'
set(PACKAGE_VERSION 3.4.01)
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
END
cat >"$prefix/lib/cmake/Kokkos/KokkosConfig.cmake" <<END
# Written by Clarke's scripts/kokkos_cuda.sh. Every file that includes Kokkos has to be compiled by nvcc.
get_filename_component(_kokkos_prefix "\${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Kokkos_DEVICES CUDA OPENMP SERIAL)
set(Kokkos_CUDA_ARCHITECTURES $arch)
if(NOT TARGET Kokkos::kokkos)
  add_library(Kokkos::kokkos STATIC IMPORTED)
  set_target_properties(Kokkos::kokkos PROPERTIES
    IMPORTED_LOCATION "\${_kokkos_prefix}/lib/libkokkoscore.a"
    INTERFACE_INCLUDE_DIRECTORIES "\${_kokkos_prefix}/include"
    INTERFACE_COMPILE_DEFINITIONS KOKKOS_DEPENDENCE
    INTERFACE_LINK_LIBRARIES "gomp;dl")
endif()
END
