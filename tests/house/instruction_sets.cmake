# Programs for other instruction sets than the library's must link: what is compiled once must not bear
# the name of one.
if(NOT MCT_SANITIZE AND CMAKE_NM)
  add_test(NAME compiled_functions
           COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/compiled_functions.py"
                   "${PROJECT_SOURCE_DIR}/include" "${CMAKE_NM}" $<TARGET_FILE:mctensor>)
endif()
# Of other levels ./run portability links programs. Nothing runs here.
include(CheckCXXCompilerFlag)
set(set native)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)")
  set(set x86-64-v4)
endif()
check_cxx_compiler_flag(-march=${set} MCT_HAS_MARCH_${set})
if(MCT_HAS_MARCH_${set})
  add_executable(links_other_set EXCLUDE_FROM_ALL "${CMAKE_CURRENT_SOURCE_DIR}/instruction_sets/main.cpp")
  target_compile_options(links_other_set PRIVATE -march=${set})
  mct_do_not_optimize(links_other_set)
  target_link_libraries(links_other_set PRIVATE mctensor::mctensor)
  add_test(NAME links_other_set COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target links_other_set)
  set_tests_properties(links_other_set PROPERTIES RESOURCE_LOCK build_folder TIMEOUT 600)
endif()
