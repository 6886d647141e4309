# Installs the build into a fresh prefix and builds the project beside this file against it, as a user would.
set(work "${BUILD}/consumer")
file(REMOVE_RECURSE "${work}")

function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed with ${code}")
  endif()
endfunction()

step("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/prefix")
step("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/build" -G "${GENERATOR}" -DCMAKE_BUILD_TYPE=Release
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${work}/prefix" "-Drouth_version=${VERSION}"
  "-Dexamples=${CMAKE_CURRENT_LIST_DIR}/../../examples")
step("${CMAKE_COMMAND}" --build "${work}/build")
step("${work}/build/consumer")
step("${work}/build/consumer_c")
