# cmake -DCOMPILER=<c++> -DINCLUDE=<dir> -P light_headers.cmake
# Fails if a header of eft, expansion or math that only calculates includes one of the standard
# headers that cost more than all of ours: every file of a program would pay for it.
foreach(header IN ITEMS expansion/expansion.hpp expansion/arithmetic.hpp math/all.hpp)
  execute_process(COMMAND "${COMPILER}" -std=c++20 -I "${INCLUDE}" -M -x c++
                          "${INCLUDE}/mctensor/${header}"
                  RESULT_VARIABLE code OUTPUT_VARIABLE files ERROR_VARIABLE messages)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${header}: ${messages}")
  endif()
  if("${files}" MATCHES "/(functional|algorithm|iostream|sstream|string|regex|locale)[ \n\\]")
    message(FATAL_ERROR "${header} includes <${CMAKE_MATCH_1}>")
  endif()
endforeach()
