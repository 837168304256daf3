# Compiler options that break the transforms are refused by the headers themselves.
foreach(option IN ITEMS -ffast-math -Ofast)
  mct_add_exit_test(refused${option} EXIT 1 OUTPUT "error: .*MCTensor: "
    COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 ${option} -fsyntax-only
            -I "${PROJECT_SOURCE_DIR}/include" -x c++
            "${PROJECT_SOURCE_DIR}/include/mctensor/eft/two_sum.hpp")
endforeach()
mct_add_exit_test(refused-std=c++17 EXIT 1 OUTPUT "error: .*MCTensor needs C..20"
  COMMAND "${CMAKE_CXX_COMPILER}" -std=c++17 -fsyntax-only -I "${PROJECT_SOURCE_DIR}/include"
          -x c++ "${PROJECT_SOURCE_DIR}/include/mctensor/eft/two_sum.hpp")
# The C interface is C99.
mct_add_exit_test(c_header EXIT 0
  COMMAND "${CMAKE_CXX_COMPILER}" -x c -std=c99 -pedantic-errors -Wall -Werror -fsyntax-only
          "${PROJECT_SOURCE_DIR}/include/mctensor/c_api.h")
