# Programs for other instruction sets than the library's must link: what is compiled once must not bear
# the name of one.
if(NOT MCT_SANITIZE AND CMAKE_NM)
  add_test(NAME compiled_functions
           COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/compiled_functions.py"
                   "${PROJECT_SOURCE_DIR}/include" "${CMAKE_NM}" $<TARGET_FILE:mctensor>)
endif()
include(CheckCXXCompilerFlag)
set(sets x86-64-v2 x86-64-v3 x86-64-v4)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)")
  set(sets native)
endif()
foreach(set IN LISTS sets)
  string(MAKE_C_IDENTIFIER "${set}" name)
  check_cxx_compiler_flag(-march=${set} MCT_HAS_MARCH_${name})
  if(MCT_HAS_MARCH_${name})
    add_executable(links_${name} EXCLUDE_FROM_ALL
                   "${CMAKE_CURRENT_SOURCE_DIR}/instruction_sets/main.cpp")
    target_compile_options(links_${name} PRIVATE -O0 -march=${set})
    target_link_libraries(links_${name} PRIVATE mctensor::mctensor)
    add_test(NAME links_${name} COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}"
                                        --target links_${name})
    set_tests_properties(links_${name} PROPERTIES RESOURCE_LOCK build_folder TIMEOUT 600)
  endif()
endforeach()
