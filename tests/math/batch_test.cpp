// The functions that layers and geometry run on give the same bits in a SIMD lane as for a scalar.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "mctensor/math/all.hpp"

#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"

namespace {

using mct::Expansion;

/// Random arguments, the first batches full of special ones.
template <class T, int N>
Expansion<T, N> argument(std::mt19937_64& random, int number) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  const T specials[] = {T(0),
                        -T(0),
                        inf,
                        -inf,
                        std::numeric_limits<T>::quiet_NaN(),
                        T(1),
                        T(-1),
                        T(800),
                        T(-800),
                        std::numeric_limits<T>::denorm_min(),
                        std::numeric_limits<T>::max(),
                        T(1e-30),
                        T(2),
                        T(-2),
                        T(88),
                        T(-0.5)};
  if (number < 16) return Expansion<T, N>(specials[number]);
  T limbs[N];
  T size = T(std::uniform_real_distribution<double>(-20, 20)(random));
  for (T& limb : limbs) {
    limb = size;
    size *= mct::FloatTraits<T>::u * T(std::uniform_real_distribution<double>(-1, 1)(random)) / 2;
  }
  return mct::renormalize<N>(limbs);
}

template <class T, int N, class F>
void expect_lanes_as_scalars(const char* name, const F& f) {
  using Batch = xsimd::batch<T>;
  std::mt19937_64 random(7);
  int number = 0;
  for (int round = 0; round < 200; ++round) {
    Expansion<T, N> x[Batch::size];
    T limbs[N][Batch::size];
    for (std::size_t lane = 0; lane < Batch::size; ++lane) {
      x[lane] = argument<T, N>(random, number++);
      for (int i = 0; i < N; ++i) limbs[i][lane] = x[lane].limb[i];
    }
    Expansion<Batch, N> batch;
    for (int i = 0; i < N; ++i) batch.limb[i] = Batch::load_unaligned(limbs[i]);
    const Expansion<Batch, N> result = f(batch);
    for (int i = 0; i < N; ++i) {
      T lanes[Batch::size];
      result.limb[i].store_unaligned(lanes);
      for (std::size_t lane = 0; lane < Batch::size; ++lane) {
        const T expected = f(x[lane]).limb[i];
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(lanes[lane])) << name << ' ' << x[lane].limb[0];
        } else {
          EXPECT_EQ(std::memcmp(&lanes[lane], &expected, sizeof(T)), 0)
              << name << '(' << x[lane].limb[0] << ") limb " << i << ": " << lanes[lane]
              << " instead of " << expected;
        }
      }
    }
  }
}

template <class T, int N>
void check_all() {
  expect_lanes_as_scalars<T, N>("exp", [](const auto& x) { return exp(x); });
  expect_lanes_as_scalars<T, N>("exp2", [](const auto& x) { return exp2(x); });
  expect_lanes_as_scalars<T, N>("expm1", [](const auto& x) { return expm1(x); });
  expect_lanes_as_scalars<T, N>("log", [](const auto& x) { return log(x); });
  expect_lanes_as_scalars<T, N>("log2", [](const auto& x) { return log2(x); });
  expect_lanes_as_scalars<T, N>("log10", [](const auto& x) { return log10(x); });
  expect_lanes_as_scalars<T, N>("log1p", [](const auto& x) { return log1p(x); });
  expect_lanes_as_scalars<T, N>("sinh", [](const auto& x) { return sinh(x); });
  expect_lanes_as_scalars<T, N>("cosh", [](const auto& x) { return cosh(x); });
  expect_lanes_as_scalars<T, N>("tanh", [](const auto& x) { return tanh(x); });
  expect_lanes_as_scalars<T, N>("sinhc", [](const auto& x) { return sinhc(x); });
  expect_lanes_as_scalars<T, N>("rsinhc", [](const auto& x) { return rsinhc(x); });
  expect_lanes_as_scalars<T, N>("tanhc", [](const auto& x) { return tanhc(x); });
  expect_lanes_as_scalars<T, N>("rtanhc", [](const auto& x) { return rtanhc(x); });
  expect_lanes_as_scalars<T, N>("sigmoid", [](const auto& x) { return sigmoid(x); });
  expect_lanes_as_scalars<T, N>("softplus", [](const auto& x) { return softplus(x); });
  expect_lanes_as_scalars<T, N>("log_sigmoid", [](const auto& x) { return log_sigmoid(x); });
}

TEST(MathBatch, TwoDoubles) { check_all<double, 2>(); }
TEST(MathBatch, ThreeDoubles) { check_all<double, 3>(); }
TEST(MathBatch, TwoFloats) { check_all<float, 2>(); }

}  // namespace
#else
TEST(MathBatch, Skipped) { GTEST_SKIP() << "built without xsimd"; }
#endif
