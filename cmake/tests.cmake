# Tests, by convention only:
#   tests/<folder>/<name>_test.cpp   holds BOOST_AUTO_TEST_SUITE(<name>) and is the CTest test <folder>.<name>; all files
#                                    of a folder make one executable, tests_<folder>
#   cases/<name>.yaml                is run by the program as the test case.<name>, label "case"; with sanitizers its first steps
#   tests/program/<name>.py          drives the program as a user does; arguments: program, source directory, scratch directory;
#                                    device_<name>.py wants a device (label "gpu") and is skipped where there is none
#   tests/lint/<name>.py             is run with the source directory as its argument, as the test lint.<name>
#   tests/cross/siconos_problems.py  Siconos' solvers on contact problems; skipped without python3-siconos
#   tests/fence/                     the program fence_probe and what it must not get away with: fence.planted_access
#   tests/robustness/random_scenes_test.py  thirty random scenes with the preset robust; scripts/nightly.sh random runs 2,000
#   tests/robustness/compliance_path_test.py  the path of solutions as compliance falls on captured steps, and of bodies that deform
#   tests/robustness/pile_ensemble_test.py  what compares solver options on many piles, pile_ensemble.py
#   tests/fuzz/fork_server/          makes clarke_fork_server, with which tests/fuzz/mutants.py starts the program once and not per file
#   tests/fuzz/*.cpp                 make clarke_fuzz, which reads mutated scenes; a short run of it is the test fuzz.scenes
#   tests/consumer/                  a project that uses an installed Clarke: installed, compiled and run by the test consumer
#   tests/benchmark/*.cpp            make clarke_benchmark (Google Benchmark, if found), which is not a test

find_package(Boost 1.74 REQUIRED COMPONENTS unit_test_framework)
find_package(benchmark QUIET)
# Debian's Python, because that one sees Debian's packages (VTK, matplotlib).
find_program(CLARKE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)

# Two threads even on larger machines and one for BLAS. Idle threads sleep, because tests run side by side. Suites that make
# thousands of small arrays have one thread: to wake a second one for each costs more than the test. That threads change no bit is for
# parity to say. glibc fills memory that is allocated or freed with a pattern, so that nothing is found zero by luck.
set(clarke_test_environment
  OMP_PROC_BIND=false OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1 MALLOC_PERTURB_=165
  LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/leaks.supp:print_suppressions=0)
set(clarke_everything clarke_assembly clarke_postprocess Clarke::yaml Eigen3::Eigen)

# Tiers, by label:
#   quick      scripts/test.sh build -L quick       under two minutes on two cores: after every change
#   (all)      scripts/test.sh                      what continuous integration runs
#   nightly    ctest -C Nightly -L nightly          the stages of scripts/nightly.sh, hours
# A test is quick unless it stands here, because it takes some three seconds or more.
set(clarke_slow_tests
  case.allegro_grasp case.box_pile case.dzhanibekov case.gel_stroke case.grip_creep case.grip_creep_default case.hammock
  case.inverted_cube case.log_slide case.log_slide_around case.mixed_pile case.mixed_shapes case.pneunet case.ratchet
  case.rope case.sandwich case.sheet_catch case.soft_drop case.soft_grasp case.soft_link case.stick_slip case.swelling_strip
  case.table_pile case.terrain
  consumer
  cross.covering_set cross.soft_cases cross.strategies
  program.arch_of_stones program.captured_problems program.exit_codes program.render_soft program.reproduce_quick
  program.snes_types program.solve_problems program.study program.tetmeshes program.thread_parity program.until_rest
  robustness.random_scenes
  unit.output_writer
  verification.arch verification.cloth_contact verification.friction verification.joint_momentum
  verification.nearly_parallel_cubes verification.ropes_and_cloth
  verification.soft_balance verification.soft_bodies verification.soft_contact verification.soft_convergence
  verification.soft_forms verification.soft_regions)

function(clarke_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT" "COMMAND")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(patience 1)
  if(CLARKE_SANITIZE)  # checked memory, little optimisation
    set(patience 10)
    math(EXPR arg_TIMEOUT "${patience} * ${arg_TIMEOUT}")
  endif()
  # The slow unwinder sees the libraries below a leak, which tests/leaks.supp names, and halves the speed; looking for leaks takes
  # four seconds each time that a program ends. So they are looked for where a program starts once and runs little.
  # A library that asks for more than there is gets no memory, as without a sanitizer.
  set(sanitizers detect_stack_use_after_return=1:detect_leaks=0:allocator_may_return_null=1)
  if(arg_LABEL MATCHES "^(unit|property|parity|case)$")
    set(sanitizers detect_stack_use_after_return=1:fast_unwind_on_malloc=0)
  endif()
  if(NOT name IN_LIST clarke_slow_tests)
    list(APPEND arg_LABEL quick)
  endif()
  set(threads 2)
  if(arg_LABEL MATCHES "^(unit|property)")
    set(threads 1)
  endif()
  # 77: skipped, with a message that says what was missing.
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABEL}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 ENVIRONMENT "CLARKE_PATIENCE=${patience};ASAN_OPTIONS=${sanitizers};OMP_NUM_THREADS=${threads};${clarke_test_environment}")
endfunction()

# Bullet in double precision: to verify contact detection, and as a peer in a benchmark.
pkg_check_modules(BULLET QUIET bullet-float64)
if(NOT BULLET_FOUND)
  message(STATUS "Bullet in double precision (libbullet-dev) not found: no test verification.detection_against_bullet, no peer in clarke_benchmark")
endif()

# clarke_against_bullet(<target> <file>): lets one file of a target use Bullet. Its folders and macro are for this file only,
# SYSTEM, without warnings of foreign headers.
function(clarke_against_bullet target file)
  if(NOT BULLET_FOUND)
    return()
  endif()
  list(TRANSFORM BULLET_INCLUDE_DIRS PREPEND "-isystem" OUTPUT_VARIABLE bullet_folders)
  set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${bullet_folders};${BULLET_CFLAGS_OTHER}")
  target_link_libraries(${target} PRIVATE ${BULLET_LINK_LIBRARIES})
endfunction()

# Its kinds of solids have the names of functions that make them.
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/unit/feature_kinds_test.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

foreach(folder unit property verification cross parity)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp")
  if(NOT BULLET_FOUND)
    list(FILTER sources EXCLUDE REGEX "_against_bullet_test\\.cpp$")
  endif()
  set(suites ${sources})
  list(FILTER suites INCLUDE REGEX "_test\\.cpp$")
  if(NOT suites)
    continue()
  endif()
  set(target tests_${folder})
  add_executable(${target} tests/main.cpp ${sources})
  target_link_libraries(${target} PRIVATE ${clarke_everything} Boost::unit_test_framework)
  # Where tests find data that lies in the repository.
  target_compile_definitions(${target} PRIVATE BOOST_TEST_DYN_LINK CLARKE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  clarke_own_target(${target})
  set(labels ${folder})
  if(CLARKE_CUDA AND folder STREQUAL "parity")
    list(APPEND labels gpu)
  endif()
  foreach(file IN LISTS suites)
    cmake_path(GET file STEM name)
    if(name MATCHES "_against_bullet_test$")
      clarke_against_bullet(${target} "${file}")
    endif()
    string(REGEX REPLACE "_test$" "" name ${name})
    # Boost exits with an error when no suite of that name exists.
    clarke_test(${folder}.${name} LABEL "${labels}" COMMAND ${target} --run_test=${name})
  endforeach()
endforeach()

if(TARGET clarke)
  file(GLOB scenes CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cases/*.yaml")
  foreach(scene IN LISTS scenes)
    cmake_path(GET scene STEM name)
    if(CLARKE_SANITIZE)  # twenty times as slow: all code, not all steps
      clarke_test(case.${name} LABEL case COMMAND ${CLARKE_PYTHON} "${PROJECT_SOURCE_DIR}/tests/short_case.py"
        $<TARGET_FILE:clarke> "${scene}" "${PROJECT_BINARY_DIR}/case_output/${name}")
      continue()
    endif()
    clarke_test(case.${name} LABEL case TIMEOUT 900
      COMMAND clarke run "${scene}" -output_dir "${PROJECT_BINARY_DIR}/case_output/${name}")
  endforeach()
endif()

if(TARGET clarke)
  file(GLOB programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/program/*.py")
  foreach(script IN LISTS programs)
    cmake_path(GET script STEM name)
    set(labels program)
    set(seconds 300)
    if(name MATCHES "^(reproduce_quick|same_everywhere)$")  # under three minutes alone on two cores
      set(seconds 900)
    endif()
    if(name MATCHES "^device_")  # needs a device, and says so where there is none
      list(APPEND labels gpu)
      set(seconds 3600)
    endif()
    clarke_test(program.${name} LABEL "${labels}" TIMEOUT ${seconds} COMMAND ${CLARKE_PYTHON} "${script}"
      $<TARGET_FILE:clarke> "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/program_output/${name}")
  endforeach()
endif()

# The program with the worked examples of CONTRIBUTING.md in it. Their register.cpp take the places of those in the libraries: objects come
# before archives.
if(TARGET clarke)
  set(examples "${PROJECT_BINARY_DIR}/worked_examples")
  execute_process(COMMAND ${CLARKE_PYTHON} "${PROJECT_SOURCE_DIR}/tests/worked_examples.py" "${PROJECT_SOURCE_DIR}" "${examples}"
    OUTPUT_VARIABLE written COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+[.]cpp" written "${written}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md"
    "${PROJECT_SOURCE_DIR}/tests/worked_examples.py" "${PROJECT_SOURCE_DIR}/ncp/register.cpp" "${PROJECT_SOURCE_DIR}/linear/register.cpp"
    "${PROJECT_SOURCE_DIR}/physics/register.cpp")
  list(TRANSFORM written PREPEND "${examples}/")
  add_executable(clarke_worked_examples ${written} $<TARGET_OBJECTS:clarke>)
  set_target_properties(clarke_worked_examples PROPERTIES UNITY_BUILD OFF RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_include_directories(clarke_worked_examples BEFORE PRIVATE "${examples}")
  target_link_libraries(clarke_worked_examples PRIVATE $<TARGET_PROPERTY:clarke,LINK_LIBRARIES>)
  clarke_own_target(clarke_worked_examples)
endif()

# Fenced device memory (framework/device_fence.hpp) in a program of its own, whatever this build has: a planted access is
# caught. The whole suite behind the fence is scripts/nightly.sh fence.
if(NOT CLARKE_CUDA AND Kokkos_VERSION VERSION_LESS 3.5)
  add_executable(fence_probe tests/fence/probe.cpp framework/device.cpp framework/device_fence.cpp)
  set_target_properties(fence_probe PROPERTIES UNITY_BUILD OFF)
  target_compile_definitions(fence_probe PRIVATE CLARKE_FENCE_DEVICE)
  target_link_libraries(fence_probe PRIVATE clarke_flags clarke_usage Clarke::dependencies)
  clarke_test(fence.planted_access LABEL fence COMMAND ${CLARKE_PYTHON} "${PROJECT_SOURCE_DIR}/tests/fence/planted_access.py"
    $<TARGET_FILE:fence_probe>)
endif()

# Peers on the same problems, skipped where they are not installed.
if(TARGET clarke)
  clarke_test(cross.siconos_problems LABEL cross COMMAND ${CLARKE_PYTHON} "${PROJECT_SOURCE_DIR}/tests/cross/siconos_problems.py"
    $<TARGET_FILE:clarke> "${PROJECT_BINARY_DIR}/program_output/siconos_problems" --seconds 5
    --plot "${PROJECT_BINARY_DIR}/program_output/siconos_problems.svg")
endif()

# What needs no setting: random scenes with the preset robust.
if(TARGET clarke)
  clarke_test(robustness.random_scenes LABEL robustness COMMAND ${CLARKE_PYTHON}
    "${PROJECT_SOURCE_DIR}/tests/robustness/random_scenes_test.py" $<TARGET_FILE:clarke>
    "${PROJECT_BINARY_DIR}/program_output/random_scenes")
  clarke_test(robustness.pile_ensemble LABEL robustness COMMAND ${CLARKE_PYTHON}
    "${PROJECT_SOURCE_DIR}/tests/robustness/pile_ensemble_test.py" $<TARGET_FILE:clarke> "${PROJECT_SOURCE_DIR}"
    "${PROJECT_BINARY_DIR}/program_output/pile_ensemble")
  clarke_test(robustness.compliance_path LABEL robustness COMMAND ${CLARKE_PYTHON}
    "${PROJECT_SOURCE_DIR}/tests/robustness/compliance_path_test.py" $<TARGET_FILE:clarke> "${PROJECT_SOURCE_DIR}"
    "${PROJECT_BINARY_DIR}/program_output/compliance_path")
  clarke_test(robustness.large_pile LABEL robustness TIMEOUT 300 COMMAND clarke run
    "${PROJECT_SOURCE_DIR}/tests/robustness/large_pile.yaml" -output_every 0 -output_dir "${PROJECT_BINARY_DIR}/program_output/large_pile")
endif()

# FCLIB's own reader in C, for program.captured_problems. It brings a serial HDF5, so nothing of Clarke's may be linked beside it.
find_library(CLARKE_FCLIB fclib)
if(CLARKE_FCLIB)
  add_executable(fclib_reader tests/fclib_reader/main.c)
  target_link_libraries(fclib_reader PRIVATE ${CLARKE_FCLIB} m)
else()
  message(STATUS "FCLIB (libfclib-dev) not found: program.captured_problems does without its reader")
endif()

file(GLOB lints CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/lint/*.py")
foreach(script IN LISTS lints)
  cmake_path(GET script STEM name)
  clarke_test(lint.${name} LABEL lint COMMAND ${CLARKE_PYTHON} "${script}" "${PROJECT_SOURCE_DIR}")
endforeach()

file(GLOB fuzzers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*.cpp")
add_executable(clarke_fuzz ${fuzzers})
target_link_libraries(clarke_fuzz PRIVATE ${clarke_everything})
clarke_own_target(clarke_fuzz)

# The program with a child process for every input: what tests/fuzz/mutants.py tries thousands of files with.
if(TARGET clarke)
  add_executable(clarke_fork_server tests/fuzz/fork_server/main.cpp)
  target_link_libraries(clarke_fork_server PRIVATE clarke_commands)
  set_target_properties(clarke_fork_server PROPERTIES UNITY_BUILD OFF RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  clarke_own_target(clarke_fork_server)
endif()
clarke_test(fuzz.scenes LABEL fuzz COMMAND clarke_fuzz "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/fuzz_output" --count 400)

# For libFuzzer, which is clang's: scripts/nightly.sh libfuzzer. A program per reader, each with all that it reads with.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_library(clarke_fuzzed OBJECT EXCLUDE_FROM_ALL framework/error.cpp framework/rehearsal.cpp framework/sha256.cpp framework/text.cpp
    postprocess/atomic_file.cpp postprocess/checkpoint_file.cpp scene/meshes/gmsh_file.cpp scene/meshes/mesh_file.cpp
    scene/meshes/obj_file.cpp scene/meshes/ply_file.cpp scene/meshes/png_guard.cpp scene/meshes/stl_file.cpp
    scene/meshes/tetgen_file.cpp scene/reader/yaml_guard.cpp scene/urdf/urdf_file.cpp scene/urdf/xml_guard.cpp)
  set(checked -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  target_compile_options(clarke_fuzzed PRIVATE ${checked} -fsanitize=fuzzer-no-link)
  target_include_directories(clarke_fuzzed PUBLIC "${PROJECT_SOURCE_DIR}")
  target_compile_features(clarke_fuzzed PUBLIC cxx_std_20)
  target_link_libraries(clarke_fuzzed PUBLIC Kokkos::kokkos PkgConfig::HDF5 PkgConfig::URDF yaml-cpp)
  foreach(reader stl obj ply gmsh tetgen table yaml png urdf checkpoint)
    add_executable(fuzz_${reader} EXCLUDE_FROM_ALL tests/libfuzzer/reader_fuzzer.cpp)
    target_compile_definitions(fuzz_${reader} PRIVATE CLARKE_READER=${reader})
    target_compile_options(fuzz_${reader} PRIVATE ${checked} -fsanitize=fuzzer)
    target_link_options(fuzz_${reader} PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_libraries(fuzz_${reader} PRIVATE clarke_fuzzed)
  endforeach()
endif()

# Nothing but the install tree in the build directory is known to the consumer. Its libraries are for nvcc with CUDA.
if(TARGET clarke AND NOT CLARKE_CUDA)
  clarke_test(consumer LABEL consumer TIMEOUT 900 COMMAND ${CMAKE_COMMAND} "-Dbuild=${PROJECT_BINARY_DIR}"
    "-Dsource=${PROJECT_SOURCE_DIR}/tests/consumer" "-Dgenerator=${CMAKE_GENERATOR}" "-Dcompiler=${CMAKE_CXX_COMPILER}"
    "-Dlauncher=${CMAKE_CXX_COMPILER_LAUNCHER}" -P "${PROJECT_SOURCE_DIR}/cmake/consumer_test.cmake")
endif()

file(GLOB benchmarks CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/benchmark/*.cpp")
if(NOT BULLET_FOUND)
  list(FILTER benchmarks EXCLUDE REGEX "_against_bullet\\.cpp$")
endif()
if(benchmark_FOUND AND benchmarks)
  add_executable(clarke_benchmark tests/main.cpp ${benchmarks})
  set_target_properties(clarke_benchmark PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(clarke_benchmark PRIVATE ${clarke_everything} benchmark::benchmark)
  target_compile_definitions(clarke_benchmark PRIVATE CLARKE_BENCHMARK CLARKE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  clarke_against_bullet(clarke_benchmark "${PROJECT_SOURCE_DIR}/tests/benchmark/pile_against_bullet.cpp")
  clarke_own_target(clarke_benchmark)
endif()

foreach(stage sanitize fence tidy cuda fuzz libfuzzer mutants restart ends everywhere long threads random mutations blas)
  add_test(NAME nightly.${stage} COMMAND "${PROJECT_SOURCE_DIR}/scripts/nightly.sh" ${stage} CONFIGURATIONS Nightly)
  set_tests_properties(nightly.${stage} PROPERTIES LABELS nightly TIMEOUT 36000 RUN_SERIAL TRUE)
endforeach()
