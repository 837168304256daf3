# No function of an AVX2 or AVX-512 kernel may take the place of one that other code calls.
# Sanitizers keep functions of the standard library from being inlined.
set(wide_kernels "")
foreach(isa IN ITEMS avx2 avx512)
  if(TARGET mctensor_kernels_${isa})
    list(APPEND wide_kernels "$<TARGET_OBJECTS:mctensor_kernels_${isa}>")
  endif()
endforeach()
if(wide_kernels AND NOT MCT_SANITIZE AND CMAKE_NM)
  # all but the precompiled headers, which are listed with them
  set(objects "$<FILTER:${wide_kernels},EXCLUDE,[.]gch$>")
  add_test(NAME kernel_symbols
           COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/kernel_symbols.py"
                   "${CMAKE_NM}" "${objects}"
           COMMAND_EXPAND_LISTS)
  # the other objects of the library share functions freely: the check must see that
  set(others "$<FILTER:$<TARGET_OBJECTS:mctensor>,INCLUDE,/mctensor[.]dir/.*[.]o$>")
  add_test(NAME kernel_symbols_finds
           COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/kernel_symbols.py"
                   "${CMAKE_NM}" "${others}"
           COMMAND_EXPAND_LISTS)
  set_tests_properties(kernel_symbols_finds PROPERTIES PASS_REGULAR_EXPRESSION "could replace a function")
endif()
