// Cases of products of expansions of bfloat16 by the tensor cores, in the simulator, within the
// stated bound whether these round or cut off.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "cuda/linalg/bfloat16_product.hpp"
#include "tests/cuda/simulator/simulated_queue.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda::bfloat16_product_cases {

template <int N>
struct Matrix {
  std::int64_t rows, columns;
  std::vector<bfloat16> data;

  MatrixView<const bfloat16> view() const { return {data.data(), rows * columns, columns, 1}; }
  double at(std::int64_t i, std::int64_t j) const {
    double x = 0;
    for (int l = 0; l < N; ++l) x += double(data[std::size_t((l * rows + i) * columns + j)]);
    return x;
  }
};

/// Floats of exponents within 2 `spread` powers of two, as N bfloat16.
template <int N>
Matrix<N> random_matrix(std::int64_t m, std::int64_t n, int spread, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-1, 1);
  std::uniform_int_distribution<int> exponent(-spread, spread);
  Matrix<N> x{m, n, std::vector<bfloat16>(std::size_t(m * n * N))};
  for (std::int64_t i = 0; i < m * n; ++i) {
    const mct::Expansion<bfloat16, N> value(std::ldexp(number(random), exponent(random)));
    for (int l = 0; l < N; ++l) x.data[std::size_t(l * m * n + i)] = value.limb[l];
  }
  return x;
}

template <class Form, int N, class Result>
std::vector<Result> product_on_grid(const Matrix<N>& a, const Matrix<N>& b, Simulation how) {
  constexpr int limbs = std::is_same_v<Result, float> ? 1 : N;
  std::vector<Result> c(std::size_t(limbs * a.rows * b.columns));
  SimulatedQueue<Form> queue(std::move(how));
  queue.memory().add(a.data).add(b.data).add_output(c);
  bfloat16_product<N, Result>(queue, a.rows, b.columns, a.columns, a.view(), b.view(),
                              {c.data(), a.rows * b.columns, b.columns, 1});
  return c;
}

/// The bound of MultiplyBfloat16 per sum of the products' magnitudes.
template <int N>
double bound(std::int64_t k) {
  return (N == 2 ? 3 * 0x1p-16 : 4 * 0x1p-24) +
         (double((k + 15) / 16) + 20 * N * (N + 1)) * 0x1p-24;
}

template <class Form, int N>
double worst(std::int64_t m, std::int64_t n, std::int64_t k, int spread, TensorCore how) {
  const auto a = random_matrix<N>(m, k, spread, 1);
  const auto b = random_matrix<N>(k, n, spread, 2);
  const auto floats = product_on_grid<Form, N, float>(a, b, {3, how});
  const auto limbs = product_on_grid<Form, N, bfloat16>(a, b, {4, how});
  double most = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      double magnitude = 0;
      for (std::int64_t d = 0; d < k; ++d) {
        sum += a.at(i, d) * b.at(d, j);
        magnitude += std::fabs(a.at(i, d) * b.at(d, j));
      }
      const auto element = std::size_t(i * n + j);
      most = std::max(most, std::fabs(double(floats[element]) - sum) / magnitude);
      const mct::Expansion<bfloat16, N> rounded(floats[element]);
      for (int l = 0; l < N; ++l)
        EXPECT_EQ(limbs[std::size_t(l * m * n) + element].bits(), rounded.limb[l].bits());
    }
  return most;
}

template <class Form, int N>
void expect_bound() {
  for (const TensorCore how : {TensorCore::rounded, TensorCore::truncated}) {
    EXPECT_LE((worst<Form, N>(5, 130, 33, 0, how)), bound<N>(33));
    EXPECT_LE((worst<Form, N>(129, 9, 100, 6, how)), bound<N>(100));
    EXPECT_LE((worst<Form, N>(1, 1, 1, 0, how)), bound<N>(1));
  }
}

template <class Form>
class CudaBfloat16Product : public ::testing::Test {};
TYPED_TEST_SUITE_P(CudaBfloat16Product);

TYPED_TEST_P(CudaBfloat16Product, TwoComponentsKeepTheBound) { expect_bound<TypeParam, 2>(); }
TYPED_TEST_P(CudaBfloat16Product, ThreeComponentsKeepTheBound) { expect_bound<TypeParam, 3>(); }

TYPED_TEST_P(CudaBfloat16Product, FaultsAreFound) {
  constexpr int slices = 6;
  using Tiles = LineTiles<bfloat16>;
  std::vector<bfloat16> a(2 * slices * Tiles::slice, bfloat16(1.0F)), b = a;
  std::vector<float> c(128 * 128);
  const auto error_with = [&](const Faults& faults) {
    GlobalMemory memory;
    memory.add(a).add(b).add_output(c);
    const MultiplyBfloat16<2, float> program{
        {a.data(), 1, slices}, {b.data(), 1, slices}, {c.data(), 0, 128, 1}, 128, 128};
    return testing::message_of<SimulationError>([&] {
      simulate(typename TypeParam::template Of<MultiplyBfloat16<2, float>>(program), {}, memory,
               {1, TensorCore::rounded, faults});
    });
  };
  EXPECT_EQ(error_with({}), "");
  for (const float x : c) ASSERT_EQ(x, 3 * 32 * slices);
  EXPECT_NE(error_with(Faults::without_barrier(0)), "");
  EXPECT_NE(error_with(Faults::impatient(1)), "");
}

REGISTER_TYPED_TEST_SUITE_P(CudaBfloat16Product, TwoComponentsKeepTheBound,
                            ThreeComponentsKeepTheBound, FaultsAreFound);

}  // namespace mct::cuda::bfloat16_product_cases
