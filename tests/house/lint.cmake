# Formatting and clang-tidy. The rules are those of clang-format 14 and clang-tidy 14 (Debian 12);
# other versions format a few constructs differently and know other checks.
find_program(MCT_CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(MCT_CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
foreach(tool IN ITEMS MCT_CLANG_FORMAT MCT_CLANG_TIDY)
  if(NOT ${tool})
    mct_missing(${tool} "${tool}" "clang-format clang-tidy" "formatting or lint is not checked")
  endif()
endforeach()

if(MCT_CLANG_FORMAT)
  add_test(NAME format COMMAND "${PROJECT_SOURCE_DIR}/run" format --check)
endif()

# What has changed since clang-tidy last passed (tools/lint.py). clang looks for quadmath.h, which
# belongs to g++, after its own headers, and knows not all of its options (kernels.cmake).
# What is compiled as one is read source by source (tools/joined_sources.py).
foreach(tool IN ITEMS lint joined_sources)
  add_test(NAME ${tool}_tool COMMAND Python3::Interpreter -B
           "${PROJECT_SOURCE_DIR}/tools/${tool}_test.py")
endforeach()
if(MCT_CLANG_TIDY)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=include
                  OUTPUT_VARIABLE compiler_headers OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(lint_command Python3::Interpreter "${PROJECT_SOURCE_DIR}/tools/lint.py"
      --tidy "${MCT_CLANG_TIDY}" "--extra-arg=-idirafter${compiler_headers}"
      --extra-arg=-Wno-ignored-optimization-argument
      --database "${PROJECT_BINARY_DIR}/lint_commands.json")
  set(database_command "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/tools/joined_sources.py"
      "${PROJECT_BINARY_DIR}/compile_commands.json" "${PROJECT_BINARY_DIR}/lint_commands.json")
  add_test(NAME lint_database COMMAND ${database_command})
  set_tests_properties(lint_database PROPERTIES FIXTURES_SETUP lint_database)
  add_test(NAME clang_tidy COMMAND ${lint_command})
  set_tests_properties(clang_tidy PROPERTIES PROCESSORS 2 TIMEOUT 1800
                                             FIXTURES_REQUIRED lint_database)
  # ./run lint [--all]: the same and what mct_add_compile_test adds, and what passes is noted
  string(REPLACE "Python3::Interpreter" "${Python3_EXECUTABLE}" lint_command "${lint_command}")
  set(compile_command "${Python3_EXECUTABLE}" -B ${compile_command} --stamp ${compile_tests})
  add_custom_target(lint COMMAND ${database_command}
                         COMMAND ${lint_command} --stamp COMMAND ${compile_command} USES_TERMINAL)
  add_custom_target(lint_all COMMAND ${database_command} COMMAND ${lint_command} --stamp --all
                             COMMAND ${compile_command} --all USES_TERMINAL)
endif()
