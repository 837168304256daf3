# mct_add_test(name SOURCES file... [LIBRARIES target...] [PCH name] [FMA_VARIANT] [OPTIMIZED] [SAMPLED])
#
# A GoogleTest program and its ctest entry. FMA_VARIANT makes a second one of the same sources,
# name_fma (on arm64 name_split), compiled for the body of two_prod that the first does not use.
# OPTIMIZED is for tests that would run longer than the optimizer takes, SAMPLED for those whose list of
# value types is longer with the definition MCT_EXHAUSTIVE, which they have in exhaustive builds alone.
# PCH is the target of mct_add_test_pch that has the options of this test, if it has options of its own.
function(mct_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FMA_VARIANT;OPTIMIZED;SAMPLED" "PCH" "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "mct_add_test(${name}): bad arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(optimized "")
  if(arg_OPTIMIZED)
    set(optimized OPTIMIZED)
  endif()
  mct_add_test_program(${name} "${arg_SOURCES}" "${arg_LIBRARIES}" PCH ${arg_PCH} ${optimized})
  if(arg_FMA_VARIANT AND MCT_OTHER_VARIANT)
    mct_add_test_program(${name}_${MCT_OTHER_VARIANT} "${arg_SOURCES}" "${arg_LIBRARIES}" ${optimized}
                         PCH mct_test_pch_${MCT_OTHER_VARIANT} OPTIONS ${MCT_OTHER_VARIANT_OPTIONS})
  endif()
  if(arg_SAMPLED AND MCT_EXHAUSTIVE)
    target_compile_definitions(${name} PRIVATE MCT_EXHAUSTIVE=1)
    mct_exhaustive_test(${name})
  endif()
endfunction()

function(mct_add_test_program name sources libraries)
  cmake_parse_arguments(PARSE_ARGV 3 arg "OPTIMIZED" "PCH" "OPTIONS")
  if(NOT arg_PCH)
    set(arg_PCH mct_test_pch)
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${libraries} mct_test_base)
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  if(arg_OPTIMIZED)  # the precompiled headers are for other options
    target_link_libraries(${name} PRIVATE mctensor_small)
    mct_compile_by_clang(${name})
  else()
    mct_do_not_optimize(${name})
    target_precompile_headers(${name} REUSE_FROM ${arg_PCH})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900)
endfunction()

# What every test is compiled with. Nothing is forced to be inlined: without an optimizer that only
# makes more code, and a test is of one instruction set.
add_library(mct_test_base INTERFACE)
target_compile_definitions(mct_test_base INTERFACE MCT_ALWAYS_INLINE=
  $<$<STREQUAL:${MCT_SANITIZE},address>:MCT_ADDRESS_SANITIZER=1>)
target_link_libraries(mct_test_base INTERFACE mctensor::core mctensor_private mct_xsimd mct_eigen
                                              MPFR::MPFR fmt::fmt GTest::gtest_main)
# Hundreds of programs, with examples and fuzz targets: the quicker linker of GNU binutils, where it is installed.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold MCT_HAVE_GOLD)
if(MCT_HAVE_GOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options($<$<LINK_LANGUAGE:C,CXX>:-fuse-ld=gold>)
endif()

# What ./run test --exhaustive builds and runs.
add_custom_target(exhaustive_tests)
function(mct_exhaustive_test name)
  set_tests_properties(${name} PROPERTIES LABELS exhaustive)
  add_dependencies(exhaustive_tests ${name})
endfunction()

# The headers that nearly all include, read once for each set of compiler options.
function(mct_add_test_pch name)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" CONTENT "")
  add_library(${name} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  target_link_libraries(${name} PRIVATE mct_test_base)
  target_compile_options(${name} PRIVATE ${ARGN})
  mct_do_not_optimize(${name})
  target_precompile_headers(${name} PRIVATE "${mct_integers_as_text}" <gtest/gtest.h> <mpfr.h>
                            <mctensor/mctensor.hpp>)
endfunction()
mct_add_test_pch(mct_test_pch)
if(MCT_OTHER_VARIANT)
  mct_add_test_pch(mct_test_pch_${MCT_OTHER_VARIANT} ${MCT_OTHER_VARIANT_OPTIONS})
endif()
# A GPU has fma, and the library's kernels where this machine has it: bits are equal with it alone. So
# tests of what a GPU computes have these options and these precompiled headers.
set(mct_gpu_test_options "")
set(mct_gpu_test_pch mct_test_pch)
if(MCT_CAN_RUN_FMA)
  set(mct_gpu_test_options -mavx2 -mfma)
  set(mct_gpu_test_pch mct_test_pch_fma)
  if(NOT TARGET mct_test_pch_fma)
    mct_add_test_pch(mct_test_pch_fma ${mct_gpu_test_options})
  endif()
endif()

# mct_matches_any(result text [regex...]): ON in `result` if one of them matches.
function(mct_matches_any result text)
  set(${result} OFF PARENT_SCOPE)
  foreach(pattern IN LISTS ARGN)
    if(text MATCHES "${pattern}")
      set(${result} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# mct_group_of(result stem [name=regex...]): the first name whose regex matches, or nothing.
function(mct_group_of result stem)
  set(${result} "" PARENT_SCOPE)
  foreach(group IN LISTS ARGN)
    string(REGEX MATCH "^([a-z0-9_]+)=(.+)$" matched "${group}")
    set(name "${CMAKE_MATCH_1}")
    if(stem MATCHES "${CMAKE_MATCH_2}")
      set(${result} "${name}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# mct_joined_source(result name file...): a source that includes all files.
function(mct_joined_source result name)
  set(text "")
  foreach(file IN LISTS ARGN)
    string(APPEND text "#include \"${file}\"\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "${text}" @ONLY)
  set(${result} "${source}" PARENT_SCOPE)
endfunction()

# mct_add_folder_tests([LIBRARIES target...] [PCH name] [PLAIN regex...] [OPTIMIZED regex...] [SAMPLED regex...]
#                      [EXHAUSTIVE regex...] [SLOW regex...] [ELSEWHERE regex...] [TOGETHER name=regex...])
#
# A test <folder>_<name>_test for every <name>_test.cpp of the current folder, in both variants but
# for the files that match a regex after PLAIN: those do not depend on two_prod's body. Those after
# OPTIMIZED and SAMPLED, and PCH, are what mct_add_test calls so. Those after ELSEWHERE are left out, where
# another folder has them. Files that match a regex after EXHAUSTIVE are left out unless MCT_EXHAUSTIVE
# is on, those after SLOW where MCT_QUICK is: they take long to compile.
# With MCT_TOGETHER those that match a regex after TOGETHER are compiled as one, into the test
# <folder>_<name>_tests: they instantiate the same, so that their names must differ.
function(mct_add_folder_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "PCH"
                        "LIBRARIES;PLAIN;OPTIMIZED;SAMPLED;EXHAUSTIVE;SLOW;ELSEWHERE;TOGETHER")
  get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp")
  set(groups "")
  foreach(file IN LISTS files)
    get_filename_component(stem "${file}" NAME_WE)
    mct_matches_any(plain "${stem}" ${arg_PLAIN})
    set(variant FMA_VARIANT)
    if(plain)
      set(variant "")
    endif()
    foreach(kind IN ITEMS OPTIMIZED SAMPLED)
      mct_matches_any(matches "${stem}" ${arg_${kind}})
      if(matches)
        list(APPEND variant ${kind})
      endif()
    endforeach()
    mct_matches_any(exhaustive "${stem}" ${arg_EXHAUSTIVE})
    mct_matches_any(slow "${stem}" ${arg_SLOW})
    mct_matches_any(elsewhere "${stem}" ${arg_ELSEWHERE})
    if((exhaustive AND NOT MCT_EXHAUSTIVE) OR (slow AND MCT_QUICK) OR elsewhere)
      continue()
    endif()
    mct_group_of(group "${stem}" ${arg_TOGETHER})
    if(group AND MCT_TOGETHER)
      list(APPEND groups ${group})
      list(APPEND files_of_${group} "${file}")
      list(REMOVE_ITEM variant SAMPLED)  # of exhaustive builds, where each file is a program
      if(DEFINED variant_of_${group} AND NOT "${variant_of_${group}}" STREQUAL "${variant}")
        message(FATAL_ERROR "${folder}: ${stem} is compiled differently from others of ${group}")
      endif()
      set(variant_of_${group} "${variant}")
      continue()
    endif()
    mct_add_test(${folder}_${stem} SOURCES "${file}" LIBRARIES ${arg_LIBRARIES} PCH ${arg_PCH} ${variant})
    if(exhaustive)
      mct_exhaustive_test(${folder}_${stem})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    mct_joined_source(source ${folder}_${group}_tests ${files_of_${group}})
    mct_add_test(${folder}_${group}_tests SOURCES "${source}" LIBRARIES ${arg_LIBRARIES} PCH ${arg_PCH}
                 ${variant_of_${group}})
  endforeach()
endfunction()

# mct_add_kernel_tests([LIBRARIES target...] [TOGETHER name=regex...] [ONCE filter])
#
# A test <folder>_<name>_test for every <name>_test.cpp of the current folder, and one more for each
# instruction set that this machine has, chosen by MCT_ISA: <folder>_<name>_test_<isa>. TOGETHER as
# of mct_add_folder_tests. ONCE names the tests, as GoogleTest's filter does, that the others leave out.
function(mct_add_kernel_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "ONCE" "LIBRARIES;TOGETHER")
  get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp")
  set(groups "")
  set(names "")
  foreach(file IN LISTS files)
    get_filename_component(stem "${file}" NAME_WE)
    mct_group_of(group "${stem}" ${arg_TOGETHER})
    if(group AND MCT_TOGETHER)
      list(APPEND groups ${group})
      list(APPEND files_of_${group} "${file}")
      continue()
    endif()
    mct_add_test_program(${folder}_${stem} "${file}" "${arg_LIBRARIES}")
    list(APPEND names ${folder}_${stem})
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    mct_joined_source(source ${folder}_${group}_tests ${files_of_${group}})
    mct_add_test_program(${folder}_${group}_tests "${source}" "${arg_LIBRARIES}")
    list(APPEND names ${folder}_${group}_tests)
  endforeach()
  foreach(name IN LISTS names)
    foreach(isa IN LISTS MCT_TESTED_ISAS)
      add_test(NAME ${name}_${isa} COMMAND ${name})
      set_tests_properties(${name}_${isa} PROPERTIES TIMEOUT 900
                           ENVIRONMENT "MCT_ISA=${isa};GTEST_FILTER=*-${arg_ONCE}")
    endforeach()
  endforeach()
endfunction()
