# The kernels of tensor/, linalg/, certified/, distributed/, autograd/, optim/, geometry/, attention/ and embed/: one
# source, compiled once per instruction set, chosen at run time (mctensor/tensor/isa.hpp). The namespace keeps the
# copies apart; every function that they call is in a namespace of its instruction set (mctensor/config.hpp) or inlined.
file(GLOB kernel_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tensor/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/linalg/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/certified/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/distributed/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/autograd/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/optim/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/geometry/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/attention/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/embed/kernels/*.cpp")
if(MCT_SUITE_ONLY)
  list(FILTER kernel_sources INCLUDE REGEX "/((linalg|tensor)/kernels/[a-z0-9_]+|geometry/kernels/(manifold|program)_.*)[.]cpp$")
  list(FILTER kernel_sources EXCLUDE REGEX "/linalg/kernels/rows[.]cpp$")  # of decompositions
endif()

# Functions of tensors have copies of exp and others that no other kernel shares (mctensor/config.hpp).
foreach(type IN ITEMS double float half bfloat16)
  set_source_files_properties(tensor/kernels/elementwise_${type}.cpp PROPERTIES
                              COMPILE_DEFINITIONS MCT_KERNELS_OF=_elementwise SKIP_PRECOMPILE_HEADERS ON)
endforeach()

# MCT_KERNELS_<ISA> = 1 or 0: the instruction sets of this build. NATIVE has the widest of this
# machine alone, for a build that runs here and is gone tomorrow.
set(native_isa BASELINE)
if(MCT_CAN_RUN_AVX512)
  set(native_isa AVX512)
elseif(MCT_CAN_RUN_FMA)
  set(native_isa AVX2)
endif()
set(kernel_isas BASELINE)
if(MCT_KERNELS STREQUAL "NATIVE")
  set(kernel_isas ${native_isa})
elseif(MCT_KERNELS STREQUAL "ALL" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)")
  list(APPEND kernel_isas AVX2 AVX512)
endif()
set(kernel_definitions "")
foreach(isa IN ITEMS BASELINE AVX2 AVX512)
  if(isa IN_LIST kernel_isas)
    list(APPEND kernel_definitions MCT_KERNELS_${isa}=1)
  else()
    list(APPEND kernel_definitions MCT_KERNELS_${isa}=0)
  endif()
endforeach()
target_compile_definitions(mctensor PRIVATE ${kernel_definitions})

# Code of the instruction sets that this machine does not choose runs in tests of its bits alone, and
# is as large as all tests together: a build that only tests may save a half of its time.
string(TOLOWER ${native_isa} chosen_isa)

# mct_add_kernels(isa option...): the object library mctensor_kernels_<isa>, added to mctensor.
function(mct_add_kernels isa)
  set(target mctensor_kernels_${isa})
  add_library(${target} OBJECT ${kernel_sources})
  target_link_libraries(${target} PRIVATE mctensor_core mctensor_private mct_xsimd)
  target_compile_definitions(${target} PRIVATE MCT_KERNELS=kernels_${isa}
                                               ${kernel_definitions})
  # optimized in every build: functions of the standard library must be inlined, not shared
  # (tests/house/kernel_symbols.py)
  # errno and the floating-point status flags are nobody's business here; no value depends on them,
  # but loops with a choice or a root are vectorized only without
  target_compile_options(${target} PRIVATE ${ARGN} $<$<CONFIG:Debug>:-O2> -fno-math-errno
                                           -fno-trapping-math)
  if(MCT_SANITIZE)
    target_compile_options(${target} PRIVATE -O1)  # without, they take most of the tests' time
  endif()
  if(NOT MCT_OTHER_KERNELS_OPTIMIZED AND NOT isa STREQUAL chosen_isa)
    target_compile_options(${target} PRIVATE -O1 -finline-small-functions)
  endif()
  # Geometry's kernels without calls pay only in a build for speed. The bits of results are the same.
  if(MCT_SANITIZE OR (CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-O3"))
    target_compile_definitions(${target} PRIVATE MCT_KERNELS_INLINED=0)
  else()
    target_compile_definitions(${target} PRIVATE MCT_KERNELS_INLINED=1)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # g++ stops inlining where a source has grown by 40 percent, and then calls functions of a few instructions, with
      # registers in memory: exp of tensors of two doubles takes twice as long
      target_compile_options(${target} PRIVATE --param=inline-unit-growth=150)
    endif()
  endif()
  if(MCT_FUZZ)
    # they read no files, and take half of the time of the build
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # false alarms of g++ 12 in its own AVX-512 intrinsics
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-uninitialized)
  endif()
  # what all of them read, once for the instruction set
  target_precompile_headers(${target} PRIVATE
                            "${CMAKE_CURRENT_SOURCE_DIR}/tensor/kernels/lanes.hpp")
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(mctensor PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

if(BASELINE IN_LIST kernel_isas)
  mct_add_kernels(baseline)
endif()
if(AVX2 IN_LIST kernel_isas)
  mct_add_kernels(avx2 -mavx2 -mfma -mf16c)
endif()
if(AVX512 IN_LIST kernel_isas)
  mct_add_kernels(avx512 -mavx2 -mfma -mf16c -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl
                  -mprefer-vector-width=512)
endif()
