// Products through integers on a simulated GPU: bit for bit those of the host.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "cuda/linalg/integer_product.hpp"
#include "mctensor/linalg/device_products.hpp"
#include "mctensor/linalg/products.hpp"
#include "src/linalg/integer_product.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

MCT_FOR_EACH_INTEGER_PRODUCT(MCT_SIMULATE_PROGRAM)
MCT_FOR_EACH_VECTOR_PRODUCT(MCT_SIMULATE_PROGRAM)

namespace {

constexpr auto normwise = MatmulAccuracy::normwise;
constexpr auto componentwise = MatmulAccuracy::componentwise;

/// Numbers whose exponents are spread over 2 `spread` powers of two.
template <int N>
Tensor<double, N> random_matrix(std::int64_t m, std::int64_t n, int spread, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::uniform_int_distribution<int> exponent(-spread, spread);
  Tensor<double, N> x(Shape{m, n});
  for (std::int64_t i = 0; i < m * n; ++i) {
    double limb = std::ldexp(number(random), exponent(random));
    for (int l = 0; l < N; ++l) {
      x.data(l)[i] = limb;
      limb *= number(random) * 0x1p-53;
    }
  }
  return x;
}

template <class S, class X>
MatrixView<S> view(const X& x) {
  return {x.data(), x.plane_stride(), x.size(1), 1};
}

/// The product, or nothing where it is not for integers.
template <int N>
std::optional<Tensor<double, N>> product_on_device(const Tensor<double, N>& a,
                                                   const Tensor<double, N>& b,
                                                   MatmulAccuracy accuracy, unsigned seed = 0) {
  simulated_how() = {seed};
  const auto x = to_device(a);
  const auto y = to_device(b);
  const auto c = DeviceTensor<double, N>::uninitialized({a.size(0), b.size(1)});
  if (!integer_product<N>(StreamQueue(x.stream()), a.size(0), b.size(1), a.size(1),
                          view<const double>(x), view<const double>(y), view<double>(c), accuracy))
    return std::nullopt;
  return to_host(c);
}

template <int N>
Tensor<double, N> product_on_host(const Tensor<double, N>& a, const Tensor<double, N>& b,
                                  MatmulAccuracy accuracy) {
  Tensor<double, N> c(Shape{a.size(0), b.size(1)});
  linalg_detail::IntegerProductOptions options;
  options.accuracy = accuracy;
  options.any_shape = true;
  EXPECT_TRUE(linalg_detail::integer_product(a.size(0), b.size(1), a.size(1),
                                             {view<const double>(a), N}, {view<const double>(b), N},
                                             {view<double>(c), N}, options));
  return c;
}

template <int N>
void expect_same(const std::optional<Tensor<double, N>>& got, const Tensor<double, N>& want) {
  ASSERT_TRUE(got.has_value());
  for (int l = 0; l < N; ++l)
    for (std::int64_t i = 0; i < want.numel(); ++i)
      ASSERT_EQ(got->data(l)[i], want.data(l)[i]) << "limb " << l << " of element " << i;
}

template <int N>
void expect_host_bits(std::int64_t m, std::int64_t n, std::int64_t k, MatmulAccuracy accuracy,
                      int spread, unsigned seed) {
  const auto a = random_matrix<N>(m, k, spread, seed);
  const auto b = random_matrix<N>(k, n, spread, seed + 1);
  expect_same(product_on_device(a, b, accuracy, seed), product_on_host(a, b, accuracy));
}

TEST(CudaIntegerProduct, TwoDoublesAreTheHostsBits) {
  expect_host_bits<2>(70, 66, 37, normwise, 0, 1);
  expect_host_bits<2>(130, 5, 200, normwise, 3, 2);
  expect_host_bits<2>(33, 129, 65, componentwise, 2, 3);
}
TEST(CudaIntegerProduct, ThreeDoublesAreTheHostsBits) {
  expect_host_bits<3>(20, 34, 70, normwise, 0, 4);
  expect_host_bits<3>(3, 7, 129, componentwise, 1, 5);
}
TEST(CudaIntegerProduct, OneDoubleIsTheHostsBits) {
  expect_host_bits<1>(17, 31, 100, normwise, 5, 6);
}
TEST(CudaIntegerProduct, OneElement) { expect_host_bits<2>(1, 1, 1, normwise, 0, 7); }

TEST(CudaIntegerProduct, ExtremesAreTheHostsBits) {
  // subnormal results, results that overflow, lines of zeros
  const double largest = std::numeric_limits<double>::max();
  Tensor<double, 2> a(Shape{3, 2}), b(Shape{2, 3});
  const double leading[] = {largest, largest, 1e-300, 1e-310, 0, 0};
  const double right[] = {1, -2, 1e-15, 1, 3, 0};
  std::copy(std::begin(leading), std::end(leading), a.data());
  std::copy(std::begin(right), std::end(right), b.data());
  a.data(1)[0] = largest * 0x1p-54;
  b.data(1)[0] = 0x1p-54;
  const auto want = product_on_host(a, b, normwise);
  EXPECT_TRUE(std::isinf(want(0, 0).limb[0]));
  expect_same(product_on_device(a, b, normwise), want);
}

TEST(CudaIntegerProduct, LeavesWhatIsNotForIntegers) {
  const auto a = random_matrix<2>(4, 5, 0, 8);
  const auto b = random_matrix<2>(5, 4, 0, 9);
  a.set({0, 3}, f64x2(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(product_on_device(a, b, normwise).has_value());
  a.set({0, 3}, f64x2(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(product_on_device(a, b, normwise).has_value());
  a.set({0, 3}, f64x2(0x1p-900));  // too far from its row for the componentwise bound
  EXPECT_FALSE(product_on_device(a, b, componentwise).has_value());
  EXPECT_TRUE(product_on_device(a, b, normwise).has_value());
}

TEST(CudaIntegerProduct, FallsBackToTheVectorUnits) {
  const auto a = random_matrix<2>(4, 5, 0, 8);
  const auto b = random_matrix<2>(5, 4, 0, 9);
  a.set({0, 3}, f64x2(std::numeric_limits<double>::infinity()));
  const auto c = to_host(mm(to_device(a), to_device(b), normwise));
  const auto want = mct::mm(a, b);
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 4; ++j)
      EXPECT_EQ(c(i, j).limb[0], want(i, j).limb[0]) << i << ' ' << j;
}

/// The residue product alone, with a fault in its synchronization.
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
  return mct::testing::message_of<SimulationError>([&] {
    simulate(program, {}, memory, {1, TensorCore::rounded, faults});
    for (const std::uint32_t word : y) ASSERT_EQ(word, 0x8f8f8f8fu);  // 640 = -113 modulo 251
  });
}

TEST(CudaIntegerProduct, FaultsAreFound) {
  EXPECT_EQ(error_with({}), "");
  EXPECT_NE(error_with(Faults::without_barrier(0)), "");
  EXPECT_NE(error_with(Faults::impatient(1)), "");
}

}  // namespace
}  // namespace mct::cuda
