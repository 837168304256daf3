// Distributions of Boost.Math on expansions.
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "boost_functions.hpp"

namespace mct::boost_functions_test {
namespace bm = boost::math;

TEST(BoostFunctions, Distributions) {
  MCT_EXPECT_AS_BOOST(cdf(bm::normal_distribution<X>(X(1), X(2)), X(7) / 3));
  MCT_EXPECT_AS_BOOST(quantile(bm::normal_distribution<X>(), X(1) / 3));
  MCT_EXPECT_AS_BOOST(cdf(bm::students_t_distribution<X>(X(5)), X(7) / 3));
  MCT_EXPECT_AS_BOOST(quantile(bm::gamma_distribution<X>(X(5) / 2, X(1)), X(1) / 3));
}

}  // namespace mct::boost_functions_test
