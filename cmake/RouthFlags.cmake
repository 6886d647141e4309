# Compiler flags of our own targets; nothing here leaks into a project that uses the library.

# Sanitizers must cover everything that is linked together, so they are set for the whole directory tree.
if(ROUTH_SANITIZE)
  add_compile_options(-fsanitize=${ROUTH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ROUTH_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Eigen forms blocks of matrices without entries: an offset to a null pointer that nobody follows.
    add_compile_options(-fno-sanitize=pointer-overflow)
    add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/undefined_sanitizer_ignore.txt)
  endif()
  if(ROUTH_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/thread_sanitizer_ignore.txt)
  endif()
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
# For the program and the tests, which only call the library: it is the library that must be quick. See
# routh_library_first for why this leaves the library as it is. At -O1 GCC warns falsely of uninitialised values.
if(ROUTH_SANITIZE)
  set(ROUTH_CALLER_OPTIONS -O0)
  set(ROUTH_TEST_OPTIONS -O0)
  set(ROUTH_ORACLE_OPTIONS -O2)
elseif(CMAKE_BUILD_TYPE STREQUAL Release)
  set(ROUTH_TEST_OPTIONS -O1 $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(NOT BUILD_SHARED_LIBS AND NOT APPLE)
    set(ROUTH_CALLER_OPTIONS ${ROUTH_TEST_OPTIONS})
  endif()
endif()
if(ROUTH_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "ROUTH_BUILD_FUZZERS needs clang (found ${CMAKE_CXX_COMPILER_ID}): use the preset `sanitizers`")
  endif()
  # For the library and the targets; nobody asks which branches the tests and the program took.
  set(ROUTH_COVERAGE_OPTIONS -fsanitize=fuzzer-no-link)
endif()

# Puts the whole library before the objects of an executable. Of an inline function or template that both contain, the
# linker keeps the first copy: the library's, compiled as it is shipped, not one of a caller with less optimisation.
function(routh_library_first target)
  if(NOT BUILD_SHARED_LIBS AND NOT APPLE AND NOT MSVC)
    list(TRANSFORM ROUTH_LAYERS REPLACE "(.+)" "$<TARGET_FILE:routh_\\1>" OUTPUT_VARIABLE archives)
    list(JOIN archives " " archives)
    target_link_options(${target} PRIVATE "SHELL:-Wl,--whole-archive ${archives} -Wl,--no-whole-archive")
  endif()
endfunction()

# Our own sources see what is internal to the library: this header opens it.
set(ROUTH_OPENING "${PROJECT_SOURCE_DIR}/src/routh/base/internal.h")

# The headers that nearly every source of ours includes, parsed once for a target: half of a small source's time.
# Further arguments: headers of this target's own.
function(routh_precompile target)
  if(NOT ROUTH_PRECOMPILE)
    target_compile_options(${target} PUBLIC $<BUILD_INTERFACE:SHELL:-include ${ROUTH_OPENING}>)
  else()
    target_precompile_headers(${target} PRIVATE "${ROUTH_OPENING}" <algorithm> <array> <cmath> <functional> <map> <memory> <optional>
      <span> <string> <vector> <Eigen/Core> ${ARGN})
  endif()
endfunction()

# Compiles the sources of a target several at a time, so that what many of them instantiate, of Eigen, pybind11 or CLI11,
# is compiled once for all of those. Two sources with the same name in their unnamed namespaces must not go together,
# not even with different parameters, where the compiler would take whichever fits: further arguments stay alone.
function(routh_unite target)
  if(ROUTH_UNITE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 7)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

function(routh_set_flags target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    $<$<BOOL:${ROUTH_WERROR}>:-Werror>)
  # Clang's would refuse double to long double too, which the tests' oracles are made of.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wdouble-promotion>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns falsely of copies inside std::string (GCC bugs 105651, 105329).
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
      -Wno-array-bounds)
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
