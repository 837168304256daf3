// Bessel and Airy functions of Boost.Math on expansions.
// clang-format off: Boost's sinc must have seen Boost's numbers
#include "boost_functions.hpp"
// clang-format on

#include <boost/math/special_functions/airy.hpp>
#include <boost/math/special_functions/bessel.hpp>

namespace mct::boost_functions_test {
namespace bm = boost::math;

TEST(BoostFunctions, Bessel) {
  MCT_EXPECT_AS_BOOST(bm::cyl_bessel_j(X(1) / 3, X(7) / 2));
  MCT_EXPECT_AS_BOOST(bm::cyl_neumann(X(1) / 3, X(7) / 2));
  MCT_EXPECT_AS_BOOST(bm::cyl_bessel_i(X(1) / 3, X(7) / 2));
  MCT_EXPECT_AS_BOOST(bm::cyl_bessel_k(X(1) / 3, X(7) / 2));
  MCT_EXPECT_AS_BOOST(bm::sph_bessel(3, X(7) / 2));
  MCT_EXPECT_AS_BOOST(bm::sph_neumann(3, X(7) / 2));
  MCT_EXPECT_AS_BOOST(bm::airy_ai(X(5) / 4));
  MCT_EXPECT_AS_BOOST(bm::airy_bi(X(5) / 4));
}

}  // namespace mct::boost_functions_test
