// Tensor forms of every method in f32x3.
#include "tests/geometry/pointwise_checks.hpp"

namespace mct::geometry_test {
INSTANTIATE_TYPED_TEST_SUITE_P(Manifolds, PointwiseTest, FewPointwiseTypes<f32x3>);
}  // namespace mct::geometry_test
