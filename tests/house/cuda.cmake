# Every function that a kernel may call, and the kernels of the library, compile for the device. Nothing
# runs.
if(MCT_HAVE_CUDA)
  find_package(CUDAToolkit REQUIRED)
  file(GLOB kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cuda/*/*.cu")
  list(FILTER kernels EXCLUDE REGEX "warpgroups[.]cu$")  # of one architecture: tests/cuda/kernels has some
  if(NOT MCT_EXHAUSTIVE)  # minutes each; tests/cuda/kernels has a few of theirs
    list(FILTER kernels EXCLUDE REGEX "/(attention/(for|back)ward_[a-z0-9_]+|optim/adamw_(half|bfloat16)|geometry/(pointwise_f64x3|row_optimizer_f64x2))[.]cu$")
  endif()
  add_library(cuda_compile OBJECT EXCLUDE_FROM_ALL
              "${PROJECT_SOURCE_DIR}/tests/cuda/eft_expansion_kernels.cu"
              "${PROJECT_SOURCE_DIR}/tests/cuda/math_kernels.cu"
              "${PROJECT_SOURCE_DIR}/tests/cuda/certified_kernels.cu"
              "${PROJECT_SOURCE_DIR}/cuda/device/runtime.cpp" ${kernels})
  target_link_libraries(cuda_compile PRIVATE mctensor::core mctensor_private CUDA::cudart_static)
  target_compile_definitions(cuda_compile PRIVATE MCT_HAVE_CUDA=1)
  target_compile_options(cuda_compile PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=20208>)
  if(NOT MCT_EXHAUSTIVE)
    # what compiles for the oldest architecture compiles for the others, and PTX for any
    list(GET CMAKE_CUDA_ARCHITECTURES 0 oldest)
    string(REGEX MATCH "^[0-9]+" oldest "${oldest}")
    set_target_properties(cuda_compile PROPERTIES CUDA_ARCHITECTURES "${oldest}-virtual")
  endif()
  mct_add_compile_test(cuda_compile 1)
endif()

# What reads PTX and machine code for tests/cuda.
foreach(tool IN ITEMS ptx_to_cpp sass)
  add_test(NAME ${tool}_tool COMMAND Python3::Interpreter -B
           "${PROJECT_SOURCE_DIR}/tools/ptx/${tool}_test.py")
endforeach()
add_test(NAME machine_code_table COMMAND Python3::Interpreter -B
         "${PROJECT_SOURCE_DIR}/tests/cuda/machine_code_test.py")
