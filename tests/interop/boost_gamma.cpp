// Gamma, beta and error functions of Boost.Math on expansions.
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/binomial.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/factorials.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include "boost_functions.hpp"

namespace mct::boost_functions_test {
namespace bm = boost::math;

TEST(BoostFunctions, Gamma) {
  MCT_EXPECT_AS_BOOST(bm::tgamma(X(7) / 2));
  MCT_EXPECT_AS_BOOST(bm::lgamma(X(41) / 4));
  MCT_EXPECT_AS_BOOST(bm::tgamma_ratio(X(21) / 2, X(25) / 4));
  MCT_EXPECT_AS_BOOST(bm::tgamma_delta_ratio(X(9) / 2, X(3) / 4));
  MCT_EXPECT_AS_BOOST(bm::gamma_p(X(5) / 2, X(5) / 4));
  MCT_EXPECT_AS_BOOST(bm::gamma_q(X(5) / 2, X(7)));
  MCT_EXPECT_AS_BOOST(bm::gamma_p_inv(X(5) / 2, X(1) / 3));
  MCT_EXPECT_AS_BOOST(bm::gamma_p_derivative(X(5) / 2, X(3)));
  MCT_EXPECT_AS_BOOST(bm::digamma(X(9) / 4));
  MCT_EXPECT_AS_BOOST(bm::trigamma(X(9) / 4));
  MCT_EXPECT_AS_BOOST(bm::polygamma(3, X(9) / 4));
  MCT_EXPECT_AS_BOOST(bm::beta(X(5) / 2, X(7) / 3));
  MCT_EXPECT_AS_BOOST(bm::ibeta(X(2), X(7) / 2, X(1) / 3));
  MCT_EXPECT_AS_BOOST(bm::ibeta_inv(X(2), X(7) / 2, X(1) / 3));
  MCT_EXPECT_AS_BOOST(bm::binomial_coefficient<X>(40, 17));
  MCT_EXPECT_AS_BOOST(bm::rising_factorial(X(5) / 2, 7));
}

TEST(BoostFunctions, Error) {
  MCT_EXPECT_AS_BOOST(bm::erf(X(3) / 4));
  MCT_EXPECT_AS_BOOST(bm::erfc(X(3)));
  MCT_EXPECT_AS_BOOST(bm::erf_inv(X(1) / 3));
  MCT_EXPECT_AS_BOOST(bm::erfc_inv(X(1) / 1000));
}

}  // namespace mct::boost_functions_test
