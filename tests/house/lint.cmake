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

# What a change concerns (tools/changed). clang looks for quadmath.h, which belongs to g++, after its own headers, and
# knows not all of its options (kernels.cmake).
if(MCT_CLANG_TIDY)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=include
                  OUTPUT_VARIABLE compiler_headers OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(lint_command ${changed_command} --tidy "${MCT_CLANG_TIDY}" "--extra-arg=-idirafter${compiler_headers}"
      --extra-arg=-Wno-ignored-optimization-argument)
  add_test(NAME clang_tidy COMMAND Python3::Interpreter -B ${lint_command} --limit 6 --once)
  set_tests_properties(clang_tidy PROPERTIES PROCESSORS 2 TIMEOUT 1800)
  # ./run lint [--all]: the same without limits, and what mct_add_compile_test adds
  foreach(target IN ITEMS lint lint_all)
    set(all "")
    if(target STREQUAL lint_all)
      set(all --all)
    endif()
    add_custom_target(${target} COMMAND Python3::Interpreter -B ${lint_command} ${all}
                                COMMAND Python3::Interpreter -B ${changed_command} ${all} ${compile_tests} USES_TERMINAL)
  endforeach()
endif()
