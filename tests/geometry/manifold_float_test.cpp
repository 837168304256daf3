// Every method of every manifold in float.
#include "tests/geometry/manifold_checks.hpp"

namespace mct::geometry_test {
INSTANTIATE_TYPED_TEST_SUITE_P(Manifolds, ManifoldTest, AllManifolds<float>);
}  // namespace mct::geometry_test
