# The kernels of tensor/, linalg/, optim/ and geometry/: one source, compiled once per instruction set, chosen at run
# time (mctensor/tensor/isa.hpp). The namespace keeps the copies apart; every function that they
# call is in a namespace of its instruction set (mctensor/config.hpp) or inlined.
file(GLOB kernel_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tensor/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/linalg/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/optim/kernels/*.cpp"
     "${CMAKE_CURRENT_SOURCE_DIR}/geometry/kernels/*.cpp")

# mct_add_kernels(isa option...): the object library mctensor_kernels_<isa>, added to mctensor.
function(mct_add_kernels isa)
  set(target mctensor_kernels_${isa})
  add_library(${target} OBJECT ${kernel_sources})
  target_link_libraries(${target} PRIVATE mctensor_core mctensor_private mct_xsimd)
  target_compile_definitions(${target} PRIVATE MCT_KERNELS=kernels_${isa}
                                               MCT_X86_KERNELS=${MCT_X86_KERNELS})
  # optimized in every build: functions of the standard library must be inlined, not shared
  # (tests/house/kernel_symbols.py)
  # errno and the floating-point status flags are nobody's business here; no value depends on them,
  # but loops with a choice or a root are vectorized only without
  target_compile_options(${target} PRIVATE ${ARGN} $<$<CONFIG:Debug>:-O2> -fno-math-errno
                                           -fno-trapping-math)
  if(MCT_FUZZ)
    # they read no files, and take half of the time of the build
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # false alarms of g++ 12 in its own AVX-512 intrinsics
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-uninitialized)
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(mctensor PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

set(avx2_options -mavx2 -mfma -mf16c)
set(avx512_options ${avx2_options} -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl
    -mprefer-vector-width=512)
set(MCT_X86_KERNELS 0)
if(MCT_KERNELS_ONCE)
  # what runs as the baseline is the widest
  if(MCT_CAN_RUN_AVX512)
    mct_add_kernels(baseline ${avx512_options})
  elseif(MCT_CAN_RUN_FMA)
    mct_add_kernels(baseline ${avx2_options})
  else()
    mct_add_kernels(baseline)
  endif()
else()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)")
    set(MCT_X86_KERNELS 1)
  endif()
  mct_add_kernels(baseline)
  if(MCT_X86_KERNELS)
    mct_add_kernels(avx2 ${avx2_options})
    mct_add_kernels(avx512 ${avx512_options})
  endif()
endif()
target_compile_definitions(mctensor PRIVATE MCT_X86_KERNELS=${MCT_X86_KERNELS})
