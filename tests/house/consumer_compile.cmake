# Compiles SOURCE by one call of the compiler CXX with FLAGS, against the tree installed at PREFIX:
# with what PKG_CONFIG with PKG_CONFIG_OPTIONS tells or, if that is empty, with no more than include
# path and library. Runs the program and checks that it ends with the code EXIT.
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(libdir "${PREFIX}/${LIBDIR}")
if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} "${libdir}/pkgconfig")
  execute_process(COMMAND "${PKG_CONFIG}" ${PKG_CONFIG_OPTIONS} --cflags --libs mctensor
                  OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(uses UNIX_COMMAND "${answer}")
else()
  set(uses "-I${PREFIX}/include" "-L${libdir}" -lmctensor)
endif()
execute_process(COMMAND "${CXX}" ${flags} "${SOURCE}" ${uses} "-Wl,-rpath,${libdir}" -o "${PROGRAM}"
                COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE code)
if(NOT "${code}" STREQUAL "${EXIT}")
  message(FATAL_ERROR "${PROGRAM}: exit code ${code}, expected ${EXIT}")
endif()
