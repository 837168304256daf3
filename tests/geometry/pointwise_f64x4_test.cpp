// Tensor forms of every method in f64x4.
#include "tests/geometry/pointwise_checks.hpp"

namespace mct::geometry_test {
INSTANTIATE_TYPED_TEST_SUITE_P(Manifolds, PointwiseTest, FewPointwiseTypes<f64x4>);
}  // namespace mct::geometry_test
