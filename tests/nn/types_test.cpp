// Every kind of module in float and double expansions.
#include "tests/nn/model_in_types.hpp"

namespace mct::test {
namespace {

TEST(Types, Float) {
  expect_as_in_double<float, 1, 1>(1e-6);
  expect_as_in_double<float, 2, 1>(1e-6);
  expect_as_in_double<float, 3, 3>(1e-6);
}
TEST(Types, DoubleExpansions) {
  expect_as_in_double<double, 2, 1>(1e-14);
  expect_as_in_double<double, 2, 2>(1e-14);
}

}  // namespace
}  // namespace mct::test
