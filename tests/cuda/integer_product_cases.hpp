// Cases of products through integers on a GPU, in the simulator: bit for bit those of the host.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/linalg/integer_product.hpp"
#include "mctensor/linalg/products.hpp"
#include "src/linalg/integer_product.hpp"
#include "tests/cuda/simulator/simulated_queue.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda::integer_product_cases {

/// Planes of a matrix, row after row.
template <int N>
struct Matrix {
  std::int64_t rows, columns;
  std::vector<double> data;

  Matrix(std::int64_t m, std::int64_t n) : rows(m), columns(n), data(std::size_t(m * n * N), 0.0) {}

  MatrixView<double> view() { return {data.data(), rows * columns, columns, 1}; }
  MatrixView<const double> view() const { return {data.data(), rows * columns, columns, 1}; }
};

/// Numbers whose exponents are spread over 2 `spread` powers of two.
template <int N>
Matrix<N> random_matrix(std::int64_t m, std::int64_t n, int spread, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::uniform_int_distribution<int> exponent(-spread, spread);
  Matrix<N> x(m, n);
  for (std::int64_t i = 0; i < m * n; ++i) {
    double limb = std::ldexp(number(random), exponent(random));
    for (int l = 0; l < N; ++l) {
      x.data[std::size_t(l * m * n + i)] = limb;
      limb *= number(random) * 0x1p-53;
    }
  }
  return x;
}

template <class Form, int N>
bool product_on_grid(const Matrix<N>& a, const Matrix<N>& b, MatmulAccuracy accuracy, Matrix<N>& c,
                     const Simulation& how = {}) {
  SimulatedQueue<Form> queue(how);
  queue.memory().add(a.data).add(b.data).add_output(c.data);
  return integer_product<N>(queue, a.rows, b.columns, a.columns, a.view(), b.view(), c.view(),
                            accuracy);
}

template <class Form, int N>
void expect_host_bits(std::int64_t m, std::int64_t n, std::int64_t k, MatmulAccuracy accuracy,
                      int spread, unsigned seed) {
  const auto a = random_matrix<N>(m, k, spread, seed);
  const auto b = random_matrix<N>(k, n, spread, seed + 1);
  Matrix<N> got(m, n), want(m, n);
  ASSERT_TRUE(product_on_grid<Form>(a, b, accuracy, got, {seed}));
  linalg_detail::IntegerProductOptions options;
  options.accuracy = accuracy;
  options.any_shape = true;
  ASSERT_TRUE(linalg_detail::integer_product(m, n, k, {a.view(), N}, {b.view(), N}, want.view(), N,
                                             options));
  for (std::size_t i = 0; i < got.data.size(); ++i)
    ASSERT_EQ(got.data[i], want.data[i]) << "plane and element " << i;
}

inline constexpr auto normwise = MatmulAccuracy::normwise;
inline constexpr auto componentwise = MatmulAccuracy::componentwise;

template <class Form>
class CudaIntegerProduct : public ::testing::Test {};
TYPED_TEST_SUITE_P(CudaIntegerProduct);

TYPED_TEST_P(CudaIntegerProduct, TwoDoublesAreTheHostsBits) {
  expect_host_bits<TypeParam, 2>(70, 66, 37, normwise, 0, 1);
  expect_host_bits<TypeParam, 2>(130, 5, 200, normwise, 3, 2);
  expect_host_bits<TypeParam, 2>(33, 129, 65, componentwise, 2, 3);
}
TYPED_TEST_P(CudaIntegerProduct, ThreeDoublesAreTheHostsBits) {
  expect_host_bits<TypeParam, 3>(20, 34, 70, normwise, 0, 4);
  expect_host_bits<TypeParam, 3>(3, 7, 129, componentwise, 1, 5);
}
TYPED_TEST_P(CudaIntegerProduct, OneDoubleIsTheHostsBits) {
  expect_host_bits<TypeParam, 1>(17, 31, 100, normwise, 5, 6);
}
TYPED_TEST_P(CudaIntegerProduct, OneElement) {
  expect_host_bits<TypeParam, 2>(1, 1, 1, normwise, 0, 7);
}

TYPED_TEST_P(CudaIntegerProduct, ExtremesAreTheHostsBits) {
  // subnormal results, results that overflow, lines of zeros
  const double largest = std::numeric_limits<double>::max();
  Matrix<2> a(3, 2), b(2, 3);
  a.data = {largest, largest, 1e-300, 1e-310, 0, 0, largest * 0x1p-54, 0, 0, 0, 0, 0};
  b.data = {1, -2, 1e-15, 1, 3, 0, 0x1p-54, 0, 0, 0, 0, 0};
  Matrix<2> got(3, 3), want(3, 3);
  ASSERT_TRUE(product_on_grid<TypeParam>(a, b, normwise, got));
  linalg_detail::IntegerProductOptions options;
  options.accuracy = normwise;
  options.any_shape = true;
  ASSERT_TRUE(linalg_detail::integer_product(3, 3, 2, {std::as_const(a).view(), 2},
                                             {std::as_const(b).view(), 2}, want.view(), 2,
                                             options));
  EXPECT_TRUE(std::isinf(want.data[0]));
  for (std::size_t i = 0; i < got.data.size(); ++i) EXPECT_EQ(got.data[i], want.data[i]) << i;
}

TYPED_TEST_P(CudaIntegerProduct, LeavesWhatIsNotForIntegers) {
  auto a = random_matrix<2>(4, 5, 0, 8);
  const auto b = random_matrix<2>(5, 4, 0, 9);
  Matrix<2> c(4, 4);
  a.data[3] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(product_on_grid<TypeParam>(a, b, normwise, c));
  a.data[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(product_on_grid<TypeParam>(a, b, normwise, c));
  a.data[3] = 0x1p-900;  // too far from its row for the componentwise bound
  a.data[23] = 0;
  EXPECT_FALSE(product_on_grid<TypeParam>(a, b, componentwise, c));
  EXPECT_TRUE(product_on_grid<TypeParam>(a, b, normwise, c));
}

TYPED_TEST_P(CudaIntegerProduct, FallsBackToTheVectorUnits) {
  auto a = random_matrix<2>(4, 5, 0, 8);
  auto b = random_matrix<2>(5, 4, 0, 9);
  a.data[3] = std::numeric_limits<double>::infinity();
  Matrix<2> c(4, 4);
  SimulatedQueue<TypeParam> queue;
  queue.memory().add(a.data).add(b.data).add_output(c.data);
  product<double, 2>(queue, 4, 4, 5, std::as_const(a).view(), std::as_const(b).view(), c.view(),
                     normwise);
  const auto want = mct::mm(mct::Tensor<double, 2>::from_memory(a.data.data(), {4, 5}),
                            mct::Tensor<double, 2>::from_memory(b.data.data(), {5, 4}));
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 4; ++j)
      EXPECT_EQ(c.data[std::size_t(4 * i + j)], want(i, j).limb[0]) << i << ' ' << j;
}

/// The residue product alone, with a fault in its synchronization.
template <class Form>
std::string error_with(const Faults& faults) {
  constexpr int slices = 5;
  const std::size_t bytes = std::size_t(slices) * ResidueFactor::slice;
  std::vector<std::int8_t> a(bytes, 1), b(bytes, 2);
  std::vector<double> modulus = {251};
  std::vector<std::uint32_t> y(ResidueWords::of_tile);
  GlobalMemory memory;
  memory.add(a).add(b).add(modulus).add_output(y);
  const MultiplyResidues program{
      {a.data(), 1, slices}, {b.data(), 1, slices}, modulus.data(), y.data()};
  return testing::message_of<SimulationError>([&] {
    simulate(typename Form::template Of<MultiplyResidues>(program), {}, memory,
             {1, TensorCore::rounded, faults});
    for (const std::uint32_t word : y) ASSERT_EQ(word, 0x8f8f8f8fu);  // 640 = -113 modulo 251
  });
}

TYPED_TEST_P(CudaIntegerProduct, FaultsAreFound) {
  EXPECT_EQ(error_with<TypeParam>({}), "");
  EXPECT_NE(error_with<TypeParam>(Faults::without_barrier(0)), "");
  EXPECT_NE(error_with<TypeParam>(Faults::impatient(1)), "");
}

REGISTER_TYPED_TEST_SUITE_P(CudaIntegerProduct, TwoDoublesAreTheHostsBits,
                            ThreeDoublesAreTheHostsBits, OneDoubleIsTheHostsBits, OneElement,
                            ExtremesAreTheHostsBits, LeavesWhatIsNotForIntegers,
                            FallsBackToTheVectorUnits, FaultsAreFound);

}  // namespace mct::cuda::integer_product_cases
