# Runs the generator into FRESH and compares every file with the one in KEPT.
file(REMOVE_RECURSE "${FRESH}")
execute_process(COMMAND "${GENERATOR}" "${FRESH}" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB fresh RELATIVE "${FRESH}" "${FRESH}/*")
file(GLOB kept RELATIVE "${KEPT}" "${KEPT}/*")
if(NOT fresh STREQUAL kept)
  message(FATAL_ERROR "the generator writes '${fresh}', the sources have '${kept}'")
endif()
foreach(name IN LISTS fresh)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${FRESH}/${name}" "${KEPT}/${name}"
                  RESULT_VARIABLE differs)
  if(differs)
    message(FATAL_ERROR "${KEPT}/${name} is not what the generator writes: run "
                        "'mct_constants include/mctensor/math/tables'")
  endif()
endforeach()
