// Every kind of module in half, bfloat16 and their expansions.
#include "tests/nn/model_in_types.hpp"

namespace mct::test {
namespace {

TEST(ShortTypes, Half) {
  expect_as_in_double<half, 1, 1>(4e-3);
  expect_as_in_double<half, 2, 1>(4e-3);
}
TEST(ShortTypes, Bfloat16) {
  expect_as_in_double<bfloat16, 1, 1>(3e-2);
  expect_as_in_double<bfloat16, 2, 1>(3e-2);
  expect_as_in_double<bfloat16, 2, 2>(3e-2);
}

}  // namespace
}  // namespace mct::test
