# The machine code of the block programs, in exhaustive builds for every architecture, and the test of what it must be.
if(NOT MCT_HAVE_CUDA OR MCT_QUICK OR MCT_SANITIZE)
  return()
endif()
set(cubin_folder "${CMAKE_CURRENT_BINARY_DIR}/cubins")
file(MAKE_DIRECTORY "${cubin_folder}")
set(architectures 80 90)
execute_process(COMMAND "${CMAKE_CUDA_COMPILER}" --list-gpu-code OUTPUT_VARIABLE known)
if(known MATCHES "sm_100\n")
  list(APPEND architectures 100)
endif()

set(cubins "")
foreach(source IN LISTS mct_block_programs)
  mct_module_of(module "${source}")
  set(compiled 90)
  # geometry has no hot loop, and takes long to compile as attention and training do
  if(MCT_EXHAUSTIVE AND NOT module MATCHES "^(geometry|embed|attention)")
    set(compiled ${architectures})
  endif()
  foreach(architecture IN LISTS compiled)
    mct_architecture(architecture ${module} ${architecture})
    set(cubin "${cubin_folder}/${module}.sm_${architecture}.cubin")
    set(generate -cubin -gencode=arch=compute_${architecture},code=sm_${architecture})
    if(architecture MATCHES "^90")  # of the PTX that ptx.cmake translates come the same bytes as of the source
      set(ptx "${ptx_folder}/${module}.ptx")
      add_custom_command(OUTPUT "${cubin}"
                         COMMAND "${CMAKE_CUDA_COMPILER}" ${generate} -O3 -fmad=false -o "${cubin}" "${ptx}"
                         DEPENDS "${ptx}" VERBATIM)
    else()
      mct_compile_device("${cubin}" "${source}" ${generate})
    endif()
    list(APPEND cubins "${cubin}")
  endforeach()
endforeach()
add_custom_target(cuda_cubins ALL DEPENDS ${cubins})

add_executable(cuda_occupancy occupancy.cpp)
target_include_directories(cuda_occupancy SYSTEM
                           PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
add_test(NAME cuda_machine_code
         COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/machine_code.py"
                 --cubins "${cubin_folder}" --occupancy $<TARGET_FILE:cuda_occupancy>
                 --environment "${PROJECT_SOURCE_DIR}/build/python_environment")
set_tests_properties(cuda_machine_code PROPERTIES SKIP_RETURN_CODE 77)
if(MCT_EXHAUSTIVE)
  set_tests_properties(cuda_machine_code PROPERTIES LABELS exhaustive)
  add_dependencies(exhaustive_tests cuda_cubins cuda_occupancy)
endif()
