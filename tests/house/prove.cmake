# The prover (./run prove): it proves sums of two limbs, exp and log, and does not prove networks and functions with a
# fault. z3 belongs to Debian's Python. Without gappa, functions are skipped.
add_test(NAME prove_tool COMMAND /usr/bin/python3 -B "${PROJECT_SOURCE_DIR}/tools/prove/prove_test.py"
                                 "${CMAKE_CXX_COMPILER}")
set_tests_properties(prove_tool PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900 COST 60)
mct_add_exit_test(run_prove_unknown_option EXIT 2 OUTPUT "--nonsense" COMMAND "${PROJECT_SOURCE_DIR}/run" prove --nonsense)
