# Man pages and completions of bash, zsh and fish, made from what the built program `mct` says in --help
# (tools/command_line). Without Python, with sanitizers, or where the program cannot
# be run there are none.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND OR CMAKE_CROSSCOMPILING OR MCT_SANITIZE)
  message(STATUS "no man pages and completions of mct: they need Python, and a program that runs here")
  return()
endif()
set(pages "${PROJECT_BINARY_DIR}/pages")
set(tools "${PROJECT_SOURCE_DIR}/tools/command_line")
add_custom_command(OUTPUT "${pages}/made"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${pages}"
  COMMAND Python3::Interpreter -B "${tools}/man_pages.py" $<TARGET_FILE:mct> "${pages}/man1"
  COMMAND Python3::Interpreter -B "${tools}/completions.py" $<TARGET_FILE:mct> "${pages}/completions"
  COMMAND "${CMAKE_COMMAND}" -E touch "${pages}/made"
  DEPENDS mct "${tools}/man_pages.py" "${tools}/completions.py" "${tools}/command_help.py"
  COMMENT "Man pages and completions of mct" VERBATIM)
add_custom_target(mct_pages ALL DEPENDS "${pages}/made")
install(DIRECTORY "${pages}/man1/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${pages}/completions/mct.bash" RENAME mct
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${pages}/completions/_mct" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${pages}/completions/mct.fish"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
