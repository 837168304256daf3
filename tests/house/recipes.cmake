# What tools/portability/portability.py says (the combinations themselves take long: ./run portability).
add_test(NAME portability_tool COMMAND Python3::Interpreter -B
         "${PROJECT_SOURCE_DIR}/tools/portability/portability_test.py")
# The vcpkg port, the Conan recipe and CITATION.cff, as far as that goes without a network.
add_test(NAME recipes COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/recipes.py"
         "${PROJECT_SOURCE_DIR}")
# The vcpkg port run, with and without its features, by functions in the place of vcpkg's.
foreach(features IN ITEMS "" "zlib")
  string(REPLACE ";" "_" name "portfile_${features}")
  string(REGEX REPLACE "_$" "" name "${name}")
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DFEATURES=${features}"
           "-DDIR=${CMAKE_CURRENT_BINARY_DIR}/${name}" "-DCXX=${CMAKE_CXX_COMPILER}"
           -P "${CMAKE_CURRENT_SOURCE_DIR}/portfile.cmake")
endforeach()
