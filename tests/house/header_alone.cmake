# Each public header in a translation unit that includes nothing else. Twice the header, because a
# missing #pragma once shows only then.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
     "${PROJECT_SOURCE_DIR}/include/mctensor/*.hpp")
if(NOT MCT_WITH_XSIMD)
  list(REMOVE_ITEM headers "mctensor/interop/xsimd.hpp")
endif()
if(NOT MCT_WITH_EIGEN)
  list(REMOVE_ITEM headers "mctensor/interop/eigen.hpp" "mctensor/interop/eigen_products.hpp"
       "mctensor/interop/eigen_tensor.hpp")
endif()
if(NOT MCT_WITH_QD)
  list(REMOVE_ITEM headers "mctensor/interop/qd.hpp")
endif()
if(NOT MCT_WITH_QUADMATH)  # no __float128 either
  list(REMOVE_ITEM headers "mctensor/interop/float128.hpp")
endif()
set(units "")
foreach(header IN LISTS headers)
  string(MAKE_C_IDENTIFIER "${header}" stem)
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/header_alone/${stem}.cpp")
  file(CONFIGURE OUTPUT "${unit}" CONTENT "#include <@header@>\n#include <@header@>\n" @ONLY)
  list(APPEND units "${unit}")
endforeach()
add_library(header_alone OBJECT EXCLUDE_FROM_ALL ${units})
target_compile_options(header_alone PRIVATE -O0)
target_link_libraries(header_alone PRIVATE mctensor::core mctensor_private fmt::fmt
                      MPFR::MPFR mct_eigen mct_peers)
mct_add_compile_test(header_alone)
