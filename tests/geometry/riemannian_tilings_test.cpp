// Riemannian optimizers on the tilings.
#include <gtest/gtest.h>

#include "tests/geometry/riemannian_spaces.hpp"

namespace mct::geometry_test {
#ifdef MCT_EXHAUSTIVE
using AllRows = ::testing::Types<TilingRows<LTiling<double>>, TilingRows<LTiling<f64x2>>,
                                 TilingRows<HTiling<double, 3>>, TilingRows<HTiling<float, 2>>,
                                 TilingRows<LTilingProduct<double>>>;
#else
using AllRows = ::testing::Types<TilingRows<LTiling<f64x2>>, TilingRows<HTiling<float, 2>>,
                                 TilingRows<LTilingProduct<double>>>;
#endif
}  // namespace mct::geometry_test

#include "tests/geometry/riemannian_checks.hpp"
