// What the tests of tensors share: all number types, random elements, exact comparison.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mctensor/mctensor.hpp"
#include "tests/message_of.hpp"

namespace mct::test {

/// Calls f.operator()<T, N>() for every number tensor.
template <class F>
void for_each_type(const F& f) {
#define MCT_CALL(T, N)             \
  {                                \
    SCOPED_TRACE(#T "x" #N);       \
    f.template operator()<T, N>(); \
  }
  MCT_FOR_EACH_NUMBER_TENSOR(MCT_CALL)
#undef MCT_CALL
}

/// A random expansion whose leading limb is about 2^[-spread, spread], with gaps now and then.
template <class T, int N>
Expansion<T, N> random_expansion(std::mt19937_64& random, int spread) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int e = spread == 0 ? 0 : int(random() % std::uint64_t(2 * spread + 1)) - spread;
  T terms[N];
  double scale = std::ldexp(1.0, e);
  for (T& term : terms) {
    term = T(scale * uniform(random));
    scale *= double(FloatTraits<T>::u) * (random() % 8 == 0 ? 0x1p-9 : 1);
  }
  return renormalize<N>(terms);
}

template <class T, int N>
typename Tensor<T, N>::Value as_value(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return x.limb[0];
  } else {
    return x;
  }
}
template <class T, int N>
Expansion<T, N> as_expansion(const typename Tensor<T, N>::Value& x) {
  return Expansion<T, N>(x);
}

template <class T, int N>
Tensor<T, N> random_tensor(const Shape& shape, std::uint64_t seed, int spread = 4) {
  std::mt19937_64 random(seed);
  std::vector<typename Tensor<T, N>::Value> values(std::size_t(numel(shape)));
  for (auto& value : values) value = as_value(random_expansion<T, N>(random, spread));
  return Tensor<T, N>::from_values(values, shape);
}

/// Equal bits, but for the payload of NaN.
template <class T, int N>
bool same(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if (!(x.limb[0] == x.limb[0])) return !(y.limb[0] == y.limb[0]);
  for (int k = 0; k < N; ++k) {
    if (!(x.limb[k] == y.limb[k])) return false;
    if (x.limb[k] == T(0) && std::signbit(double(x.limb[k])) != std::signbit(double(y.limb[k])) &&
        k == 0)
      return false;
  }
  return true;
}

template <class T, int N>
::testing::AssertionResult same(const Tensor<T, N>& x, const Tensor<T, N>& y) {
  if (x.shape() != y.shape())
    return ::testing::AssertionFailure()
           << "shapes " << to_string(x.shape()) << " and " << to_string(y.shape());
  const auto a = x.values();
  const auto b = y.values();
  for (std::size_t i = 0; i < a.size(); ++i) {
    bool equal;
    if constexpr (is_component_v<T>) {
      equal = same(as_expansion<T, N>(a[i]), as_expansion<T, N>(b[i]));
    } else {
      equal = a[i] == b[i];
    }
    if (!equal) return ::testing::AssertionFailure() << "element " << i << " differs";
  }
  return ::testing::AssertionSuccess();
}

using mct::testing::message_of;

}  // namespace mct::test
