# `cpack` makes a Debian package: library, headers, the program with its man pages and completions, data.
# ./run package builds what is meant for other machines (preset `package`). A package of another build may
# run on this machine's processor alone, and its name says so.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mctensor)
set(CPACK_PACKAGE_VENDOR MCTensor)
# the sources have no home yet, hence no address: a domain that never resolves (RFC 2606) keeps the form
set(CPACK_PACKAGE_CONTACT "The MCTensor authors <authors@mctensor.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Numbers as unevaluated sums of two, three or four floats, with elementary
functions, tensors, linear algebra, automatic differentiation, optimizers for
training in 16 bits, and hyperbolic geometry on them. Every operation states
an error bound.
.
The package has the library and its headers, and the program mct: a suite that
compares each operation with MPFR, embeddings of hierarchies, training in low
precision.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(MCT_NATIVE OR MCT_KERNELS STREQUAL "NATIVE")
  set(CPACK_DEBIAN_FILE_NAME "mctensor_${PROJECT_VERSION}-1_this-processor-only.deb")
endif()
# What the program was linked with; and what a program needs that links the library, whose CMake package
# and pkg-config file name it.
find_program(MCT_DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(MCT_DPKG_SHLIBDEPS)
if(MCT_DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
# find_package(MCTensor) fails without zlib's headers; mctensor::mpi alone needs those of MPI
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, pkg-config")
if(MCT_WITH_ZLIB)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS zlib1g-dev)
endif()
if(MCT_WITH_MPI)
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS libopenmpi-dev)
endif()
set(CPACK_MCT_SOURCE_DIR "${PROJECT_SOURCE_DIR}")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/debian/finish.cmake")
include(CPack)
