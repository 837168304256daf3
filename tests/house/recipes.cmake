# The vcpkg port, the Conan recipe and CITATION.cff, as far as that goes without a network.
add_test(NAME recipes COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/recipes.py"
         "${PROJECT_SOURCE_DIR}")
