# The C interface is what tests/house/c_symbols.txt lists: no symbol more, and none less. Sanitizers
# add symbols of their own.
if(CMAKE_NM AND NOT MCT_SANITIZE)
  set(libraries "")
  foreach(target IN ITEMS mctensor mctensor_mpi mctensor_devices mctensor_cuda)
    if(TARGET ${target})
      list(APPEND libraries "$<TARGET_FILE:${target}>")
    endif()
  endforeach()
  add_test(NAME c_symbols
           COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/c_symbols.py" "${CMAKE_NM}"
                   "${PROJECT_SOURCE_DIR}" ${libraries})
endif()
add_test(NAME c_symbols_checker
         COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/c_symbols_test.py")
