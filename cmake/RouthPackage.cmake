# Debian packages by CPack, from a build for the prefix /usr (preset `package`): routh, routh-mpi where MPI was found,
# librouth-dev, python3-routh. Each is a group of two components: what `cmake --install` brings anyway, and what Debian
# asks of a package: copyright, changelog, documents. tools/make_packages makes them and everything else.
set(ROUTH_MAINTAINER "Routh developers <maintainers@users.noreply.a-seed-25bbcb5b.example>" CACHE STRING
  "Who answers for the packages: NAME <ADDRESS>")
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR BUILD_SHARED_LIBS OR ROUTH_SANITIZE OR NOT ROUTH_MANUAL_PYTHON)
  return()
endif()

# The date of the release, as everywhere.
file(STRINGS "${PROJECT_SOURCE_DIR}/CITATION.cff" lines REGEX "^(version|date-released): ")
string(REGEX MATCH "version: ([0-9.]+)" _ "${lines}")
if(NOT CMAKE_MATCH_1 STREQUAL PROJECT_VERSION)
  message(FATAL_ERROR "CITATION.cff is of version '${CMAKE_MATCH_1}', the project of ${PROJECT_VERSION}: make them equal")
endif()
string(REGEX MATCH "date-released: ([0-9-]+)" _ "${lines}")
execute_process(COMMAND date -u -R -d "${CMAKE_MATCH_1}" OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
set(debian "${PROJECT_SOURCE_DIR}/cmake/debian")
set(work "${PROJECT_BINARY_DIR}/debian")
configure_file("${debian}/changelog.in" "${work}/changelog.Debian" @ONLY)
find_program(ROUTH_GZIP gzip REQUIRED)
mark_as_advanced(ROUTH_GZIP)
# Debian wants changelogs compressed; -n leaves out the time, so that the same sources give the same. Always made anew,
# when tools/make_packages asks for it: the site has too many sources to list.
add_custom_target(routh_package_documents
  COMMAND "${ROUTH_GZIP}" -9nkf changelog.Debian
  COMMAND "${ROUTH_GZIP}" -9nc "${PROJECT_SOURCE_DIR}/CHANGELOG.md" > changelog.gz
  COMMAND "${ROUTH_MANUAL_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tools/build_docs" "${work}/html"
  WORKING_DIRECTORY "${work}"
  COMMENT "Preparing the documents of the packages"
  VERBATIM)

# routh_package(GROUP PACKAGE COMPONENT)
macro(routh_package group package component)
  install(FILES "${debian}/copyright" "${work}/changelog.Debian.gz" "${work}/changelog.gz"
    DESTINATION "share/doc/${package}" COMPONENT debian_${component} EXCLUDE_FROM_ALL)
  list(APPEND CPACK_COMPONENTS_ALL ${component} debian_${component})
  set(CPACK_COMPONENT_${component}_GROUP ${group})
  set(CPACK_COMPONENT_DEBIAN_${component}_GROUP ${group})
  string(TOUPPER "${component}" upper)
  set(CPACK_COMPONENT_${upper}_GROUP ${group})
  set(CPACK_COMPONENT_DEBIAN_${upper}_GROUP ${group})
  string(TOUPPER "${group}" upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_FILE_NAME DEB-DEFAULT)
endmacro()

set(CPACK_COMPONENTS_ALL "")
routh_package(program routh program)
install(DIRECTORY "${work}/html" DESTINATION share/doc/routh COMPONENT debian_program EXCLUDE_FROM_ALL
  PATTERN .routh-docs EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CITATION.cff" DESTINATION share/doc/routh
  COMPONENT debian_program EXCLUDE_FROM_ALL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION share/doc/routh COMPONENT debian_program EXCLUDE_FROM_ALL
  PATTERN "*.cpp" EXCLUDE PATTERN "*.c" EXCLUDE PATTERN "*.py" EXCLUDE PATTERN simulators EXCLUDE)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "rigid multibody systems with frictional impact
 Computes what happens when a machine strikes something: the velocity after,
 the impulse, the phases of slip and stick, and where the energy went. Runs
 machines with joints, loops and contacts from event to event, says whether
 contacts hold, slide or jam, fits friction and restitution to measurements,
 and shows runs as pages for a browser.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "python3-routh, librouth-dev")

routh_package(development librouth-dev development)
file(GLOB examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp" "${PROJECT_SOURCE_DIR}/examples/*.c")
install(FILES ${examples} DESTINATION share/doc/librouth-dev/examples COMPONENT debian_development EXCLUDE_FROM_ALL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/simulators" DESTINATION share/doc/librouth-dev/examples
  COMPONENT debian_development EXCLUDE_FROM_ALL)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "rigid multibody systems with frictional impact - library
 A C++20 library, with a C interface to its kernel: one impact by five laws,
 many contacts with friction at once, machines and their dynamics, verdicts
 on contacts, event-driven runs, files. Static libraries, headers, and files
 for CMake and pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4), libfmt-dev, libdsdp-dev, libyaml-cpp-dev, libsimdjson-dev, libtbb-dev, libhdf5-dev, libcairo2-dev, zlib1g-dev")

if(TARGET routh_python)
  routh_package(python python3-routh python)
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "rigid multibody systems with frictional impact - Python
 Routh for Python and NumPy: impacts one at a time or a million at once,
 machines from files or built in a few lines, their dynamics, verdicts on
 contacts, maps, runs, studies and fits.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  get_property(minor GLOBAL PROPERTY ROUTH_PYTHON_MINOR)
  math(EXPR next "${minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${minor}), python3 (<< 3.${next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib")
  configure_file("${debian}/python_postinst" "${work}/postinst" COPYONLY)
  configure_file("${debian}/python_prerm" "${work}/prerm" COPYONLY)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${work}/postinst;${work}/prerm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endif()
if(TARGET routh_mpi)
  routh_package(mpi routh-mpi mpi)
  set(CPACK_DEBIAN_MPI_DESCRIPTION "rigid multibody systems with frictional impact - MPI
 Routh's studies of many samples, spread over the machines of a cluster by
 Open MPI; the results are those of `routh sweep`, to the last bit.")
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "openmpi-bin")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME routh)
set(CPACK_PACKAGE_CONTACT "${ROUTH_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
include(CPack)
