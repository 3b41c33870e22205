# `cmake --install DIR --prefix P`: the program, the libraries with their headers, and a package for find_package(Clarke).
#
#   P/bin/clarke
#   P/include/clarke/framework/... physics/... ncp/...    the public headers (cmake/public_headers.txt) and what they include, in the
#                                                         tree's folders, so that #include "framework/state.hpp" is the same
#   P/lib/libclarke_*.a, P/lib/cmake/Clarke/
#   P/share/clarke/cases, postprocess                     scenes, studies, robots; plots, pictures and the study bench
#   P/share/clarke/recipes                                option files for -recipe and -fallback_sequence
#   P/share/doc/clarke/LICENSE, CITATION.cff
#
# Static libraries belong to the compiler and to the Kokkos they were built with; the package looks for that Kokkos.
include(CMakePackageConfigHelpers)
set(clarke_package lib/cmake/Clarke)

if(TARGET clarke)
  install(TARGETS clarke RUNTIME DESTINATION bin)
endif()
install(TARGETS ${clarke_exported} EXPORT ClarkeTargets ARCHIVE DESTINATION lib)
install(EXPORT ClarkeTargets NAMESPACE Clarke:: DESTINATION ${clarke_package})

# The public headers, and what they include.
file(STRINGS cmake/public_headers.txt waiting REGEX "^[^#]")
set(public_headers)
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST public_headers)
    continue()
  endif()
  list(APPEND public_headers ${header})
  file(STRINGS ${header} includes REGEX "^#include \"[a-z]+/")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    list(APPEND waiting ${included})
  endforeach()
endwhile()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt ${public_headers})
foreach(header IN LISTS public_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION include/clarke/${folder})
endforeach()
install(DIRECTORY cases DESTINATION share/clarke)
install(DIRECTORY linear/recipes DESTINATION share/clarke FILES_MATCHING PATTERN "*.options")
install(DIRECTORY postprocess DESTINATION share/clarke FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(FILES LICENSE CITATION.cff DESTINATION share/doc/clarke)

configure_package_config_file(cmake/ClarkeConfig.cmake.in "${PROJECT_BINARY_DIR}/generated/ClarkeConfig.cmake"
  INSTALL_DESTINATION ${clarke_package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 any minor version may change anything.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/ClarkeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/ClarkeConfig.cmake"
  "${PROJECT_BINARY_DIR}/generated/ClarkeConfigVersion.cmake" cmake/dependencies.cmake DESTINATION ${clarke_package})
