# What tools/portability.py says (the combinations themselves take long: ./run portability).
add_test(NAME portability_tool COMMAND Python3::Interpreter -B
         "${PROJECT_SOURCE_DIR}/tools/portability_test.py")
# The vcpkg port, the Conan recipe and CITATION.cff, as far as that goes without a network.
add_test(NAME recipes COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/recipes.py"
         "${PROJECT_SOURCE_DIR}")
