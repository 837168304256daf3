# Makes a Debian package with the settings CONFIG of the tree installed at PREFIX, so that nothing is built
# while tests run, and unpacks it: DIR/tree, and DIR/tree/DEBIAN what the package says of itself. gzip
# takes a fraction of the time of xz.
file(REMOVE_RECURSE "${DIR}")
file(MAKE_DIRECTORY "${DIR}")
execute_process(COMMAND "${CPACK}" -G DEB --config "${CONFIG}" -B "${DIR}"
                        -D CPACK_INSTALL_CMAKE_PROJECTS= -D "CPACK_INSTALLED_DIRECTORIES=${PREFIX};usr"
                        -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip
                COMMAND_ERROR_IS_FATAL ANY)
file(GLOB packages "${DIR}/*.deb")
list(LENGTH packages count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "cpack left ${count} packages in ${DIR}: ${packages}")
endif()
execute_process(COMMAND "${DPKG_DEB}" -R "${packages}" "${DIR}/tree" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE "${DIR}/_CPack_Packages" ${packages})
