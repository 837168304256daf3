# mct_peers: the libraries that the suite and the benchmarks measure beside ours, and
# MCT_WITH_<PEER> = 1 or 0 for each that can be missing.
add_library(mct_peers INTERFACE)
if(MCT_BUILD_VALIDATION OR MCT_BUILD_BENCH)
  target_link_libraries(mct_peers INTERFACE MPFR::MPFR Boost::headers
    $<$<BOOL:${MCT_WITH_QD}>:QD::QD> $<$<BOOL:${MCT_WITH_QUADMATH}>:quadmath>)
  foreach(peer IN ITEMS QD QUADMATH)
    target_compile_definitions(mct_peers INTERFACE MCT_WITH_${peer}=$<BOOL:${MCT_WITH_${peer}}>)
  endforeach()
endif()

# mct_xsimd: the headers of xsimd and MCT_WITH_XSIMD = 1, or MCT_WITH_XSIMD = 0.
add_library(mct_xsimd INTERFACE)
target_compile_definitions(mct_xsimd INTERFACE MCT_WITH_XSIMD=$<BOOL:${MCT_WITH_XSIMD}>)
if(MCT_WITH_XSIMD AND XSIMD_INCLUDE_DIR)
  target_include_directories(mct_xsimd SYSTEM INTERFACE "${XSIMD_INCLUDE_DIR}")
endif()

# mct_eigen: the headers of Eigen and MCT_WITH_EIGEN = 1, or MCT_WITH_EIGEN = 0.
add_library(mct_eigen INTERFACE)
target_compile_definitions(mct_eigen INTERFACE MCT_WITH_EIGEN=$<BOOL:${MCT_WITH_EIGEN}>)
if(MCT_WITH_EIGEN AND TARGET Eigen3::Eigen)
  get_target_property(eigen_headers Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(mct_eigen SYSTEM INTERFACE ${eigen_headers})
endif()

# mct_json: the headers of nlohmann-json, which the compiled library and the suite read JSON with.
add_library(mct_json INTERFACE)
target_link_libraries(mct_json INTERFACE nlohmann_json::nlohmann_json)
