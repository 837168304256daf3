// Tensor forms of every method of every manifold in double.
#include "tests/geometry/pointwise_checks.hpp"

namespace mct::geometry_test {
INSTANTIATE_TYPED_TEST_SUITE_P(Manifolds, PointwiseTest, PointwiseTypes<double>);
}  // namespace mct::geometry_test
