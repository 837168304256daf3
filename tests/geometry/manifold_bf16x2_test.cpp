// Every method of every manifold in two bfloat16.
#include "tests/geometry/manifold_checks.hpp"

namespace mct::geometry_test {
INSTANTIATE_TYPED_TEST_SUITE_P(Manifolds, ManifoldTest, AllManifolds<bf16x2>);
}  // namespace mct::geometry_test
