# Compiles SOURCE by one call of the compiler CXX against the tree installed at PREFIX, with what
# PKG_CONFIG with PKG_CONFIG_OPTIONS tells and then FLAGS, which may overrule it. Runs the program and
# checks that it ends with the code EXIT.
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(libdir "${PREFIX}/${LIBDIR}")
set(ENV{PKG_CONFIG_PATH} "${libdir}/pkgconfig")
execute_process(COMMAND "${PKG_CONFIG}" ${PKG_CONFIG_OPTIONS} --cflags --libs mctensor
                OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(uses UNIX_COMMAND "${answer}")
execute_process(COMMAND "${CXX}" "${SOURCE}" ${uses} ${flags} "-Wl,-rpath,${libdir}" -o "${PROGRAM}"
                COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE code)
if(NOT "${code}" STREQUAL "${EXIT}")
  message(FATAL_ERROR "${PROGRAM}: exit code ${code}, expected ${EXIT}")
endif()
