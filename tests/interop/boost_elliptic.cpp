// Elliptic integrals, polynomials and zeta functions of Boost.Math on expansions.
#include <boost/math/special_functions/cbrt.hpp>
#include <boost/math/special_functions/chebyshev.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <boost/math/special_functions/expint.hpp>
#include <boost/math/special_functions/hermite.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <boost/math/special_functions/laguerre.hpp>
#include <boost/math/special_functions/legendre.hpp>
#include <boost/math/special_functions/owens_t.hpp>
#include <boost/math/special_functions/sinc.hpp>
#include <boost/math/special_functions/zeta.hpp>

#include "boost_functions.hpp"

namespace mct::boost_functions_test {
namespace bm = boost::math;

TEST(BoostFunctions, Elliptic) {
  MCT_EXPECT_AS_BOOST(bm::ellint_1(X(1) / 3, X(5) / 4));
  MCT_EXPECT_AS_BOOST(bm::ellint_2(X(1) / 3));
  MCT_EXPECT_AS_BOOST(bm::ellint_3(X(1) / 3, X(1) / 5));
  MCT_EXPECT_AS_BOOST(bm::ellint_rf(X(1), X(2), X(3)));
  MCT_EXPECT_AS_BOOST(bm::jacobi_sn(X(1) / 3, X(5) / 4));
  MCT_EXPECT_AS_BOOST(bm::legendre_p(7, X(1) / 3));
  MCT_EXPECT_AS_BOOST(bm::hermite(7, X(1) / 3));
  MCT_EXPECT_AS_BOOST(bm::laguerre(7, X(1) / 3));
  MCT_EXPECT_AS_BOOST(bm::chebyshev_t(7, X(1) / 3));
  MCT_EXPECT_AS_BOOST(bm::zeta(X(7) / 3));
  MCT_EXPECT_AS_BOOST(bm::expint(X(7) / 3));
  MCT_EXPECT_AS_BOOST(bm::expint(3, X(7) / 3));
  MCT_EXPECT_AS_BOOST(bm::owens_t(X(1) / 3, X(5) / 4));
  MCT_EXPECT_AS_BOOST(bm::sinc_pi(X(7) / 3));
  MCT_EXPECT_AS_BOOST(bm::cbrt(X(7) / 3));
}

}  // namespace mct::boost_functions_test
