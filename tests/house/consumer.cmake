# Projects that use an installed tree, at -O0 and at full optimization for this machine. The
# option that forbids contraction must reach them through the CMake package and through pkg-config;
# the last test overrules it and shows that the consumer notices.
set(work "${CMAKE_CURRENT_BINARY_DIR}/consumer_work")
set(prefix "${work}/prefix")
set(consumer "${CMAKE_CURRENT_SOURCE_DIR}/consumer")
set(sanitize "$<$<BOOL:${MCT_SANITIZE}>: -fsanitize=address,undefined>")
check_cxx_compiler_flag(-march=native MCT_HAVE_MARCH_NATIVE)
set(O0_flags -O0)
set(O3_flags -O3)
if(MCT_HAVE_MARCH_NATIVE)
  string(APPEND O3_flags " -march=native")
endif()

add_test(NAME consumer_install COMMAND "${CMAKE_COMMAND}" "-DBUILD=${PROJECT_BINARY_DIR}"
         "-DPREFIX=${prefix}" -DCONFIG=$<CONFIG> -P "${CMAKE_CURRENT_SOURCE_DIR}/clean_install.cmake")
set_tests_properties(consumer_install PROPERTIES FIXTURES_SETUP installed_tree)

find_program(MCT_PKG_CONFIG NAMES pkg-config pkgconf)
if(NOT MCT_PKG_CONFIG)
  message(STATUS "pkg-config not found (Debian: pkg-config): mctensor.pc is not tested")
endif()

# mct_add_consumer_script(name exit flags [LANGUAGE C] [OPTIONS pkg-config option...])
function(mct_add_consumer_script name exit flags)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "LANGUAGE" "OPTIONS")
  set(compiler "${CMAKE_CXX_COMPILER}")
  set(source "${consumer}/main.cpp")
  if(arg_LANGUAGE STREQUAL "C")
    set(compiler "${CMAKE_C_COMPILER}")
    set(source "${consumer}/main.c")
  endif()
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" "-DCXX=${compiler}"
           "-DFLAGS=${flags}${sanitize}" "-DSOURCE=${source}" "-DPREFIX=${prefix}"
           "-DLIBDIR=${CMAKE_INSTALL_LIBDIR}" "-DPROGRAM=${work}/${name}" "-DEXIT=${exit}"
           "-DPKG_CONFIG=${MCT_PKG_CONFIG}" "-DPKG_CONFIG_OPTIONS=${arg_OPTIONS}"
           -P "${CMAKE_CURRENT_SOURCE_DIR}/consumer_compile.cmake")
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED installed_tree)
endfunction()

foreach(level IN ITEMS O0 O3)
  add_test(NAME consumer_cmake_${level} COMMAND "${CMAKE_CTEST_COMMAND}"
           --build-and-test "${consumer}" "${work}/cmake_${level}"
           --build-generator "${CMAKE_GENERATOR}"
           --build-options "-DCMAKE_PREFIX_PATH=${prefix}"
             "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
             "-DCMAKE_CXX_FLAGS=${${level}_flags}${sanitize}"
           --test-command consumer)
  set_tests_properties(consumer_cmake_${level} PROPERTIES FIXTURES_REQUIRED installed_tree)
  if(MCT_PKG_CONFIG)
    mct_add_consumer_script(consumer_pkg_config_${level} 0 "-std=c++20 ${${level}_flags}")
  endif()
endforeach()

# A C compiler links the library, static or shared, with what pkg-config tells.
if(MCT_PKG_CONFIG)
  foreach(standard IN ITEMS c99 c11)
    mct_add_consumer_script(consumer_pkg_config_${standard} 0
                            "-std=${standard} -Wall -Wextra -Wpedantic -Werror"
                            LANGUAGE C OPTIONS --static)
  endforeach()
endif()

# Contraction needs fma in the processor, and arm64 always has it. The checks of the undefined
# behaviour sanitizer stand between product and sum, so that g++ does not contract there.
if(MCT_PKG_CONFIG AND MCT_HAVE_MARCH_NATIVE AND MCT_OTHER_VARIANT AND NOT MCT_SANITIZE)
  mct_add_consumer_script(consumer_notices_contraction 1
                          "-std=c++20 -O3 -march=native -ffp-contract=fast")
endif()
