// What the tests of gradients share: inputs of any component count, gradcheck at 1e-20.
#pragma once

#include <gtest/gtest.h>

#include <tuple>

#include "tests/tensor/tensors.hpp"

namespace mct::test {

/// What gradients are checked in: values and gradients of two doubles.
using V2 = Variable<double, 2, 2>;
/// A plain operand beside them.
using V1 = Variable<double, 1, 2>;

/// Multiples of 1/512 in [low, high): steps of a difference are exact in one component. Those of
/// seeds that differ modulo 8 are at least 1/512 apart, further than the five steps of a
/// difference, and those of a seed that 8 does not divide as far from multiples of 1/64.
template <class V = V2>
V input(const Shape& shape, std::uint64_t seed, double low = -1, double high = 1) {
  const auto random = rand<double>(shape, seed);
  auto x = Tensor<double>::uninitialized(shape);
  for (std::int64_t i = 0; i < x.numel(); ++i)
    x.data()[i] =
        std::floor((low + (high - low) * random.data()[i]) * 64) / 64 + double(seed % 8) / 512;
  return V(tensor_detail::widen<double, V::components>(x), true);
}

/// gradcheck with the tolerance of the project: 1e-20.
template <class F, class... V>
::testing::AssertionResult gradients_agree(const F& f, const V&... inputs) {
  GradcheckOptions options;
  options.tolerance = 1e-20;
  const auto report = gradcheck(f, std::make_tuple(inputs...), options);
  if (report.passed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << report.message();
}

}  // namespace mct::test
