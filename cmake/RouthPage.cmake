# The page of reports: the viewer, built by npm into one HTML file and embedded in the program.
#   ROUTH_PAGE=AUTO   built where Node.js (18 or newer) and npm are found; without them the program does without
#   ROUTH_PAGE=OFF    left out
#   ROUTH_PAGE=FILE   a page that was built elsewhere
set(ROUTH_PAGE AUTO CACHE STRING "The page of reports: AUTO, OFF, or the path of a built page")

# Sets `page_file` to the HTML file, which a command of the build may make, or to nothing.
function(routh_find_page page_file)
  set(${page_file} "" PARENT_SCOPE)
  string(TOUPPER "${ROUTH_PAGE}" choice)
  if(choice STREQUAL "OFF")
    message(STATUS "the page of reports is left out (ROUTH_PAGE=OFF)")
    return()
  endif()
  if(NOT choice STREQUAL "AUTO")
    if(NOT EXISTS "${ROUTH_PAGE}" OR IS_DIRECTORY "${ROUTH_PAGE}")
      message(FATAL_ERROR "ROUTH_PAGE is neither AUTO nor OFF nor a file: ${ROUTH_PAGE}")
    endif()
    file(REAL_PATH "${ROUTH_PAGE}" path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set(${page_file} "${path}" PARENT_SCOPE)
    return()
  endif()

  set(viewer "${PROJECT_SOURCE_DIR}/viewer")
  find_program(ROUTH_NODE NAMES node nodejs)
  find_program(ROUTH_NPM npm)
  mark_as_advanced(ROUTH_NODE ROUTH_NPM)
  set(without "the program is built without the page of reports")
  if(NOT EXISTS "${viewer}/package-lock.json")
    message(STATUS "${without}: there is no viewer/ here")
    return()
  endif()
  if(NOT ROUTH_NODE OR NOT ROUTH_NPM)
    message(STATUS "${without}: Node.js and npm were not found (packages nodejs and npm)")
    return()
  endif()
  execute_process(COMMAND "${ROUTH_NODE}" --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX REPLACE "^v" "" version "${version}")
  if(NOT version VERSION_GREATER_EQUAL 18)
    message(STATUS "${without}: Node.js is '${version}', 18 or newer is needed")
    return()
  endif()

  # In a copy: the sources stay clean, and may be read-only.
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS "${viewer}/src/*" "${viewer}/public/*")
  file(GLOB settings CONFIGURE_DEPENDS "${viewer}/*.json" "${viewer}/*.ts" "${viewer}/*.html" "${viewer}/.npmrc")
  set(work "${CMAKE_CURRENT_BINARY_DIR}/viewer")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/page.html")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DNPM=${ROUTH_NPM}" "-DSOURCE=${viewer}" "-DWORK=${work}" "-DOUTPUT=${output}"
            -P "${PROJECT_SOURCE_DIR}/cmake/build_page.cmake"
    DEPENDS ${inputs} ${settings} "${PROJECT_SOURCE_DIR}/cmake/build_page.cmake"
    COMMENT "Building the page of reports (npm)"
    VERBATIM)
  set(${page_file} "${output}" PARENT_SCOPE)
endfunction()
