# Installs headers, library, program, the CMake package MCTensor and the pkg-config file.
include(CMakePackageConfigHelpers)

set(MCT_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/MCTensor")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/mctensor" DESTINATION
        "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
set(installed_libraries mctensor_core mctensor mctensor_devices)
if(TARGET mctensor_cuda)  # the suite alone is built without
  list(APPEND installed_libraries mctensor_cuda)
endif()
install(TARGETS ${installed_libraries} EXPORT MCTensorTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(MCT_WITH_MPI)
  install(TARGETS mctensor_mpi EXPORT MCTensorTargets
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
if(TARGET mct)
  file(RELATIVE_PATH bin_to_lib "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(mct PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS mct RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/data/" DESTINATION "${CMAKE_INSTALL_DATADIR}/mctensor")
  include(MCTensorPages)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION
        "${CMAKE_INSTALL_DATADIR}/doc/mctensor" RENAME copyright)
install(EXPORT MCTensorTargets NAMESPACE mctensor:: DESTINATION "${MCT_CMAKE_DIR}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/MCTensorConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/MCTensorConfig.cmake"
                              INSTALL_DESTINATION "${MCT_CMAKE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/MCTensorConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/MCTensorConfig.cmake"
              "${PROJECT_BINARY_DIR}/MCTensorConfigVersion.cmake"
        DESTINATION "${MCT_CMAKE_DIR}")

# The prefix is written relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH MCT_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" MCT_PC_TO_PREFIX "${MCT_PC_TO_PREFIX}")
# What a static library leaves open: `pkg-config --static` tells it. The C++ runtime, which a compiler
# of C does not add, is what the compiler of C++ adds. Where there is only a static library C++
# programs link without --static.
set(MCT_PC_LIBS "")
get_target_property(library_type mctensor TYPE)
set(runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_DUPLICATES runtime)
list(REMOVE_ITEM runtime ${CMAKE_C_IMPLICIT_LINK_LIBRARIES} m)
list(TRANSFORM runtime PREPEND "-l")
list(JOIN runtime " " runtime)
set(MCT_PC_PRIVATE_LIBS "-pthread ${runtime} -lm")
if(library_type STREQUAL "STATIC_LIBRARY")
  set(MCT_PC_LIBS "-pthread")
endif()
if(MCT_WITH_ZLIB)
  string(PREPEND MCT_PC_PRIVATE_LIBS "-lz ")
  if(library_type STREQUAL "STATIC_LIBRARY")
    string(APPEND MCT_PC_LIBS " -lz")
  endif()
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/mctensor.pc.in" "${PROJECT_BINARY_DIR}/mctensor.pc"
               @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/mctensor.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
