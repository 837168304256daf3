# MCT_VERSION as include/mctensor/version.h says it, the one place where it stands. Included before
# project(), which is told it.
set(version_header "${CMAKE_CURRENT_LIST_DIR}/../include/mctensor/version.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${version_header}")
set(MCT_VERSION "")
foreach(part IN ITEMS MAJOR MINOR PATCH)
  file(STRINGS "${version_header}" line REGEX "^#define MCT_VERSION_${part} [0-9]+$")
  if(NOT line)
    message(FATAL_ERROR "${version_header}: no line '#define MCT_VERSION_${part} <number>'")
  endif()
  string(REGEX REPLACE ".* " "" number "${line}")
  list(APPEND MCT_VERSION "${number}")
endforeach()
list(JOIN MCT_VERSION "." MCT_VERSION)
