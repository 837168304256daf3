# How the project's own code is compiled: warnings, sanitizers, instruction sets.
# What every user of the headers must be compiled with stands at mctensor_core in src/.
include(CheckCXXCompilerFlag)
include(CheckCXXSourceRuns)

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# A compiler cache, where there is one. The sloppiness concerns precompiled headers, which ccache
# otherwise leaves alone; nothing here uses __TIME__.
if(MCT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(MCT_CCACHE_PROGRAM ccache)
  mark_as_advanced(MCT_CCACHE_PROGRAM)
  if(MCT_CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros "${MCT_CCACHE_PROGRAM}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
    endif()
  endif()
endif()

# mctensor_private: linked PRIVATE by each target of this project, never installed.
# -Wconversion is left out: the kernels convert between T, double and integers on purpose, and
# saying so with a cast at each place hides the formulas.
add_library(mctensor_private INTERFACE)
target_compile_options(mctensor_private INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual -Wcast-align>)
# g++ 12 and 13 warn about std::string's own memcpy: PR 105651, PR 105329.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  target_compile_options(mctensor_private INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>")
endif()
if(MCT_WARNINGS_AS_ERRORS)
  target_compile_options(mctensor_private INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
target_include_directories(mctensor_private INTERFACE "${PROJECT_SOURCE_DIR}")
# The first of the headers that are precompiled.
set(mct_integers_as_text "${CMAKE_CURRENT_LIST_DIR}/integers_as_text.hpp")

if(MCT_SANITIZE STREQUAL "thread")
  set(MCT_SANITIZERS thread)
elseif(MCT_SANITIZE)
  set(MCT_SANITIZERS address,undefined)
endif()
if(MCT_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${MCT_SANITIZERS}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${MCT_SANITIZERS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # false alarms of g++ 12 in std::regex once sanitizers instrument it
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  endif()
endif()
if(MCT_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "MCT_FUZZ needs clang: libFuzzer is part of it")
  endif()
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()

# mctensor_native: the processor of this machine, for the suite and the benchmarks.
add_library(mctensor_native INTERFACE)
if(MCT_NATIVE)
  check_cxx_compiler_flag(-march=native MCT_HAVE_MARCH_NATIVE)
  if(MCT_HAVE_MARCH_NATIVE)
    target_compile_options(mctensor_native INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
  else()
    message(STATUS "The compiler has no -march=native: suite and benchmarks use the baseline")
  endif()
endif()

# Units of many sources use up to 2 GB. While g++ has less than one, it shall not look for memory to use again, which takes
# a seventh of its time. clang, which compiles tests, has no such option.
if(MCT_TOGETHER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>"
                      $<$<COMPILE_LANGUAGE:CXX>:-Wno-unused-command-line-argument>)
endif()

# mct_compile_together(target count): with MCT_TOGETHER, up to so many sources of the target are
# compiled as one: most of the time is what they include and instantiate alike. Names at namespace
# scope and in unnamed namespaces must differ; these macros may be in each of them. Sources with
# options of their own stay alone.
function(mct_compile_together target count)
  if(MCT_TOGETHER)
    set(code_before "")
    foreach(macro IN ITEMS MCT_INSTANTIATE MCT_INSTANTIATE_LONG MCT_INSTANTIATE_PLAIN MCT_DEFINE_ROWS)
      string(APPEND code_before "#undef ${macro}\n")
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count}
                          UNITY_BUILD_CODE_BEFORE_INCLUDE "${code_before}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # what is in an unnamed namespace looks as if it were in a header
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
endfunction()

# mct_compile_as_one(target header...): with MCT_TOGETHER the sources of the target are one unit, which reads headers
# once; else each is compiled alone, with the headers precompiled.
function(mct_compile_as_one target)
  if(MCT_TOGETHER)
    mct_compile_together(${target} 0)
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# mctensor_small: for code whose speed is not what matters, the suite's tables and the commands:
# they take longer to compile than they ever run.
add_library(mctensor_small INTERFACE)
target_compile_options(mctensor_small INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)

# mct_compile_by_clang(target): for tests: it takes half of g++'s time where nothing is optimized and as long where
# something is, and is the second compiler that reads every header. A closure must not cross from one to the other: they
# store what [&] captures in another order. So what g++ compiles is in shared libraries that call their own copies of
# inline functions.
set(mct_clang "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND MCT_TEST_CLANG AND NOT MCT_SANITIZE)
  find_program(MCT_TEST_CLANG_PROGRAM NAMES clang++-14 clang++)
  mark_as_advanced(MCT_TEST_CLANG_PROGRAM)
  if(MCT_TEST_CLANG_PROGRAM)
    # templates that a precompiled header uses are instantiated there, not in every program
    set(mct_clang "${CMAKE_CURRENT_LIST_DIR}/clang_instead.sh" ${CMAKE_CXX_COMPILER_LAUNCHER}
                  "${MCT_TEST_CLANG_PROGRAM}" -fpch-instantiate-templates --)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=include
                    OUTPUT_VARIABLE mct_compiler_headers OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
endif()
function(mct_compile_by_clang target)
  if(mct_clang)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${mct_clang}")
    # clang looks for quadmath.h and omp.h, which are g++'s, after its own headers, and knows not all of g++'s options
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-idirafter${mct_compiler_headers}>"
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-unknown-warning-option> $<$<COMPILE_LANGUAGE:CXX>:-Wno-ignored-optimization-argument>)
  endif()
endfunction()
# mct_do_not_optimize(target): for tests, which take longer to compile than to run; what is fast is in the library.
function(mct_do_not_optimize target)
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release,RelWithDebInfo>>:-O0>)
  mct_compile_by_clang(${target})
endfunction()

# mct_keep_own_functions(target): the functions of a shared library call each other, whatever a program has of the same
# name.
function(mct_keep_own_functions target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions)
  endif()
endfunction()

# mct_add_inner_library(name source...): what programs and their tests link, and nobody installs.
function(mct_add_inner_library name)
  set(type STATIC)
  if(mct_clang AND BUILD_SHARED_LIBS)
    set(type SHARED)
  endif()
  add_library(${name} ${type} ${ARGN})
  mct_keep_own_functions(${name})
endfunction()

# mct_with_own_compiler(target...): takes that back for sources that clang does not compile. With clang Boost's headers
# of quadrature and Lambert's W have literals of 113 bits, which f64x2 does not take without a cast.
function(mct_with_own_compiler)
  if(NOT mct_clang)
    return()
  endif()
  set_target_properties(${ARGN} PROPERTIES CXX_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}"
                                           DISABLE_PRECOMPILE_HEADERS ON)
endfunction()

# mct_optimize_program(target): for commands, examples and what replays the inputs of fuzz targets.
function(mct_optimize_program target)
  if(MCT_PROGRAMS_OPTIMIZED)
    target_link_libraries(${target} PRIVATE mctensor_small)
  else()
    mct_do_not_optimize(${target})
  endif()
endfunction()

# two_prod has two bodies: fma where the processor has it, splitting elsewhere. Tests of the
# headers run with both. MCT_OTHER_VARIANT names the one that a plain build does not use and
# MCT_OTHER_VARIANT_OPTIONS selects it; the name is empty where this machine cannot run it.
set(MCT_OTHER_VARIANT "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)")
  set(MCT_OTHER_VARIANT split)  # fma is part of the baseline there
  set(MCT_OTHER_VARIANT_OPTIONS -DMCT_HAS_FMA=0)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)")
  if(NOT CMAKE_CROSSCOMPILING)
    set(CMAKE_REQUIRED_FLAGS "-mavx2 -mfma")
    check_cxx_source_runs("
      int main() {
        return __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"avx2\") ? 0 : 1;
      }" MCT_CAN_RUN_FMA)
    unset(CMAKE_REQUIRED_FLAGS)
  endif()
  if(MCT_CAN_RUN_FMA)
    set(MCT_OTHER_VARIANT fma)
    set(MCT_OTHER_VARIANT_OPTIONS -mavx2 -mfma)
  else()
    message(STATUS "No fma and AVX2 on this machine: the tests run without fma only")
  endif()
endif()

if(MCT_SANITIZE OR MCT_QUICK)
  # sanitizers find the same in both and are slow; the inner loop has one
  set(MCT_OTHER_VARIANT "")
endif()

# The instruction sets of kernels that this machine can run besides the one that it chooses itself
# (the widest): each gets its own run of the kernel tests.
set(MCT_TESTED_ISAS baseline)
if(MCT_CAN_RUN_FMA)
  check_cxx_source_runs("
    int main() { return __builtin_cpu_supports(\"avx512vl\") ? 0 : 1; }" MCT_CAN_RUN_AVX512)
  if(MCT_CAN_RUN_AVX512)
    list(APPEND MCT_TESTED_ISAS avx2)
  endif()
endif()
if(NOT MCT_KERNELS STREQUAL "ALL")
  set(MCT_TESTED_ISAS "")  # there is nothing to choose
endif()
