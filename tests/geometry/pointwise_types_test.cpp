// Tensors of points give what the function of single ones gives: two doubles, and with
// MCT_EXHAUSTIVE every kind of number.
#include "tests/geometry/pointwise_checks.hpp"

namespace mct::geometry_test {
#ifdef MCT_EXHAUSTIVE
INSTANTIATE_TYPED_TEST_SUITE_P(Double, PointwiseTest, PointwiseTypes<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Float, PointwiseTest, PointwiseTypes<float>);
INSTANTIATE_TYPED_TEST_SUITE_P(TwoDoubles, PointwiseTest, PointwiseTypes<f64x2>);
INSTANTIATE_TYPED_TEST_SUITE_P(FourDoubles, PointwiseTest, FewPointwiseTypes<f64x4>);
INSTANTIATE_TYPED_TEST_SUITE_P(ThreeFloats, PointwiseTest, FewPointwiseTypes<f32x3>);
INSTANTIATE_TYPED_TEST_SUITE_P(TwoBfloat16, PointwiseTest, PointwiseTypes<bf16x2>);
#else
INSTANTIATE_TYPED_TEST_SUITE_P(TwoDoubles, PointwiseTest, FewPointwiseTypes<f64x2>);
#endif
}  // namespace mct::geometry_test
