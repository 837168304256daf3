# The mutation tester: its own tests, and its command line.
add_test(NAME mutation_tester COMMAND Python3::Interpreter -B
         "${PROJECT_SOURCE_DIR}/tools/mutate/mutate_test.py")
set_tests_properties(mutation_tester PROPERTIES TIMEOUT 900)
mct_add_exit_test(run_mutate_help EXIT 0 OUTPUT "--seed" COMMAND "${PROJECT_SOURCE_DIR}/run" mutate
                  --help)
mct_add_exit_test(run_mutate_no_count EXIT 2 OUTPUT "--count"
                  COMMAND "${PROJECT_SOURCE_DIR}/run" mutate --count 0)
mct_add_exit_test(run_mutate_unknown_layer EXIT 2 OUTPUT "nonsense"
                  COMMAND "${PROJECT_SOURCE_DIR}/run" mutate --only nonsense)
