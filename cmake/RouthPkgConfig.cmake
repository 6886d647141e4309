# Files for pkg-config, one for each layer as routh-<layer>.pc, and routh.pc for all of it. They find the prefix from
# where they stand, so that an installed tree may be moved. A static library needs its own dependencies at every link,
# and a program in C the C++ runtime as well.
file(RELATIVE_PATH ROUTH_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" ROUTH_PC_UP "${ROUTH_PC_UP}")

# routh_pkg_config(NAME DESCRIPTION REQUIRES REQUIRES_OF_THE_LINK LIBRARIES LIBRARIES_OF_THE_LINK FLAGS)
function(routh_pkg_config pc_name pc_description pc_requires link_requires pc_libraries link_libraries pc_flags)
  if(BUILD_SHARED_LIBS)
    set(pc_requires_private "${link_requires}")
    set(pc_libraries_private "${link_libraries}")
  else()
    string(APPEND pc_requires " ${link_requires}")
    string(APPEND pc_libraries " ${link_libraries}")
    set(pc_requires_private "")
    set(pc_libraries_private "")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/routh.pc.in" "${PROJECT_BINARY_DIR}/pkgconfig/${pc_name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/pkgconfig/${pc_name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

set(native "")
if(ROUTH_NATIVE)
  set(native " -march=native")
endif()
routh_pkg_config(routh-impact "one impact with friction and many, from bare numbers" "eigen3" "" "-lrouth_impact"
  "-lstdc++ -lm" "${native}")
if("machine" IN_LIST ROUTH_BUILT_LAYERS)
  routh_pkg_config(routh-machine "machines: how they move, where they touch, whether contacts hold" "routh-impact" "fmt"
    "-lrouth_machine" "-ldsdp" "")
endif()
if("simulation" IN_LIST ROUTH_BUILT_LAYERS)
  routh_pkg_config(routh-simulation "the motion of machines through every impact" "routh-machine" ""
    "-lrouth_simulation" "" "")
endif()
if("io" IN_LIST ROUTH_BUILT_LAYERS)
  routh_pkg_config(routh-io "scenes, robots' files, run files, pictures, studies" "routh-simulation"
    "yaml-cpp simdjson tbb zlib cairo hdf5" "-lrouth_io" "-pthread" "")
endif()
routh_pkg_config(routh "${PROJECT_DESCRIPTION}" "routh-${ROUTH_LAYER}" "" "" "" "")
