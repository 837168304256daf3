# Arb, ball arithmetic: a library of its own beside FLINT 2, part of FLINT from version 3 on.
# Defines Arb::Arb; the header is <arb.h> with either.
find_path(Arb_INCLUDE_DIR arb.h PATH_SUFFIXES flint)
find_library(Arb_FLINT_LIBRARY flint)
find_library(Arb_LIBRARY NAMES flint-arb arb)
if(NOT Arb_LIBRARY AND Arb_INCLUDE_DIR MATCHES "flint$")
  set(Arb_LIBRARY "${Arb_FLINT_LIBRARY}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arb REQUIRED_VARS Arb_LIBRARY Arb_FLINT_LIBRARY Arb_INCLUDE_DIR)
if(Arb_FOUND AND NOT TARGET Arb::Arb)
  add_library(Arb::Arb UNKNOWN IMPORTED)
  set_target_properties(Arb::Arb PROPERTIES
    IMPORTED_LOCATION "${Arb_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Arb_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${Arb_FLINT_LIBRARY}")
endif()
mark_as_advanced(Arb_INCLUDE_DIR Arb_LIBRARY Arb_FLINT_LIBRARY)
