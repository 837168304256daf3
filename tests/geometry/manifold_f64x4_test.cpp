// Every method of every manifold in four doubles.
#include "tests/geometry/manifold_checks.hpp"

namespace mct::geometry_test {
INSTANTIATE_TYPED_TEST_SUITE_P(Manifolds, ManifoldTest, AllManifolds<f64x4>);
}  // namespace mct::geometry_test
