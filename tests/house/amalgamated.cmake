# The core as one header (tools/package/amalgamate.py): made, then compiled by g++ and by clang++ in a folder that
# has nothing else, with warnings as errors, and the program is run.
set(core "${CMAKE_CURRENT_BINARY_DIR}/amalgamated")
add_test(NAME amalgamate COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tools/package/amalgamate.py"
         "${PROJECT_SOURCE_DIR}" "${core}/mctensor_core.hpp")
set_tests_properties(amalgamate PROPERTIES FIXTURES_SETUP amalgamated)
find_program(MCT_GXX g++)
find_program(MCT_CLANGXX NAMES clang++ clang++-14)
mark_as_advanced(MCT_GXX MCT_CLANGXX)
foreach(compiler IN ITEMS GXX CLANGXX)
  if(NOT MCT_${compiler})
    message(STATUS "${compiler} not found: it does not compile the core in one file")
    continue()
  endif()
  string(TOLOWER ${compiler} name)
  add_test(NAME amalgamated_${name}
           COMMAND "${CMAKE_COMMAND}" "-DCXX=${MCT_${compiler}}" "-DDIR=${core}"
                   "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/amalgamated.cpp" "-DPROGRAM=${core}/${name}"
                   -P "${CMAKE_CURRENT_SOURCE_DIR}/amalgamated_compile.cmake")
  set_tests_properties(amalgamated_${name} PROPERTIES FIXTURES_REQUIRED amalgamated)
endforeach()
mct_add_exit_test(amalgamate_no_project EXIT 1 OUTPUT "config.hpp. does not exist"
                  COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/tools/package/amalgamate.py"
                          /nonexistent "${core}/nothing.hpp")
