# The options of the build, and the packages that each of them needs. The library itself needs
# Boost headers to be built and nothing to be used.
include(CheckCXXSourceCompiles)

option(MCT_BUILD_VALIDATION
       "The precision suite and the program mct. Without it nothing is compared with MPFR"
       ${PROJECT_IS_TOP_LEVEL})
option(MCT_BUILD_TESTS "The tests. Without them ctest has nothing to run" ${PROJECT_IS_TOP_LEVEL})
option(MCT_BUILD_BENCH "The benchmarks. Without them ./run bench has nothing to run"
       ${PROJECT_IS_TOP_LEVEL})
option(MCT_BUILD_EXAMPLES "The example programs" ${PROJECT_IS_TOP_LEVEL})
option(MCT_BUILD_PYTHON "The Python package mctensor: needs Python's headers and nanobind" OFF)
set(MCT_TORCH_PYTHON "${CMAKE_CURRENT_SOURCE_DIR}/build/torch_environment/bin/python-with-torch" CACHE FILEPATH
    "A Python of the package's version with PyTorch, NumPy, pytest and safetensors, for tests: it may come later. \
Without it nothing is tested with PyTorch")
option(MCT_QUICK "Tests for the inner loop: one variant of two_prod, without the tests of the build, \
of the suite and of the program" OFF)
option(MCT_EXHAUSTIVE "Tests of tensor forms in every value type instead of a sample" OFF)
option(MCT_TOGETHER "Compile several sources as one, and tests of one subject as one program, which takes half \
the time where everything is compiled. Without it each file is compiled alone, quicker where one has changed" OFF)
option(MCT_PROGRAMS_OPTIMIZED "Optimize commands, examples, benchmarks and the Python module. Without it they \
compile in a third of the time; of the benchmarks a test then shows that they compile" ON)
option(MCT_OTHER_KERNELS_OPTIMIZED "Optimize kernels fully for every instruction set, not only this machine's, the \
formulas of geometry for what has no kernel, and what gives work to kernels" ON)
option(MCT_WITH_QD "QD as a peer. Without it reports and benchmarks lack dd_real and qd_real" ON)
option(MCT_WITH_ARB "Arb as a peer. Without it the benchmarks lack Arb" ON)
option(MCT_WITH_OPENBLAS "OpenBLAS as a peer. Without it the benchmarks lack dgemm" ON)
option(MCT_WITH_SLEEF "SLEEF as a peer. Without it the benchmarks lack its vector functions" ON)
option(MCT_WITH_QUADMATH "libquadmath as a peer. Without it __float128 is missing beside ours" ON)
option(MCT_WITH_XSIMD "xsimd as a value type. Without it tensor operations work \
element by element and nothing is tested in SIMD lanes" ON)
option(MCT_WITH_EIGEN "Eigen beside half and bfloat16. Without it their conversions to and from \
Eigen's types are not tested" ON)
option(MCT_WITH_ZLIB "zlib. Without it edge lists that are compressed by gzip can be neither read nor \
written" ON)
option(MCT_WITH_MPI "MPI. Without it `mct embed` and `mct train gpt` train in one process alone" ON)
option(MCT_NATIVE "Build suite and benchmarks (not the library) for this machine's processor, so \
that two_prod uses hardware fma. Without it they measure the baseline" OFF)
option(MCT_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
set(MCT_SANITIZE OFF CACHE STRING
    "Build everything with sanitizers: address (and undefined), thread (clang only) or OFF")
set_property(CACHE MCT_SANITIZE PROPERTY STRINGS OFF address thread)
option(MCT_TEST_CLANG "In a build by g++, compile by clang, where it is installed, the tests that are not optimized" OFF)
option(MCT_FUZZ "Build the fuzz targets for libFuzzer (clang only). Without it the tests run them on \
their corpora" OFF)
option(MCT_REQUIRE_ALL "Stop when an optional package is missing instead of leaving out what \
needs it" OFF)
option(MCT_SUITE_ONLY "Leave out of the library all that the suite does not call: what `./run validate` need \
not compile. The suite is then all that can be built" OFF)
set(MCT_KERNELS ALL CACHE STRING "Instruction sets of the library's kernels: ALL (chosen at run \
time), NATIVE (the widest of this machine alone: a quicker build that runs on no lesser one) or \
BASELINE (those of every processor alone)")
set_property(CACHE MCT_KERNELS PROPERTY STRINGS ALL NATIVE BASELINE)
if(NOT MCT_KERNELS MATCHES "^(ALL|NATIVE|BASELINE)$")
  message(FATAL_ERROR "MCT_KERNELS is '${MCT_KERNELS}'; it must be ALL, NATIVE or BASELINE")
endif()
if(MCT_EXHAUSTIVE)
  set(MCT_TOGETHER OFF)  # exhaustive tests are run by the name of their file
endif()
option(MCT_CCACHE "Compile through ccache where it is installed" ${PROJECT_IS_TOP_LEVEL})
set(MCT_CUDA AUTO CACHE STRING
    "CUDA: AUTO (where nvcc is found), ON (stop without nvcc) or OFF. Without it no .cu is compiled")
set_property(CACHE MCT_CUDA PROPERTY STRINGS AUTO ON OFF)
option(MCT_CUDA_KERNELS "Kernels in mctensor::cuda where there is CUDA; OFF: the library says that it has none" ON)

# mct_missing(option package debian_package what_is_lost): turns the option off and says so.
macro(mct_missing option package debian lost)
  if(MCT_REQUIRE_ALL)
    message(FATAL_ERROR "${package} not found (Debian: ${debian}); needed for ${option}")
  endif()
  message(STATUS "${package} not found (Debian: ${debian}): ${lost}")
  set(${option} OFF)
endmacro()

find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)

if(MCT_SUITE_ONLY)
  set(MCT_WITH_ZLIB OFF)  # the suite reads no edge lists
endif()
if(MCT_WITH_ZLIB)
  find_package(ZLIB 1.2 QUIET)
  if(NOT ZLIB_FOUND)
    mct_missing(MCT_WITH_ZLIB zlib zlib1g-dev "edge lists compressed by gzip are refused")
  endif()
endif()

if(MCT_SUITE_ONLY)
  set(MCT_WITH_MPI OFF)
endif()
if(MCT_WITH_MPI)
  find_package(MPI QUIET COMPONENTS C)
  if(NOT MPI_C_FOUND)
    mct_missing(MCT_WITH_MPI MPI libopenmpi-dev
                "`mct embed` and `mct train gpt` train in one process alone")
  endif()
endif()

if(MCT_BUILD_VALIDATION OR MCT_BUILD_TESTS OR MCT_BUILD_BENCH)
  find_package(MPFR 4.0 QUIET)
  find_package(fmt 9 QUIET)
endif()

if(MCT_BUILD_VALIDATION)
  find_package(CLI11 2.1 QUIET)
  find_package(RE2 QUIET)
  foreach(need IN ITEMS MPFR:libmpfr-dev fmt:libfmt-dev nlohmann_json:nlohmann-json3-dev
                        CLI11:libcli11-dev RE2:libre2-dev)
    string(REPLACE ":" ";" need "${need}")
    list(GET need 0 package)
    list(GET need 1 debian)
    if(NOT ${package}_FOUND)
      mct_missing(MCT_BUILD_VALIDATION ${package} ${debian} "no suite and no program mct")
    endif()
  endforeach()
endif()

if(MCT_BUILD_TESTS)
  find_package(GTest 1.12 QUIET)
  if(NOT GTest_FOUND OR NOT MPFR_FOUND OR NOT fmt_FOUND)
    mct_missing(MCT_BUILD_TESTS "GoogleTest, MPFR or fmt" "libgtest-dev libmpfr-dev libfmt-dev"
                "no tests")
  endif()
endif()

if(MCT_BUILD_BENCH AND NOT MCT_BUILD_VALIDATION)
  message(STATUS "no benchmarks without the suite (MCT_BUILD_VALIDATION): they share its peers")
  set(MCT_BUILD_BENCH OFF)
endif()
if(MCT_BUILD_BENCH)
  find_package(benchmark 1.7 QUIET)
  if(NOT benchmark_FOUND OR NOT MPFR_FOUND OR NOT fmt_FOUND)
    mct_missing(MCT_BUILD_BENCH "Google Benchmark, MPFR or fmt"
                "libbenchmark-dev libmpfr-dev libfmt-dev" "no benchmarks")
  endif()
endif()

if(MCT_WITH_QD AND (MCT_BUILD_VALIDATION OR MCT_BUILD_BENCH))
  find_package(QD QUIET)
  if(NOT QD_FOUND)
    mct_missing(MCT_WITH_QD QD libqd-dev "no dd_real and qd_real beside ours")
  endif()
endif()
if(MCT_WITH_ARB AND MCT_BUILD_BENCH)
  find_package(Arb QUIET)
  if(NOT Arb_FOUND)
    mct_missing(MCT_WITH_ARB Arb "libflint-dev libflint-arb-dev" "no Arb beside ours")
  endif()
endif()
if(MCT_WITH_SLEEF AND MCT_BUILD_BENCH)
  find_path(SLEEF_INCLUDE_DIR sleef.h)
  find_library(SLEEF_LIBRARY sleef)
  mark_as_advanced(SLEEF_INCLUDE_DIR SLEEF_LIBRARY)
  if(NOT MCT_CAN_RUN_FMA)
    set(MCT_WITH_SLEEF OFF CACHE BOOL "no vectors of this machine" FORCE)
  elseif(NOT SLEEF_INCLUDE_DIR OR NOT SLEEF_LIBRARY)
    mct_missing(MCT_WITH_SLEEF SLEEF libsleef-dev "no vector functions beside ours")
  endif()
endif()
if(MCT_WITH_OPENBLAS AND MCT_BUILD_BENCH)
  find_path(OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas openblas-pthread)
  find_library(OPENBLAS_LIBRARY openblas)
  mark_as_advanced(OPENBLAS_INCLUDE_DIR OPENBLAS_LIBRARY)
  if(NOT OPENBLAS_INCLUDE_DIR OR NOT OPENBLAS_LIBRARY)
    mct_missing(MCT_WITH_OPENBLAS OpenBLAS libopenblas-dev "no dgemm beside ours")
  endif()
endif()
if(MCT_WITH_XSIMD)
  # Not by its own CMake package: Debian's links to xtl, which is neither needed nor installed.
  find_path(XSIMD_INCLUDE_DIR xsimd/xsimd.hpp)
  mark_as_advanced(XSIMD_INCLUDE_DIR)
  if(NOT XSIMD_INCLUDE_DIR)
    mct_missing(MCT_WITH_XSIMD xsimd libxsimd-dev "tensor operations work element by element")
  endif()
endif()
if(MCT_WITH_EIGEN AND (MCT_BUILD_TESTS OR MCT_BUILD_BENCH OR MCT_BUILD_EXAMPLES))
  find_package(Eigen3 3.4 QUIET NO_MODULE)
  if(NOT Eigen3_FOUND)
    mct_missing(MCT_WITH_EIGEN Eigen3 libeigen3-dev
                "half and bfloat16 are not compared with Eigen's types, nor its products with ours")
  endif()
endif()

# The GNU quad-precision type exists on x86-64 only and is no part of the C++ standard, so absence
# is not an error even when everything is required.
if(MCT_WITH_QUADMATH AND (MCT_BUILD_VALIDATION OR MCT_BUILD_BENCH))
  set(CMAKE_REQUIRED_LIBRARIES quadmath)
  check_cxx_source_compiles("
    #include <quadmath.h>
    int main(int n, char**) { return int(sqrtq(__float128(n))); }" MCT_HAVE_QUADMATH)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(NOT MCT_HAVE_QUADMATH)
    message(STATUS "libquadmath not usable with this compiler: no __float128 beside ours")
    set(MCT_WITH_QUADMATH OFF)
  endif()
endif()
