// Operations on tensors are the same in every rounding mode, and with subnormals flushed to zero.
#include "mctensor/base/environment.hpp"

#include <gtest/gtest.h>

#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "tests/modes.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct {
namespace {

/// Long enough for several threads.
Tensor<double, 2> long_tensor() { return test::random_tensor<double, 2>({30000}, 11); }

template <class F>
void expect_same_in_all_modes(const F& f) {
  const Tensor<double, 2> expected = f();
  const int before = num_threads();
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    for (const testing::Mode mode : testing::all_modes) {
      Tensor<double, 2> result;
      {
        const testing::Modes modes(mode);
        result = f();
      }
      int different = 0;
      for (std::int64_t i = 0; i < expected.numel(); ++i)
        different += test::same(test::as_expansion<double, 2>(result.at({i})),
                                test::as_expansion<double, 2>(expected.at({i})))
                         ? 0
                         : 1;
      EXPECT_EQ(different, 0) << testing::name(mode) << ", threads: " << threads;
    }
  }
  set_num_threads(before);
}

TEST(Environment, OfElementwiseOperations) {
  const auto x = long_tensor();
  expect_same_in_all_modes([&] { return exp(x); });
  expect_same_in_all_modes([&] { return x / (x * x); });
}

TEST(Environment, OfSums) {
  const auto x = long_tensor();
  expect_same_in_all_modes([&] { return sum(x).reshape({1}); });
}

}  // namespace
}  // namespace mct
