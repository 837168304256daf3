// Matrix products of a GPU by the vector units, on a simulated one: bit for bit those of the host.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/linalg/product.hpp"
#include "mctensor/linalg/device_products.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

MCT_FOR_EACH_VECTOR_PRODUCT(MCT_SIMULATE_PROGRAM)

namespace {

template <class T, int N>
Tensor<T, N> product_on_device(const Tensor<T, N>& a, const Tensor<T, N>& b, unsigned seed) {
  simulated_how() = {seed};
  const auto x = to_device(a);
  const auto y = to_device(b);
  auto c = DeviceTensor<T, N>::uninitialized({a.size(0), b.size(1)});
  const auto view = [](const auto& of) {
    return MatrixView<const T>{of.data(), of.plane_stride(), of.size(1), 1};
  };
  vector_product<T, N>(StreamQueue(x.stream()), a.size(0), b.size(1), a.size(1), view(x), view(y),
                       {c.data(), c.plane_stride(), c.size(1), 1});
  return to_host(c);
}

/// The sum of one element as the host's accumulator makes it.
template <class T, int N>
Expansion<T, N> sum_of(const Tensor<T, N>& a, const Tensor<T, N>& b, std::int64_t i,
                       std::int64_t j) {
  using Factor = PackedFactor<T, N>;
  Accumulator<T, N> sum;
  const std::int64_t depth = a.size(1);
  for (std::int64_t k = 0; k < Factor::slices_of(depth) * Factor::depth; ++k) {
    const Expansion<T, N> zero{};
    const bool inside = k < depth;
    sum.add_product(inside ? a(i, k) : zero, inside ? b(k, j) : zero);
    if ((k + 1) % sum.period == 0) sum.carry();
  }
  return sum.result();
}

template <class T, int N>
void expect_host_bits(std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto a = mct::randn<T, N>({m, k}, 7);
  const auto b = mct::randn<T, N>({k, n}, 8);
  for (const unsigned seed : {1u, 2u}) {
    const auto c = product_on_device(a, b, seed);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        const auto want = sum_of(a, b, i, j);
        const auto got = c(i, j);
        for (int l = 0; l < N; ++l)
          ASSERT_EQ(got.limb[l], want.limb[l]) << i << ' ' << j << " limb " << l;
      }
  }
}

TEST(CudaGemm, TwoDoublesAreTheHostsBits) { expect_host_bits<double, 2>(70, 66, 37); }
TEST(CudaGemm, ThreeDoublesAreTheHostsBits) { expect_host_bits<double, 3>(65, 3, 21); }
TEST(CudaGemm, TwoFloatsAreTheHostsBits) { expect_host_bits<float, 2>(5, 131, 64); }
TEST(CudaGemm, ThreeFloatsAreTheHostsBits) { expect_host_bits<float, 3>(33, 34, 8); }
TEST(CudaGemm, OneElement) { expect_host_bits<double, 2>(1, 1, 1); }

/// The library's own product goes the same way where it multiplies in floating point.
TEST(CudaGemm, EqualsTheLibrarysProduct) {
  const auto a = mct::randn<double, 2>({20, 50}, 3);
  const auto b = mct::randn<double, 2>({50, 9}, 4);
  const auto c = product_on_device(a, b, 5);
  const auto want = mct::mm(a, b);
  for (std::int64_t i = 0; i < 20; ++i)
    for (std::int64_t j = 0; j < 9; ++j)
      for (int l = 0; l < 2; ++l) ASSERT_EQ(c(i, j).limb[l], want(i, j).limb[l]) << i << ' ' << j;
}

TEST(CudaGemm, InfinitiesAndNaNAreWhatTheLibrarySays) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double values[] = {1, -2, 0, inf, -inf, nan, 1e308};
  Tensor<double, 2> a(Shape{7, 2}), b(Shape{2, 7});
  for (std::int64_t i = 0; i < 7; ++i) {
    a.set({i, 0}, f64x2(values[i]));
    a.set({i, 1}, f64x2(1.5));
    b.set({0, i}, f64x2(values[i]));
    b.set({1, i}, f64x2(0.5));
  }
  const auto c = product_on_device(a, b, 1);
  const auto want = mct::mm(a, b);
  for (std::int64_t i = 0; i < 7; ++i)
    for (std::int64_t j = 0; j < 7; ++j) {
      const double x = c(i, j).limb[0];
      const double y = want(i, j).limb[0];
      EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y)))
          << values[i] << " times " << values[j] << ": " << x << ", the host says " << y;
    }
}

/// What a fault in the product's synchronization leads to.
std::string error_with(const Faults& faults) {
  using Program = Gemm<double, 2>;
  constexpr int slices = 7;
  const std::vector<double> a(std::size_t(slices) * Program::Factor::slice, 1.0), b = a;
  std::vector<double> c(2 * Program::tile * Program::tile);
  GlobalMemory memory;
  memory.add(a).add(b).add_output(c);
  const Program program{{a.data(), slices},
                        {b.data(), slices},
                        {c.data(), Program::tile * Program::tile, Program::tile, 1},
                        Program::tile,
                        Program::tile,
                        true};
  return mct::testing::message_of<SimulationError>([&] {
    simulate(program, {}, memory, {1, TensorCore::rounded, faults});
  });
}

TEST(CudaGemm, FaultsAreFound) {
  EXPECT_EQ(error_with({}), "");
  for (const int site : {0, 1}) EXPECT_NE(error_with(Faults::without_barrier(site)), "") << site;
  EXPECT_NE(error_with(Faults::impatient(1)), "");
}

}  // namespace
}  // namespace mct::cuda
