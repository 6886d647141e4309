# Installs the build into a fresh prefix and builds the project beside this file against it, as a user would: against
# each layer alone, and against all of it; then without CMake, by pkg-config, in C and in C++. The project fetch/ is
# configured here, and built by tools/check_packages: it compiles the library anew.
set(work "${BUILD}/consumer")
file(REAL_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." root)
file(REMOVE_RECURSE "${work}")

function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed with ${code}")
  endif()
endfunction()

step("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/prefix")
foreach(component IN ITEMS impact machine simulation io "")
  set(build "${work}/build_${component}")
  step("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${build}" -G "${GENERATOR}" -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${work}/prefix" "-Drouth_version=${VERSION}"
    "-Dexamples=${root}/examples" "-Dcomponent=${component}")
  step("${CMAKE_COMMAND}" --build "${build}")
  if(component STREQUAL "")
    set(component all)
  endif()
  step("${CMAKE_COMMAND}" -E chdir "${root}" "${build}/consumer_${component}" examples/kane.yaml)
  if(component STREQUAL "impact")
    step("${build}/consumer_c")
  endif()
endforeach()

# By pkg-config: from C what the README of the C interface says, and from C++ all of it, in a tree that was moved.
find_program(pkg_config pkg-config REQUIRED)
find_program(c_compiler NAMES cc gcc clang REQUIRED)
file(RENAME "${work}/prefix" "${work}/moved")
file(GLOB_RECURSE found "${work}/moved/*/routh.pc")
cmake_path(GET found PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} "${folder}")
function(flags variable)
  execute_process(COMMAND "${pkg_config}" --cflags --libs ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(text UNIX_COMMAND "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
flags(of_impact routh-impact)
step("${c_compiler}" -std=c99 "${root}/examples/impact.c" ${of_impact} -o "${work}/c_by_pkg_config")
step("${work}/c_by_pkg_config")
flags(of_all routh)
step("${COMPILER}" -std=c++20 "${CMAKE_CURRENT_LIST_DIR}/all.cpp" ${of_all} -o "${work}/all_by_pkg_config")
step("${CMAKE_COMMAND}" -E chdir "${root}" "${work}/all_by_pkg_config" examples/kane.yaml)
execute_process(COMMAND "${pkg_config}" --modversion routh OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT version STREQUAL VERSION)
  message(FATAL_ERROR "pkg-config says version '${version}', not ${VERSION}")
endif()
file(RENAME "${work}/moved" "${work}/prefix")

foreach(layer IN ITEMS impact io)
  step("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/fetch" -B "${work}/fetch_${layer}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DROUTH_SOURCES=${root}" "-DROUTH_LAYER=${layer}")
endforeach()
