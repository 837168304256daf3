# Every function that a kernel may call compiles for the device. Nothing runs.
if(MCT_HAVE_CUDA)
  add_library(cuda_compile OBJECT EXCLUDE_FROM_ALL
              "${PROJECT_SOURCE_DIR}/tests/cuda/eft_expansion_kernels.cu"
              "${PROJECT_SOURCE_DIR}/tests/cuda/math_kernels.cu")
  target_link_libraries(cuda_compile PRIVATE mctensor::core)
  if(NOT MCT_EXHAUSTIVE)
    # what compiles for the oldest architecture compiles for the others, and PTX for any
    list(GET CMAKE_CUDA_ARCHITECTURES 0 oldest)
    set_target_properties(cuda_compile PROPERTIES CUDA_ARCHITECTURES "${oldest}-virtual")
  endif()
  mct_add_compile_test(cuda_compile)
endif()

# What reads PTX and machine code for tests/cuda.
foreach(tool IN ITEMS ptx_to_cpp sass)
  add_test(NAME ${tool}_tool COMMAND Python3::Interpreter -B
           "${PROJECT_SOURCE_DIR}/tools/${tool}_test.py")
endforeach()
add_test(NAME machine_code_table COMMAND Python3::Interpreter -B
         "${PROJECT_SOURCE_DIR}/tests/cuda/machine_code_test.py")
