# The test `consumer`: installs Clarke below the build directory, then configures, compiles and runs tests/consumer against it,
# as somebody else's project would. Run as a script; -Dbuild, -Dsource, -Dgenerator, -Dcompiler and -Dlauncher come from cmake/tests.cmake.
set(prefix "${build}/consumer/prefix")
file(REMOVE_RECURSE "${build}/consumer")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "exit code ${code}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install "${build}" --prefix "${prefix}")
# It is a tree that works without its sources: the installed program runs an installed scene.
run("${prefix}/bin/clarke" run "${prefix}/share/clarke/cases/box_drop.yaml" -progress none -output_every 0
  -output_dir "${build}/consumer/output")

# Warnings are errors there: our headers give none to others.
run(${CMAKE_COMMAND} -S "${source}" -B "${build}/consumer/build" -G "${generator}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}" "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
run(${CMAKE_COMMAND} --build "${build}/consumer/build")
foreach(function IN ITEMS fischer_burmeister kanzow_kleinmichel)
  run("${build}/consumer/build/leaning_tower" -ncp_function ${function})
endforeach()

# Every public header compiles by itself on the install tree: together, in the order of the list and the other way round.
file(STRINGS "${source}/../../cmake/public_headers.txt" headers REGEX "^[^#]")
foreach(order IN ITEMS forward backward)
  set(text "")
  foreach(header IN LISTS headers)
    string(APPEND text "#include \"${header}\"\n")
  endforeach()
  file(WRITE "${build}/consumer/headers/${order}.cpp" "${text}")
  list(REVERSE headers)
endforeach()
file(WRITE "${build}/consumer/headers/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(Headers LANGUAGES C CXX)
find_package(Clarke 0.1 REQUIRED)
add_library(headers OBJECT forward.cpp backward.cpp)
target_link_libraries(headers PRIVATE Clarke::assembly Clarke::postprocess)
")
run(${CMAKE_COMMAND} -S "${build}/consumer/headers" -B "${build}/consumer/headers/build" -G "${generator}"
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}"
  "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
run(${CMAKE_COMMAND} --build "${build}/consumer/headers/build")
