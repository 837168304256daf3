# A port for `vcpkg install mctensor --overlay-ports=packaging/vcpkg`: it builds the sources that it lies in.
# A registry would fetch the tag instead (vcpkg_from_git).
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES
  zlib MCT_WITH_ZLIB)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  ${options}
  -DMCT_BUILD_VALIDATION=OFF
  -DMCT_BUILD_TESTS=OFF
  -DMCT_BUILD_BENCH=OFF
  -DMCT_BUILD_EXAMPLES=OFF
  -DMCT_WITH_MPI=OFF
  -DMCT_CCACHE=OFF
  -DMCT_TOGETHER=ON
  -DMCT_CUDA=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME MCTensor CONFIG_PATH lib/cmake/MCTensor)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
