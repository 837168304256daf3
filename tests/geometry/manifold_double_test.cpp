// Every method of every manifold in double.
#include "tests/geometry/manifold_checks.hpp"

namespace mct::geometry_test {
INSTANTIATE_TYPED_TEST_SUITE_P(Manifolds, ManifoldTest, AllManifolds<double>);
}  // namespace mct::geometry_test
