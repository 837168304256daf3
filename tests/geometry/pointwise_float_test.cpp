// Tensor forms of every method of every manifold in float.
#include "tests/geometry/pointwise_checks.hpp"

namespace mct::geometry_test {
INSTANTIATE_TYPED_TEST_SUITE_P(Manifolds, PointwiseTest, PointwiseTypes<float>);
}  // namespace mct::geometry_test
