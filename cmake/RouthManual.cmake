# Manual pages and completion of a program of ours, made by running it: what it says with --help is the only text.
# Left out where Python is missing, where nobody installs the program (under sanitizers), or where it cannot run.
find_program(ROUTH_MANUAL_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)  # Debian's, which has the modules its packages bring
find_program(ROUTH_MANUAL_PYTHON python3)
mark_as_advanced(ROUTH_MANUAL_PYTHON)

# routh_manual(TARGET [COMPONENT name])
function(routh_manual target)
  cmake_parse_arguments(arg "" "COMPONENT" "" ${ARGN})
  if(NOT arg_COMPONENT)
    set(arg_COMPONENT "${CMAKE_INSTALL_DEFAULT_COMPONENT_NAME}")
  endif()
  if(ROUTH_SANITIZE OR CMAKE_CROSSCOMPILING)
    return()
  endif()
  if(NOT ROUTH_MANUAL_PYTHON)
    message(STATUS "Python was not found: the manual pages are left out; install python3")
    return()
  endif()
  set(output "${PROJECT_BINARY_DIR}/manual/${target}")
  set(writer "${PROJECT_SOURCE_DIR}/tools/write_manual")
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${target}_manual.stamp")
  # Debian's folders: manual pages are compressed, and zsh and fish look for what packages bring in folders of their own.
  set(compressed "")
  set(zsh zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(compressed --gzip)
    set(zsh zsh/vendor-completions)
  endif()
  add_custom_command(OUTPUT "${stamp}"
    COMMAND "${ROUTH_MANUAL_PYTHON}" -B "${writer}" "$<TARGET_FILE:${target}>" "${output}" ${compressed}
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${target} "${writer}" "${PROJECT_SOURCE_DIR}/CITATION.cff"
    COMMENT "Writing the manual pages of ${target}"
    VERBATIM)
  add_custom_target(${target}_manual ALL DEPENDS "${stamp}")
  # OPTIONAL: a build of some targets only may be installed, too.
  install(DIRECTORY "${output}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT ${arg_COMPONENT} OPTIONAL)
  foreach(pair IN ITEMS "bash:bash-completion/completions" "zsh:${zsh}" "fish:fish/vendor_completions.d")
    string(REGEX MATCH "^([^:]*):(.*)$" _ "${pair}")
    install(DIRECTORY "${output}/${CMAKE_MATCH_1}/" DESTINATION "${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2}"
      COMPONENT ${arg_COMPONENT} OPTIONAL)
  endforeach()
endfunction()
