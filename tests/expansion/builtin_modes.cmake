# cmake -DCOMPILER=<c++> -DINCLUDE=<dir> -DPROGRAM=<file> -P builtin_modes.cmake
# Compiles the program as strict C++20 and with the compiler's extensions.
foreach(standard IN ITEMS c++20 gnu++20)
  execute_process(COMMAND "${COMPILER}" -std=${standard} -fsyntax-only -I "${INCLUDE}" "${PROGRAM}"
                  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "-std=${standard}: ${text}")
  endif()
endforeach()
