# The generated tables of the elementary functions are what their generator writes.
set(tables "${PROJECT_BINARY_DIR}/tables")
add_test(NAME generated_tables COMMAND "${CMAKE_COMMAND}"
         "-DGENERATOR=$<TARGET_FILE:mct_constants>" "-DFRESH=${tables}"
         "-DKEPT=${PROJECT_SOURCE_DIR}/include/mctensor/math/tables"
         -P "${CMAKE_CURRENT_SOURCE_DIR}/compare_tables.cmake")
