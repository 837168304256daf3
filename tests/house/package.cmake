# The Debian package: what cpack makes of the installed tree, unpacked into a folder of its own. A project
# that uses it is built, and the program, its man pages and completions are looked at. (./run package --check installs it
# in a bare tree.)
add_test(NAME bare_tree_tool COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tools/package/bare_tree_test.py")
find_program(MCT_DPKG_DEB dpkg-deb)
if(NOT MCT_DPKG_DEB)
  message(STATUS "dpkg-deb not found: the Debian package is not tested")
  return()
endif()
set(unpacked "${work}/package/tree")
add_test(NAME package_make
         COMMAND "${CMAKE_COMMAND}" "-DCPACK=${CMAKE_CPACK_COMMAND}" "-DCONFIG=${PROJECT_BINARY_DIR}/CPackConfig.cmake"
                 "-DPREFIX=${prefix}" "-DDPKG_DEB=${MCT_DPKG_DEB}" "-DDIR=${work}/package"
                 -P "${CMAKE_CURRENT_SOURCE_DIR}/package_make.cmake")
set_tests_properties(package_make PROPERTIES FIXTURES_REQUIRED installed_tree FIXTURES_SETUP package_tree)
add_test(NAME package_consumer COMMAND "${CMAKE_CTEST_COMMAND}"
         --build-and-test "${consumer}" "${work}/package/consumer" --build-generator "${CMAKE_GENERATOR}"
         --build-options "-DCMAKE_PREFIX_PATH=${unpacked}/usr" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
           "-DCMAKE_CXX_FLAGS=-O0"
         --test-command consumer)
set_tests_properties(package_consumer PROPERTIES FIXTURES_REQUIRED package_tree)
if(TARGET mct_pages)
  add_test(NAME package_content
           COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/package_content.py"
                   "${unpacked}" "${PROJECT_VERSION}")
  set_tests_properties(package_content PROPERTIES FIXTURES_REQUIRED package_tree)
  add_test(NAME command_help_tool COMMAND Python3::Interpreter -B
           "${PROJECT_SOURCE_DIR}/tools/command_line/command_help_test.py")
endif()
