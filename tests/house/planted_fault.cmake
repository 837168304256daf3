# The suite built against a broken two_sum must fail and print how to repeat a case. Only the cases
# of double, and what asks for them, are compiled again: the library that holds the good ones may be shared and keep to
# its own.
add_executable(mct_planted_fault "${PROJECT_SOURCE_DIR}/validation/core/suite.cpp"
                                 "${PROJECT_SOURCE_DIR}/validation/core/tasks_double.cpp")
target_include_directories(mct_planted_fault BEFORE PRIVATE
                           "${CMAKE_CURRENT_SOURCE_DIR}/planted_fault/include")
target_link_libraries(mct_planted_fault PRIVATE mct_suite_cli mctensor_private mctensor_native)
mct_optimize_program(mct_planted_fault)
set_target_properties(mct_planted_fault PROPERTIES
                      RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")

mct_add_exit_test(planted_fault EXIT 1 OUTPUT "mct validate --replay '"
                  COMMAND $<TARGET_FILE:mct_planted_fault> validate --quick --no-peers --filter "^f64x[234] "
                          --cases 1e5)
set_tests_properties(planted_fault PROPERTIES PROCESSORS 2 TIMEOUT 900)
