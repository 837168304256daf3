# cmake -DCOMPILER=<c++> -DINCLUDE=<dir> -DPROGRAM=<file> -P bad_programs.cmake
# What cannot work is refused with one error that says so, not with a list of candidates.
foreach(wrong RANGE 7)
  execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only -I "${INCLUDE}" -DWRONG=${wrong}
                          "${PROGRAM}"
                  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX MATCHALL "error: [^\n]*" errors "${text}")
  list(LENGTH errors count)
  if(wrong EQUAL 0)
    if(NOT code EQUAL 0)
      message(FATAL_ERROR "the program without a mistake: ${text}")
    endif()
  elseif(NOT count EQUAL 1 OR NOT "${errors}" MATCHES "deleted|not supported")
    message(FATAL_ERROR "program ${wrong}: ${count} errors\n${text}")
  endif()
endforeach()
