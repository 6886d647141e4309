# The engine of pages that compute: play/, compiled to WebAssembly by emscripten and embedded in the program.
#   ROUTH_PLAY=OFF    left out: `routh play` says how to get it. The default: emscripten takes 0.8 GB, and the engine
#                     as long to build as the library
#   ROUTH_PLAY=AUTO   built where emscripten is found, and in no build under sanitizers
#   ROUTH_PLAY=ON     built, or the configuration fails
#   ROUTH_PLAY=FILE   a play.wasm that was built elsewhere
set(ROUTH_PLAY OFF CACHE STRING "The engine of pages that compute: AUTO, ON, OFF, or the path of a built play.wasm")

# Sets `packed` to the file that the build makes of `wasm` by gzip.
function(routh_pack_engine wasm packed)
  find_program(ROUTH_GZIP gzip REQUIRED)
  mark_as_advanced(ROUTH_GZIP)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/play.wasm.gz")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${ROUTH_GZIP}" -9 -n -c "${wasm}" > "${output}"
    DEPENDS "${wasm}" ${ARGN}
    COMMENT "Compressing the engine of pages that compute"
    VERBATIM)
  set(${packed} "${output}" PARENT_SCOPE)
  set_property(GLOBAL PROPERTY ROUTH_ENGINE_FILE "${wasm}")
endfunction()

# Sets `engine_file` to the compressed engine, which the build makes, or to nothing.
function(routh_find_engine engine_file)
  set(${engine_file} "" PARENT_SCOPE)
  string(TOUPPER "${ROUTH_PLAY}" choice)
  if(NOT choice MATCHES "^(AUTO|ON|OFF)$")
    if(NOT EXISTS "${ROUTH_PLAY}" OR IS_DIRECTORY "${ROUTH_PLAY}")
      message(FATAL_ERROR "ROUTH_PLAY is neither AUTO nor ON nor OFF nor a file: ${ROUTH_PLAY}")
    endif()
    file(REAL_PATH "${ROUTH_PLAY}" wasm BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    routh_pack_engine("${wasm}" packed)
    set(${engine_file} "${packed}" PARENT_SCOPE)
    return()
  endif()
  if(choice STREQUAL "OFF" OR (choice STREQUAL "AUTO" AND ROUTH_SANITIZE))
    return()
  endif()
  find_program(ROUTH_EMCXX em++)
  mark_as_advanced(ROUTH_EMCXX)
  # The toolchain file stands beside the compiler's own files, wherever those are.
  if(ROUTH_EMCXX)
    execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE place OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    find_file(ROUTH_EMSCRIPTEN_TOOLCHAIN Emscripten.cmake
      PATHS "${place}/cmake/Modules/Platform" /usr/share/emscripten/cmake/Modules/Platform NO_DEFAULT_PATH)
    mark_as_advanced(ROUTH_EMSCRIPTEN_TOOLCHAIN)
  endif()
  if(NOT ROUTH_EMSCRIPTEN_TOOLCHAIN)
    set(missing "emscripten was not found (package emscripten): the program is built without pages that compute")
    if(choice STREQUAL "ON")
      message(FATAL_ERROR "${missing}; ROUTH_PLAY is ON")
    endif()
    message(STATUS "${missing}")
    return()
  endif()

  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(fmt fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(json nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
  foreach(library IN ITEMS eigen fmt json)
    list(GET ${library} 0 ${library})
  endforeach()
  include(ExternalProject)
  set(work "${CMAKE_CURRENT_BINARY_DIR}/play")
  set(wasm "${work}/play.wasm")
  ExternalProject_Add(routh_engine
    SOURCE_DIR "${PROJECT_SOURCE_DIR}/play"
    BINARY_DIR "${work}"
    PREFIX "${CMAKE_CURRENT_BINARY_DIR}/play-steps"
    CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG"
      "-DCMAKE_TOOLCHAIN_FILE=${ROUTH_EMSCRIPTEN_TOOLCHAIN}"
      "-DROUTH_PLAY_EIGEN=${eigen}" "-DROUTH_PLAY_FMT=${fmt}" "-DROUTH_PLAY_JSON=${json}"
      "-DROUTH_PLAY_GENERATED=${PROJECT_BINARY_DIR}/include" "-DROUTH_WERROR=${ROUTH_WERROR}"
    BUILD_ALWAYS ON  # it knows itself what is up to date
    BUILD_BYPRODUCTS "${wasm}"
    INSTALL_COMMAND ""
    EXCLUDE_FROM_ALL ON)
  routh_pack_engine("${wasm}" packed routh_engine)
  set(${engine_file} "${packed}" PARENT_SCOPE)
endfunction()
