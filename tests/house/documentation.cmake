# The documentation says nothing that does not work: its links lead somewhere, its drawings are what their program
# draws, and its code blocks are compiled and run (tools/docs/). Every public function that calculates states bound,
# domain and source; tables of times are what the stored results say. The site itself is made by ./run docs alone.
set(docs_tools "${PROJECT_SOURCE_DIR}/tools/docs")
add_test(NAME docs_tools COMMAND Python3::Interpreter -B "${docs_tools}/docs_tools_test.py")
add_test(NAME docs_links COMMAND Python3::Interpreter -B "${docs_tools}/check_links.py")
add_test(NAME docs_drawings COMMAND Python3::Interpreter -B "${docs_tools}/drawings.py" --check
                                    "${PROJECT_SOURCE_DIR}/docs/drawings")
add_test(NAME docs_functions COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/validation/functions_page.py"
                                     --check "${PROJECT_SOURCE_DIR}/docs/functions.md")
add_test(NAME docs_performance COMMAND Python3::Interpreter -B "${docs_tools}/performance.py" --check)
add_test(NAME docs_performance_checker COMMAND Python3::Interpreter -B "${docs_tools}/performance_test.py")
add_test(NAME docs_gpu_results_checker COMMAND Python3::Interpreter -B "${docs_tools}/store_gpu_results_test.py")
find_program(MCT_DOXYGEN doxygen)
if(MCT_DOXYGEN)
  add_test(NAME docs_statements_checker COMMAND Python3::Interpreter -B "${docs_tools}/statements_test.py")
  add_test(NAME docs_reference COMMAND Python3::Interpreter -B "${docs_tools}/reference_test.py")
else()
  mct_missing(MCT_DOXYGEN doxygen doxygen "stated bounds and the reference are not checked")
endif()

if(TARGET mct)
  # with the package where this build made it, and PyTorch where it is when the test runs
  set(docs_python "${Python3_EXECUTABLE}")
  if(MCT_BUILD_PYTHON)
    set(docs_python "${Python_EXECUTABLE}")
  endif()
  add_test(NAME docs_pages COMMAND sh -c "python='${MCT_TORCH_PYTHON}'; [ -x \"$python\" ] || python='${docs_python}'; \
exec \"$python\" -B '${docs_tools}/page_blocks.py' $<TARGET_FILE:mct>")
  # and what the tests of Python have kept of its compiled files
  set_tests_properties(docs_pages PROPERTIES ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python;MCT_WARNINGS=0;\
OMP_NUM_THREADS=2;OMP_WAIT_POLICY=passive;PYTHONPYCACHEPREFIX=${PROJECT_BINARY_DIR}/python/compiled")
endif()

if(NOT MCT_WITH_EIGEN)
  message(STATUS "skipped: without Eigen the code blocks of the documentation are not compiled")
  return()
endif()

# Written when CMake runs, and again when a page changes: programs of their own are known by then.
set(docs_blocks "${CMAKE_CURRENT_BINARY_DIR}/documentation")
file(GLOB docs_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${docs_pages} "${PROJECT_SOURCE_DIR}/README.md"
             "${docs_tools}/cpp_blocks.py" "${docs_tools}/code_blocks.py")
file(REMOVE_RECURSE "${docs_blocks}/run")
file(MAKE_DIRECTORY "${docs_blocks}/run")
execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${docs_tools}/cpp_blocks.py" "${docs_blocks}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# Blocks show results, not uses of them: warnings about unused variables say nothing here.
add_library(docs_compiled OBJECT "${docs_blocks}/compiled.cpp")
add_executable(docs_blocks "${docs_blocks}/blocks.cpp")
add_executable(docs_boost "${docs_blocks}/boost.cpp")
foreach(target IN ITEMS docs_compiled docs_blocks docs_boost)
  target_link_libraries(${target} PRIVATE mctensor::mctensor mct_test_base)
  target_compile_options(${target} PRIVATE -w)
  mct_do_not_optimize(${target})
  target_precompile_headers(${target} REUSE_FROM mct_test_pch)
endforeach()
mct_with_own_compiler(docs_boost)
foreach(target IN ITEMS docs_blocks docs_boost)
  add_test(NAME ${target} COMMAND ${target} WORKING_DIRECTORY "${docs_blocks}/run")
endforeach()

# With the headers that a page names: in the programs above pages have those of the others, too.
file(GLOB docs_alone "${docs_blocks}/page_*.cpp")
add_library(docs_alone OBJECT EXCLUDE_FROM_ALL ${docs_alone})
target_link_libraries(docs_alone PRIVATE mctensor::mctensor mctensor_private fmt::fmt MPFR::MPFR mct_eigen mct_peers)
target_compile_options(docs_alone PRIVATE -w -O0 -fsyntax-only)
mct_add_compile_test(docs_alone 3)

file(GLOB docs_programs "${docs_blocks}/program_*.c" "${docs_blocks}/program_*.cpp")
foreach(file IN LISTS docs_programs)
  get_filename_component(name "${file}" NAME_WE)
  string(REPLACE "program_" "docs_" name "${name}")
  add_executable(${name} "${file}")
  target_link_libraries(${name} PRIVATE mctensor::mctensor m)
  target_compile_options(${name} PRIVATE -O0)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${docs_blocks}/run")
endforeach()
