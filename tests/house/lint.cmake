# Formatting and clang-tidy. The rules are those of clang-format 14 and clang-tidy 14 (Debian 12);
# other versions format a few constructs differently and know other checks.
find_program(MCT_CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(MCT_RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
foreach(tool IN ITEMS MCT_CLANG_FORMAT MCT_RUN_CLANG_TIDY)
  if(NOT ${tool})
    mct_missing(${tool} "${tool}" "clang-format clang-tidy" "formatting or lint is not checked")
  endif()
endforeach()

if(MCT_CLANG_FORMAT)
  add_test(NAME format COMMAND "${PROJECT_SOURCE_DIR}/run" format --check)
endif()

# Every header is read through one of these: the compiled code, the suite and the program. clang
# looks for quadmath.h, which belongs to g++, after its own headers.
if(MCT_RUN_CLANG_TIDY)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=include
                  OUTPUT_VARIABLE compiler_headers OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(tidy_directory "${CMAKE_CURRENT_BINARY_DIR}/tidy")
  add_test(NAME clang_tidy_commands
           COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/tidy_commands.py"
                   "${PROJECT_BINARY_DIR}/compile_commands.json" "${tidy_directory}")
  set_tests_properties(clang_tidy_commands PROPERTIES FIXTURES_SETUP tidy_commands)
  add_test(NAME clang_tidy COMMAND Python3::Interpreter "${MCT_RUN_CLANG_TIDY}" -quiet
           -p "${tidy_directory}" "-extra-arg=-idirafter${compiler_headers}"
           "^${PROJECT_SOURCE_DIR}/(apps|src|validation|examples)/")
  set_tests_properties(clang_tidy PROPERTIES PROCESSORS 2 TIMEOUT 1800
                       FIXTURES_REQUIRED tidy_commands)
endif()
