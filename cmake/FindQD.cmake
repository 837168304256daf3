# QD, double-double and quad-double numbers. Defines QD::QD.
find_path(QD_INCLUDE_DIR qd/qd_real.h)
find_library(QD_LIBRARY qd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(QD REQUIRED_VARS QD_LIBRARY QD_INCLUDE_DIR)
if(QD_FOUND AND NOT TARGET QD::QD)
  add_library(QD::QD UNKNOWN IMPORTED)
  set_target_properties(QD::QD PROPERTIES
    IMPORTED_LOCATION "${QD_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${QD_INCLUDE_DIR}")
endif()
mark_as_advanced(QD_INCLUDE_DIR QD_LIBRARY)
