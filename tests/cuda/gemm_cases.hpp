// Cases of matrix products of a GPU, in the simulator: bit for bit those of the host. gemm_test.cpp
// runs them on the source of the programs, ptx/gemm_test.cpp on what nvcc made of it.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/linalg/gemm.hpp"
#include "cuda/linalg/guarded_sums.hpp"
#include "cuda/linalg/pack.hpp"
#include "mctensor/linalg/products.hpp"
#include "tests/cuda/simulator/simulate.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

constexpr std::int64_t round_up(std::int64_t x, std::int64_t step) {
  return (x + step - 1) / step * step;
}

/// A matrix of expansions, plane after plane, row after row.
template <class T, int N>
struct Matrix {
  std::int64_t rows, columns;
  std::vector<T> data;

  Matrix(std::int64_t m, std::int64_t n)
      : rows(m), columns(n), data(std::size_t(m * n * N), T(0)) {}

  MatrixView<T> view() { return {data.data(), rows * columns, columns, 1}; }
  MatrixView<const T> view() const { return {data.data(), rows * columns, columns, 1}; }
  Expansion<T, N> at(std::int64_t i, std::int64_t j) const {
    Expansion<T, N> x{};
    for (int l = 0; l < N; ++l) x.limb[l] = data[std::size_t(l * rows * columns + i * columns + j)];
    return x;
  }
  void set(std::int64_t i, std::int64_t j, const Expansion<T, N>& x) {
    for (int l = 0; l < N; ++l) data[std::size_t(l * rows * columns + i * columns + j)] = x.limb[l];
  }
};

template <class T, int N>
Matrix<T, N> random_matrix(std::int64_t m, std::int64_t n, std::mt19937& random) {
  std::uniform_real_distribution<T> number(-1, 1);
  Matrix<T, N> x(m, n);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      Expansion<T, N> value(number(random));
      T unit = std::numeric_limits<T>::epsilon() / 4;
      for (int l = 1; l < N; ++l, unit *= std::numeric_limits<T>::epsilon() / 4)
        value = value + Expansion<T, N>(number(random) * unit);
      x.set(i, j, value);
    }
  return x;
}

/// Packs both factors and multiplies, as launches on a GPU do; faults are the product's.
/// Form::Of<Program> is what runs in a program's place.
template <class Form, class T, int N>
Matrix<T, N> product_on_grid(const Matrix<T, N>& a, const Matrix<T, N>& b, const Simulation& how,
                             const Faults& faults = {}) {
  using Factor = PackedFactor<T, N>;
  using Guarded = GuardedSums<T, N>;
  const auto tiles_m = int(Factor::tiles(a.rows));
  const auto tiles_n = int(Factor::tiles(b.columns));
  const auto slices = int(Factor::slices_of(a.columns));
  std::vector<T> of_a(std::size_t(tiles_m * slices * Factor::slice));
  std::vector<T> of_b(std::size_t(tiles_n * slices * Factor::slice));
  const Factor packed_a{of_a.data(), slices};
  const Factor packed_b{of_b.data(), slices};
  const PackedFactor<const T, N> read_a{of_a.data(), slices};
  const PackedFactor<const T, N> read_b{of_b.data(), slices};
  Matrix<T, N> c(a.rows, b.columns);
  GlobalMemory memory;
  memory.add(a.data).add(b.data).add_output(of_a).add_output(of_b).add_output(c.data);
  const auto run = [&]<class Program>(const Program& program, const Grid& grid,
                                      const Simulation& simulation) {
    simulate(typename Form::template Of<Program>(program), grid, memory, simulation);
  };
  const int across = (slices + 3) / 4;
  run(PackFactor<T, N>{a.view(), a.rows, a.columns, packed_a}, {2 * tiles_m, across}, how);
  run(PackFactor<T, N>{b.view().transposed(), b.columns, b.rows, packed_b}, {2 * tiles_n, across},
      how);
  const bool wide = b.columns % widest<T> == 0;
  run(Gemm<T, N>{read_a, read_b, c.view(), a.rows, b.columns, wide}, {tiles_n, tiles_m},
      {how.seed, how.tensor_core, faults});
  const auto blocks = int(round_up(a.rows * b.columns, Guarded::threads) / Guarded::threads);
  run(Guarded{read_a, read_b, c.view(), a.rows, b.columns, a.columns}, {blocks}, how);
  return c;
}

/// The sum of one element as the host's accumulator makes it.
template <class T, int N>
Expansion<T, N> sum_of(const Matrix<T, N>& a, const Matrix<T, N>& b, std::int64_t i,
                       std::int64_t j) {
  mct::Accumulator<T, N> sum;
  const std::int64_t end = round_up(a.columns, PackedFactor<T, N>::depth);
  for (std::int64_t k = 0; k < end; ++k) {
    const Expansion<T, N> zero{};
    const bool inside = k < a.columns;
    sum.add_product(inside ? a.at(i, k) : zero, inside ? b.at(k, j) : zero);
    if ((k + 1) % sum.period == 0) sum.carry();
  }
  return sum.result();
}

template <class Form, class T, int N>
void expect_host_bits(std::int64_t m, std::int64_t n, std::int64_t k) {
  std::mt19937 random(7);
  const auto a = random_matrix<T, N>(m, k, random);
  const auto b = random_matrix<T, N>(k, n, random);
  for (const unsigned seed : {1u, 2u}) {
    const auto c = product_on_grid<Form>(a, b, {seed});
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        const auto want = sum_of(a, b, i, j);
        const auto got = c.at(i, j);
        for (int l = 0; l < N; ++l)
          ASSERT_EQ(got.limb[l], want.limb[l]) << i << ' ' << j << " limb " << l;
      }
  }
}

template <class Form>
class CudaGemm : public ::testing::Test {};
TYPED_TEST_SUITE_P(CudaGemm);

TYPED_TEST_P(CudaGemm, TwoDoublesAreTheHostsBits) {
  expect_host_bits<TypeParam, double, 2>(70, 66, 37);
}
TYPED_TEST_P(CudaGemm, ThreeDoublesAreTheHostsBits) {
  expect_host_bits<TypeParam, double, 3>(65, 3, 21);
}
TYPED_TEST_P(CudaGemm, TwoFloatsAreTheHostsBits) {
  expect_host_bits<TypeParam, float, 2>(5, 131, 64);
}
TYPED_TEST_P(CudaGemm, ThreeFloatsAreTheHostsBits) {
  expect_host_bits<TypeParam, float, 3>(33, 34, 8);
}
TYPED_TEST_P(CudaGemm, OneElement) { expect_host_bits<TypeParam, double, 2>(1, 1, 1); }

/// The library's own product goes the same way where it multiplies in floating point.
TYPED_TEST_P(CudaGemm, EqualsTheLibrarysProduct) {
  std::mt19937 random(3);
  auto a = random_matrix<double, 2>(20, 50, random);
  auto b = random_matrix<double, 2>(50, 9, random);
  const auto c = product_on_grid<TypeParam>(a, b, {5});
  const auto want = mct::mm(mct::Tensor<double, 2>::from_memory(a.data.data(), {20, 50}),
                            mct::Tensor<double, 2>::from_memory(b.data.data(), {50, 9}));
  for (std::int64_t i = 0; i < 20; ++i)
    for (std::int64_t j = 0; j < 9; ++j)
      for (int l = 0; l < 2; ++l)
        ASSERT_EQ(c.at(i, j).limb[l], want(i, j).limb[l]) << i << ' ' << j;
}

TYPED_TEST_P(CudaGemm, InfinitiesAndNaNAreWhatTheLibrarySays) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double values[] = {1, -2, 0, inf, -inf, nan, 1e308};
  Matrix<double, 2> a(7, 2), b(2, 7);
  for (std::int64_t i = 0; i < 7; ++i) {
    a.set(i, 0, Expansion<double, 2>(values[i]));
    a.set(i, 1, Expansion<double, 2>(1.5));
    b.set(0, i, Expansion<double, 2>(values[i]));
    b.set(1, i, Expansion<double, 2>(0.5));
  }
  const auto c = product_on_grid<TypeParam>(a, b, {1});
  const auto want = mct::mm(mct::Tensor<double, 2>::from_memory(a.data.data(), {7, 2}),
                            mct::Tensor<double, 2>::from_memory(b.data.data(), {2, 7}));
  for (std::int64_t i = 0; i < 7; ++i)
    for (std::int64_t j = 0; j < 7; ++j) {
      const double x = c.at(i, j).limb[0];
      const double y = want(i, j).limb[0];
      EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y)))
          << values[i] << " times " << values[j] << ": " << x << ", the host says " << y;
    }
}

/// What a fault in the product's synchronization leads to.
template <class Form>
std::string error_with(const Faults& faults) {
  std::mt19937 random(3);
  const auto a = random_matrix<double, 2>(20, 50, random);
  const auto b = random_matrix<double, 2>(50, 9, random);
  return mct::testing::message_of<SimulationError>(
      [&] { product_on_grid<Form>(a, b, {1}, faults); });
}

TYPED_TEST_P(CudaGemm, FaultsAreFound) {
  EXPECT_EQ(error_with<TypeParam>({}), "");
  for (const int site : {0, 1})
    EXPECT_NE(error_with<TypeParam>(Faults::without_barrier(site)), "") << site;
  EXPECT_NE(error_with<TypeParam>(Faults::impatient(1)), "");
}

REGISTER_TYPED_TEST_SUITE_P(CudaGemm, TwoDoublesAreTheHostsBits, ThreeDoublesAreTheHostsBits,
                            TwoFloatsAreTheHostsBits, ThreeFloatsAreTheHostsBits, OneElement,
                            EqualsTheLibrarysProduct, InfinitiesAndNaNAreWhatTheLibrarySays,
                            FaultsAreFound);

}  // namespace mct::cuda
