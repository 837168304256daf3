# The workflows of .github and the settings of cibuildwheel, as far as that goes without a network. PyYAML is that of
# Debian's Python.
foreach(test IN ITEMS "workflows;workflows.py;${PROJECT_SOURCE_DIR}" "workflows_checker;workflows_test.py")
  list(POP_FRONT test name file)
  add_test(NAME ${name} COMMAND /usr/bin/python3 -B "${CMAKE_CURRENT_SOURCE_DIR}/${file}" ${test})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
# What makes and tries wheels: without building one.
foreach(tool IN ITEMS wheel_check headers)
  add_test(NAME ${tool}_tool COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tools/package/${tool}_test.py")
endforeach()
mct_add_exit_test(run_wheel_unknown_option EXIT 2 OUTPUT "--nonsense" COMMAND "${PROJECT_SOURCE_DIR}/run" wheel --nonsense)
mct_add_exit_test(run_wheel_no_python EXIT 2 OUTPUT "no interpreter 'nonsense'"
                  COMMAND "${PROJECT_SOURCE_DIR}/run" wheel --python nonsense)
