#!/usr/bin/env bash
# Installs what Clarke needs on a bare Debian 12 (a C++ compiler and CMake are expected to be there) and
# builds Kokkos with OpenMP, which no Debian 12 package provides.
#
#   scripts/setup.sh           packages, then Kokkos (Serial + OpenMP)
#   scripts/setup.sh --cuda    additionally Kokkos with CUDA, if nvcc is there
#   scripts/setup.sh --nightly additionally clang-tidy and OpenBLAS, for scripts/nightly.sh
#   scripts/setup.sh --peers   additionally Siconos, whose solvers tests/cross/ sets beside ours
#
# A second run finds everything in place, installs nothing and ends within a second.
# docs/dependencies.md says what each package is for.
#
# Environment:
#   CLARKE_CACHE       where the Kokkos builds live (default ~/.cache/clarke)
#   CLARKE_CUDA_ARCH   compute capability of the CUDA build without the dot (default 90)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cache="${CLARKE_CACHE:-$HOME/.cache/clarke}"
with_cuda=no
with_nightly=no
with_peers=no
for argument in "$@"; do
  case "$argument" in
    --cuda) with_cuda=yes ;;
    --nightly) with_nightly=yes ;;
    --peers) with_peers=yes ;;
    -h | --help) sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p}' scripts/setup.sh; exit 0 ;;
    *) echo "setup: unknown argument '$argument' (known: --cuda, --nightly, --peers)" >&2; exit 2 ;;
  esac
done

packages=(
  ninja-build pkg-config
  libpetsc-real-dev libopenmpi-dev openmpi-bin
  libtrilinos-kokkos-dev                       # Kokkos with Serial only: the fallback
  libeigen3-dev libboost-test-dev libvtk9-dev libyaml-cpp-dev nlohmann-json3-dev libbenchmark-dev
  libbullet-dev                                # tests: contact detection against another library
  libmuparser-dev liburdfdom-dev libtinyxml-dev libconsole-bridge-dev
  libhdf5-openmpi-dev                          # contact problems as files
  libfclib-dev                                 # tests: the community's own reader of such files
  python3 python3-numpy python3-matplotlib python3-vtk9 python3-yaml python3-h5py
  xvfb xauth libgl1-mesa-dri                   # pictures on a machine without a display
  dpkg-dev                                     # fetching the source package of Kokkos
)

[ "$with_nightly" = no ] || packages+=(clang-tidy libblas3 liblapack3 libopenblas0-pthread)
[ "$with_peers" = no ] || packages+=(python3-siconos)

say() { printf 'setup: %s\n' "$*"; }
phase_started=$SECONDS
phase_done() { say "$* ($((SECONDS - phase_started)) s)"; phase_started=$SECONDS; }

# A command as root, directly or through sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "setup: root rights are needed for: $*  (no sudo here; run this script as root once)" >&2
    return 1
  fi
}

scratch="$(mktemp -d "${TMPDIR:-/tmp}/clarke-setup.XXXXXX")"
trap 'rm -rf "$scratch"' EXIT

install_packages() {
  # dpkg answers for everything at once and without touching the network.
  local installed missing=() name
  installed="$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "${packages[@]}" 2>/dev/null | awk '$1 == "ii" {print $2}' || true)"
  for name in "${packages[@]}"; do
    grep -qxF -- "$name" <<<"$installed" || missing+=("$name")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    phase_done "all ${#packages[@]} packages are installed"
  else
    say "installing ${#missing[@]} packages: ${missing[*]}"
    as_root apt-get -qq update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
      -o Dpkg::Use-Pty=0 "${missing[@]}" >"$scratch/apt.log" 2>&1 || {
      tail -n 30 "$scratch/apt.log" >&2
      echo "setup: apt-get install failed" >&2
      return 1
    }
    phase_done "packages installed"
  fi
  local petsc
  petsc="$(pkg-config --modversion petsc 2>/dev/null)" || {
    echo "setup: pkg-config does not find petsc although libpetsc-real-dev is installed" >&2
    return 1
  }
  say "PETSc $petsc"
}

# Fetches the distribution's trilinos source package, which contains Kokkos, through a private apt
# configuration (the system's own lists usually have no source entries, and stay untouched), and
# unpacks its Kokkos into $scratch/kokkos. apt verifies the archive's signature and every checksum.
fetch_kokkos_source() {
  [ -f "$scratch/kokkos/CMakeLists.txt" ] && return 0
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg private="$scratch/apt" codename uri
  codename="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
  # The archive that this machine's apt already uses; never a name written down here.
  uri="$(apt-get indextargets --format '$(REPO_URI)|$(CODENAME)|$(COMPONENT)' 'Created-By: Packages' |
    awk -F'|' '$3 == "main" && $2 !~ /-(security|updates|backports)$/ && !found {print $1; found = 1}')"
  [ -n "$uri" ] && [ -n "$codename" ] && [ -f "$keyring" ] || return 1
  mkdir -p "$private"/etc "$private"/lists/partial "$private"/cache/archives/partial
  printf 'deb-src [signed-by=%s] %s %s main\n' "$keyring" "$uri" "$codename" >"$private/etc/sources.list"
  local options=(
    -oDir::Etc::SourceList="$private/etc/sources.list" -oDir::Etc::SourceParts=/dev/null
    -oDir::State::Lists="$private/lists" -oDir::Cache="$private/cache"
    -oDir::Etc::Preferences=/dev/null -oDir::Etc::PreferencesParts=/dev/null
    -oAcquire::Languages=none -oAcquire::Retries=3)
  [ "$(id -u)" -eq 0 ] && options+=(-oAPT::Sandbox::User=root)
  apt-get -qq "${options[@]}" update || return 1
  (mkdir -p "$scratch/source" && cd "$scratch/source" &&
    apt-get -qq "${options[@]}" source --download-only trilinos) || return 1
  local archive
  archive="$(find "$scratch/source" -name 'trilinos_*.orig.tar.*' ! -name '*.asc' | head -n 1)"
  [ -n "$archive" ] || return 1
  tar -xf "$archive" -C "$scratch/source" --wildcards '*/packages/kokkos/*' || return 1
  rm -f "$archive"
  mv "$(find "$scratch/source" -type d -path '*/packages/kokkos' | head -n 1)" "$scratch/kokkos"
}

# Moves a finished installation to its place in one step, so that an interrupted run never leaves half of one.
install_prefix() {
  mkdir -p "$cache"
  rm -rf "$2"
  mv "$1" "$cache/.incoming.$$" && mv "$cache/.incoming.$$" "$2"
}

build_kokkos_openmp() {
  cmake -S "$scratch/kokkos" -B "$scratch/openmp" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_FLAGS=-ffp-contract=off \
    -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_TESTS=OFF \
    -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_INSTALL_PREFIX="$scratch/openmp-prefix" -DCMAKE_INSTALL_LIBDIR=lib &&
    cmake --build "$scratch/openmp" -j "$(env -u OMP_NUM_THREADS nproc)" && cmake --install "$scratch/openmp"
}

kokkos_openmp() {
  local prefix="$cache/kokkos-openmp"
  if [ -f "$prefix/lib/cmake/Kokkos/KokkosConfig.cmake" ]; then
    phase_done "Kokkos with OpenMP is in $prefix"
    return
  fi
  say "building Kokkos with OpenMP (under a minute)"
  if fetch_kokkos_source >"$scratch/openmp.log" 2>&1 && build_kokkos_openmp >>"$scratch/openmp.log" 2>&1 &&
    install_prefix "$scratch/openmp-prefix" "$prefix"; then
    phase_done "Kokkos with OpenMP installed in $prefix"
  else
    tail -n 15 "$scratch/openmp.log" >&2 || true
    phase_done "Kokkos with OpenMP could not be built: the distribution's Kokkos (Serial, one thread) will be used"
  fi
}

kokkos_cuda() {
  local prefix="$cache/kokkos-cuda" nvcc="${CUDACXX:-}"
  if [ -f "$prefix/lib/cmake/Kokkos/KokkosConfig.cmake" ]; then
    phase_done "Kokkos with CUDA is in $prefix"
    return
  fi
  [ -n "$nvcc" ] || nvcc="$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)"
  if [ -z "$nvcc" ]; then
    echo "setup: --cuda needs nvcc on the PATH, in /usr/local/cuda/bin or in CUDACXX" >&2
    return 1
  fi
  say "building Kokkos with CUDA for sm_${CLARKE_CUDA_ARCH:-90} (1 to 3 minutes)"
  if fetch_kokkos_source >"$scratch/cuda.log" 2>&1 &&
    CUDACXX="$nvcc" scripts/kokkos_cuda.sh "$scratch/kokkos" "$scratch/cuda-prefix" >>"$scratch/cuda.log" 2>&1 &&
    install_prefix "$scratch/cuda-prefix" "$prefix"; then
    phase_done "Kokkos with CUDA installed in $prefix; now: cmake --preset cuda"
  else
    tail -n 15 "$scratch/cuda.log" >&2 || true
    echo "setup: Kokkos with CUDA could not be built" >&2
    return 1
  fi
}

install_packages
kokkos_openmp
[ "$with_cuda" = no ] || kokkos_cuda
say "done in $SECONDS s"
