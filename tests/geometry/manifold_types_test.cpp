// Every method of manifolds in other types than double and two doubles: three manifolds in each,
// all with MCT_EXHAUSTIVE.
#include "tests/geometry/manifold_checks.hpp"

namespace mct::geometry_test {
#ifdef MCT_EXHAUSTIVE
INSTANTIATE_TYPED_TEST_SUITE_P(Float, ManifoldTest, AllManifolds<float>);
INSTANTIATE_TYPED_TEST_SUITE_P(FourDoubles, ManifoldTest, AllManifolds<f64x4>);
INSTANTIATE_TYPED_TEST_SUITE_P(TwoBfloat16, ManifoldTest, AllManifolds<bf16x2>);
#else
using OtherTypes = ::testing::Types<On<geometry::HalfSpace, float>, On<geometry::Lorentz, float>,
                                    On<geometry::Hemisphere, float>,
                                    On<geometry::PoincareBall, f64x4>, On<geometry::Lorentz, f64x4>,
                                    On<geometry::Sphere, f64x4>, On<geometry::PoincareBall, bf16x2>,
                                    On<geometry::HalfSpace, bf16x2>, On<geometry::Klein, bf16x2> >;
INSTANTIATE_TYPED_TEST_SUITE_P(Other, ManifoldTest, OtherTypes);
#endif
}  // namespace mct::geometry_test
