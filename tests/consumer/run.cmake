# Installs the build into a fresh prefix and builds the project beside this file against it, as a user would: against
# each layer alone, and against all of it.
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
