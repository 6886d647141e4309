# Compiler flags of our own targets; nothing here leaks into a project that uses the library.

# Sanitizers must cover everything that is linked together, so they are set for the whole directory tree.
if(ROUTH_SANITIZE)
  add_compile_options(-fsanitize=${ROUTH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ROUTH_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Eigen forms blocks of matrices without entries: an offset to a null pointer that nobody follows.
    add_compile_options(-fno-sanitize=pointer-overflow)
  endif()
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  # For the tests: what only calls the library compiles in half the time.
  set(ROUTH_CALLER_OPTIONS -O0)
endif()
if(ROUTH_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "ROUTH_BUILD_FUZZERS needs clang (found ${CMAKE_CXX_COMPILER_ID}): use the preset `sanitizers`")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

function(routh_set_flags target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    $<$<BOOL:${ROUTH_WERROR}>:-Werror>)
  # Clang's would refuse double to long double too, which the tests' oracles are made of.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wdouble-promotion>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns falsely of overlapping and of oversized copies inside std::string (GCC bugs 105651, 105329).
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow)
  endif()
  if(ROUTH_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # GCC's flow analysis sees the sanitizers' own branches and warns of values that are never used uninitialised.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
  # Without fused multiply-add a portable build rounds alike on every machine; the native build trades that for speed.
  if(ROUTH_NATIVE)
    target_compile_options(${target} PRIVATE -ffp-contract=fast)
  else()
    target_compile_options(${target} PRIVATE -ffp-contract=off)
  endif()
  # Neither changes a result: nothing reads errno or the floating-point exception flags.
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math)
endfunction()
