# The version stands in one place (include/mctensor/version.h); what else tells it, tells the same.
# `mct --version` is in command_line.cmake, mct_version() in tests/optim/c_api_test.cpp and consumer/,
# Python's __version__ in python/tests.
add_test(NAME version COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/version.py"
         "${PROJECT_SOURCE_DIR}" "${PROJECT_VERSION}")
mct_add_exit_test(version_notices_another EXIT 1 OUTPUT "CMake's project.*9.9.9"
                  COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/version.py"
                          "${PROJECT_SOURCE_DIR}" 9.9.9)
