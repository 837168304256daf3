// Tensors for tests of programs on elements: values of every kind, and comparison bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "mctensor/expansion/all.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::testing {

/// Normal expansions of many magnitudes, and among them zeros of both signs, infinities, NaN, a
/// subnormal, the largest and ones.
template <class T, int N>
Tensor<T, N> mixed_values(const Shape& shape, unsigned seed, double largest = 8) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto inf = double(std::numeric_limits<double>::infinity());
  const double special[] = {0.0, -0.0, inf, -inf, -inf + inf, 1, -1, 4.9e-324, 1e-40, 1e300, 0.5};
  Tensor<T, N> x(shape);
  const std::int64_t count = x.numel();
  for (std::int64_t i = 0; i < count; ++i) {
    Expansion<T, N> value{};
    if (i % 7 == 3) {
      value.limb[0] = T(special[std::size_t(i / 7) % std::size(special)]);
    } else {
      double unit = i % 2 == 0 ? largest : 1;
      for (int l = 0; l < N; ++l, unit *= std::ldexp(1.0, -FloatTraits<T>::p - 1))
        value = value + Expansion<T, N>(T(number(random) * unit));
    }
    for (int l = 0; l < N; ++l) x.data(l)[i] = value.limb[l];
  }
  return x;
}

/// Equal bits, but for those of NaN.
template <class T, int N>
void expect_bits(const Tensor<T, N>& got, const Tensor<T, N>& want, const std::string& what) {
  ASSERT_EQ(got.shape(), want.shape()) << what;
  const Tensor<T, N> got_in_order = got.contiguous();
  const Tensor<T, N> want_in_order = want.contiguous();
  for (std::int64_t i = 0; i < want.numel(); ++i)
    for (int l = 0; l < N; ++l) {
      const T a = got_in_order.data(l)[i];
      const T b = want_in_order.data(l)[i];
      const bool both_nan = !(a == a) && !(b == b);
      ASSERT_TRUE(both_nan || std::memcmp(&a, &b, sizeof a) == 0)
          << what << ", limb " << l << " of element " << i << ": " << double(a) << ", the library "
          << double(b);
    }
}

}  // namespace mct::testing
