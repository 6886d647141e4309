# siconos, to compare with: the target routh_siconos of its solvers (numerics), and routh_siconos_kernel of its engine,
# as far as they are installed. The package configuration of siconos needs components that come in other packages; its
# parts are found one by one.
find_library(SICONOS_NUMERICS siconos_numerics)
find_library(SICONOS_EXTERNALS siconos_externals)
find_path(SICONOS_INCLUDE SiconosConfig.h PATH_SUFFIXES siconos)
if(SICONOS_NUMERICS AND SICONOS_EXTERNALS AND SICONOS_INCLUDE AND NOT TARGET routh_siconos)
  add_library(routh_siconos INTERFACE)
  target_compile_definitions(routh_siconos INTERFACE ROUTH_HAVE_SICONOS)
  target_include_directories(routh_siconos SYSTEM INTERFACE "${SICONOS_INCLUDE}" "${SICONOS_INCLUDE}/numerics")
  target_link_libraries(routh_siconos INTERFACE "${SICONOS_NUMERICS}" "${SICONOS_EXTERNALS}")
endif()
find_library(SICONOS_KERNEL siconos_kernel)
if(TARGET routh_siconos AND SICONOS_KERNEL AND EXISTS "${SICONOS_INCLUDE}/kernel/SiconosKernel.hpp"
   AND NOT TARGET routh_siconos_kernel)
  add_library(routh_siconos_kernel INTERFACE)
  target_compile_definitions(routh_siconos_kernel INTERFACE ROUTH_HAVE_SICONOS_KERNEL)
  target_include_directories(routh_siconos_kernel SYSTEM INTERFACE "${SICONOS_INCLUDE}/kernel")
  target_link_libraries(routh_siconos_kernel INTERFACE routh_siconos "${SICONOS_KERNEL}")
endif()
