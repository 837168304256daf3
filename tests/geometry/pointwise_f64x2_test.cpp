// Tensor forms of every method of every manifold in f64x2.
#include "tests/geometry/pointwise_checks.hpp"

namespace mct::geometry_test {
INSTANTIATE_TYPED_TEST_SUITE_P(Manifolds, PointwiseTest, PointwiseTypes<f64x2>);
}  // namespace mct::geometry_test
