# Block programs as nvcc compiles them: the PTX of every kernels/<name>.cu becomes C++
# (tools/ptx/ptx_to_cpp.py), the Module mct::cuda::ptx::<name>, and tests ptx/<name>_test.cpp,
# cuda_ptx_<name>_test, run what they need of them in the simulator.
if(NOT MCT_HAVE_CUDA OR MCT_QUICK OR MCT_SANITIZE)
  return()
endif()
set(ptx_folder "${CMAKE_CURRENT_BINARY_DIR}/ptx")
file(MAKE_DIRECTORY "${ptx_folder}")

add_library(mct_cuda_ptx STATIC ptx/entries.cpp ptx/machine.cpp ptx/rounding.cpp)
target_link_libraries(mct_cuda_ptx PUBLIC mct_cuda_simulator)
mct_compile_by_clang(mct_cuda_ptx)
set_source_files_properties(ptx/rounding.cpp PROPERTIES COMPILE_OPTIONS -frounding-math)

set(translate "${PROJECT_SOURCE_DIR}/tools/ptx/ptx_to_cpp.py")
set(translator "${translate}")
foreach(part IN ITEMS parser instructions memory)
  list(APPEND translator "${PROJECT_SOURCE_DIR}/tools/ptx/ptx_${part}.py")
endforeach()

# mct_translate_ptx(module ptx [argument...]): C++ of a file of PTX, among translated_files.
macro(mct_translate_ptx module ptx)
  add_custom_command(
    OUTPUT "${ptx_folder}/${module}.cpp"
    COMMAND Python3::Interpreter -B "${translate}" "${ptx}" --module ${module} ${ARGN}
            --output "${ptx_folder}/${module}.cpp"
    DEPENDS "${ptx}" ${translator} VERBATIM)
  list(APPEND translated_files "${ptx_folder}/${module}.cpp")
endmacro()

# Of a file with many kernels those that are translated, ptx_only_<module>: a regex of their mangled
# names. 1000 lines of PTX take the compiler a third of a second.
set(ptx_only_geometry_pointwise "HalfSpaceRow|FollowGradients|PointProgram|Pointwise.*(Ball|Lorentz)Formulas")
set(ptx_only_embed_training
    "DrawExamples|SortTiles|MergeRuns|EndBatch|(ExampleGradients.*ELb0|MoveRows.*ELb1)EdEEL[bi][08]E")

set(translated_files "")
foreach(source IN LISTS mct_block_programs)
  mct_module_of(module "${source}")
  set(ptx "${ptx_folder}/${module}.ptx")
  mct_architecture(architecture ${module} 90)
  mct_compile_device("${ptx}" "${source}" -ptx
                     -gencode=arch=compute_${architecture},code=compute_${architecture})
  if(DEFINED ptx_only_${module})
    mct_translate_ptx(${module} "${ptx}" --only "${ptx_only_${module}}")
  else()
    mct_translate_ptx(${module} "${ptx}")
  endif()
endforeach()

# what the translation of single instructions is tested on
mct_compile_device("${ptx_folder}/instructions.ptx"
                   "${CMAKE_CURRENT_SOURCE_DIR}/ptx/instructions.cu" -ptx -arch=sm_90)
mct_translate_ptx(instructions "${ptx_folder}/instructions.ptx")

# Faults that are planted in the PTX: each must be noticed (ptx/gemm_test.cpp).
set(gemm "run_blockINS0_4GemmIdLi2E")
set(pack "run_blockINS0_10PackFactorIdLi2E")
macro(mct_mutate_gemm name kernel)
  mct_translate_ptx(linalg_gemm_${name} "${ptx_folder}/linalg_gemm.ptx" --only ${kernel}
                    --edit ${ARGN})
endmacro()
mct_mutate_gemm(no_barrier ${gemm} 1 "^bar[.]sync.*" "// no barrier")
mct_mutate_gemm(other_limb ${gemm} 0 "[+]4096" "+0")
mct_mutate_gemm(late_wait ${gemm} 0 "^cp[.]async[.]wait_group 1" "cp.async.wait_group 2")
mct_mutate_gemm(other_bound ${pack} 4 "setp[.]ge[.]s64" "setp.gt.s64")
# The same of products of a warpgroup (ptx/attention_warpgroups_test.cpp), in the hot loop.
set(attention "run_blockINS0_16AttentionForwardINS_9attention[a-z0-9_]*10DotProductELi64E")
macro(mct_mutate_attention name)
  mct_translate_ptx(attention_${name} "${ptx_folder}/attention_warpgroups.ptx" --only ${attention}
                    --edit ${ARGN})
endmacro()
mct_mutate_attention(late_wait 0 "^wgmma[.]wait_group[.]sync[.]aligned 1" "wgmma.wait_group.sync.aligned 2")
mct_mutate_attention(no_fence 1 "^wgmma[.]fence.*" "// no fence")
mct_mutate_attention(not_published 1 "^fence[.]proxy.*" "// not published")
mct_mutate_attention(other_step 0 "^or[.]b32(?=.* 6.$)" "and.b32")  # 32 bytes a step, of a descriptor

add_library(mct_cuda_translated STATIC ${translated_files})
target_link_libraries(mct_cuda_translated PUBLIC mct_cuda_ptx)
# generated: no warnings; the optimizer's first level takes hardly longer than none
target_compile_options(mct_cuda_translated PRIVATE -w -O1)
mct_compile_by_clang(mct_cuda_translated)
target_precompile_headers(mct_cuda_translated PRIVATE ptx/machine.hpp)

# mct_add_ptx_test(name source...): a test of what was compiled.
function(mct_add_ptx_test name)
  set(kind "")
  if(name MATCHES "${optimized}")
    set(kind OPTIMIZED)
  endif()
  mct_add_test(cuda_ptx_${name} SOURCES ${ARGN} PCH ${mct_gpu_test_pch} ${kind}
               LIBRARIES mct_cuda_translated mctensor::mctensor)
endfunction()
file(GLOB tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/ptx/*_test.cpp")
set(of_instructions "")
foreach(test IN LISTS tests)
  get_filename_component(stem "${test}" NAME_WE)
  if(stem MATCHES "^(assembly|exchanges|floats|functions|integers)_test$")
    list(APPEND of_instructions "${test}")
  else()
    mct_add_ptx_test(${stem} "${test}")
  endif()
endforeach()
mct_joined_source(source cuda_ptx_instructions_tests ${of_instructions})
mct_add_ptx_test(instructions_tests "${source}")

# Once more without what was compiled: MCT_CUDA_PROGRAMS (ptx/compiled.hpp).
list(REMOVE_ITEM both attention_backward attention_wide)  # attention_test has them
foreach(name IN LISTS both)
  add_test(NAME cuda_${name}_test COMMAND cuda_ptx_${name}_test --gtest_filter=-*Compiled.*:*Mutants.*)
  set_tests_properties(cuda_${name}_test PROPERTIES ENVIRONMENT MCT_CUDA_PROGRAMS=sources TIMEOUT 900)
endforeach()
# the tests of the sources are run by the above alone
set_tests_properties(cuda_ptx_attention_warpgroups_test PROPERTIES ENVIRONMENT "GTEST_FILTER=*Compiled.*:*Mutants.*")
