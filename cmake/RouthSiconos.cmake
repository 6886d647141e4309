# siconos-numerics, an engine to compare with: the target routh_siconos, if it is installed. The package configuration
# of siconos needs components that come in other packages; its parts are found one by one.
find_library(SICONOS_NUMERICS siconos_numerics)
find_library(SICONOS_EXTERNALS siconos_externals)
find_path(SICONOS_INCLUDE SiconosConfig.h PATH_SUFFIXES siconos)
if(SICONOS_NUMERICS AND SICONOS_EXTERNALS AND SICONOS_INCLUDE AND NOT TARGET routh_siconos)
  add_library(routh_siconos INTERFACE)
  target_compile_definitions(routh_siconos INTERFACE ROUTH_HAVE_SICONOS)
  target_include_directories(routh_siconos SYSTEM INTERFACE "${SICONOS_INCLUDE}" "${SICONOS_INCLUDE}/numerics")
  target_link_libraries(routh_siconos INTERFACE "${SICONOS_NUMERICS}" "${SICONOS_EXTERNALS}")
endif()
