# Compiler options that break the transforms are refused by the headers themselves, also those that
# -ffast-math is made of (clang 14 tells only of the first three).
set(refused_options -ffast-math -Ofast -ffinite-math-only)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND refused_options -funsafe-math-optimizations -freciprocal-math -fno-signed-zeros
       "-fassociative-math -fno-signed-zeros -fno-trapping-math")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)")
    list(APPEND refused_options -mfpmath=387)
  endif()
endif()
foreach(options IN LISTS refused_options)
  string(REPLACE " " "" name "${options}")
  string(REPLACE " " ";" options "${options}")
  mct_add_exit_test(refused${name} EXIT 1 OUTPUT "error: .*MCTensor: "
    COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 ${options} -fsyntax-only
            -I "${PROJECT_SOURCE_DIR}/include" -x c++
            "${PROJECT_SOURCE_DIR}/include/mctensor/eft/two_sum.hpp")
endforeach()
# ... and those that break nothing, which the kernels are compiled with, are not.
mct_add_exit_test(accepted-fno-trapping-math-fno-math-errno EXIT 0
  COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -fno-trapping-math -fno-math-errno -fsyntax-only
          -I "${PROJECT_SOURCE_DIR}/include" -x c++
          "${PROJECT_SOURCE_DIR}/include/mctensor/eft/two_sum.hpp")
mct_add_exit_test(refused-std=c++17 EXIT 1 OUTPUT "error: .*MCTensor needs C..20"
  COMMAND "${CMAKE_CXX_COMPILER}" -std=c++17 -fsyntax-only -I "${PROJECT_SOURCE_DIR}/include"
          -x c++ "${PROJECT_SOURCE_DIR}/include/mctensor/eft/two_sum.hpp")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)")
  mct_add_exit_test(refused-m32 EXIT 1 OUTPUT "error: .*MCTensor: this compiler makes 32-bit programs"
    COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -m32 -fsyntax-only -x c++
            "${PROJECT_SOURCE_DIR}/include/mctensor/config.hpp")
endif()
# The C interface is C99.
mct_add_exit_test(c_header EXIT 0
  COMMAND "${CMAKE_CXX_COMPILER}" -x c -std=c99 -pedantic-errors -Wall -Werror -fsyntax-only
          -I "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/include/mctensor/c_api.h")

# What the library asks of a compiler's options is enough: see the source.
add_executable(rounded_neighbours rounded_neighbours.cpp)
target_link_libraries(rounded_neighbours PRIVATE mctensor::core)
target_compile_options(rounded_neighbours PRIVATE -O2)
add_test(NAME rounded_neighbours COMMAND rounded_neighbours)
