# Projects that have the sources within them. The library is configured, not built: that would take as long
# as building it here. What is compiled and run is a program of the headers.
set(source_consumer "${CMAKE_CURRENT_SOURCE_DIR}/source_consumer")
foreach(way IN ITEMS add_subdirectory FetchContent)
  set(by_fetch OFF)
  if(way STREQUAL "FetchContent")
    set(by_fetch ON)
  endif()
  add_test(NAME source_consumer_${way} COMMAND "${CMAKE_CTEST_COMMAND}"
           --build-and-test "${source_consumer}" "${CMAKE_CURRENT_BINARY_DIR}/source_consumer/${way}"
           --build-generator "${CMAKE_GENERATOR}" --build-target numbers
           --build-options "-DMCTENSOR_SOURCE=${PROJECT_SOURCE_DIR}" -DBY_FETCH_CONTENT=${by_fetch}
             "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" -DMCT_KERNELS=NATIVE -DMCT_CUDA=OFF
           --test-command numbers)
endforeach()
