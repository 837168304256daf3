// Products of expansions of bfloat16 by the tensor cores of a simulated GPU, within the stated
// bound whether these round or cut off.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "cuda/linalg/bfloat16_product.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/linalg/device_products.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

MCT_FOR_EACH_BFLOAT16_PRODUCT(MCT_SIMULATE_PROGRAM)

namespace {

/// Floats of exponents within 2 `spread` powers of two, as N bfloat16.
template <int N>
Tensor<bfloat16, N> random_matrix(std::int64_t m, std::int64_t n, int spread, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-1, 1);
  std::uniform_int_distribution<int> exponent(-spread, spread);
  Tensor<bfloat16, N> x(Shape{m, n});
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const int power = exponent(random);
      x.set({i, j}, Expansion<bfloat16, N>(std::ldexp(number(random), power)));
    }
  return x;
}

template <int N>
double value_of(const Expansion<bfloat16, N>& x) {
  double sum = 0;
  for (int l = 0; l < N; ++l) sum += double(x.limb[l]);
  return sum;
}

template <class Result, int limbs, int N>
Tensor<Result, limbs> product_on_device(const Tensor<bfloat16, N>& a, const Tensor<bfloat16, N>& b,
                                        const Simulation& how) {
  simulated_how() = how;
  const auto x = to_device(a);
  const auto y = to_device(b);
  if constexpr (limbs == N) {
    return to_host(mm(x, y));
  } else {
    return to_host(mm_to_float(x, y));
  }
}

/// The bound of MultiplyBfloat16 per sum of the products' magnitudes.
template <int N>
double bound(std::int64_t k) {
  return (N == 2 ? 3 * 0x1p-16 : 4 * 0x1p-24) +
         (double((k + 15) / 16) + 20 * N * (N + 1)) * 0x1p-24;
}

template <int N>
double worst(std::int64_t m, std::int64_t n, std::int64_t k, int spread, TensorCore how) {
  const auto a = random_matrix<N>(m, k, spread, 1);
  const auto b = random_matrix<N>(k, n, spread, 2);
  const auto floats = product_on_device<float, 1>(a, b, {3, how});
  const auto limbs = product_on_device<bfloat16, N>(a, b, {4, how});
  double most = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      double magnitude = 0;
      for (std::int64_t d = 0; d < k; ++d) {
        const double product = value_of<N>(a(i, d)) * value_of<N>(b(d, j));
        sum += product;
        magnitude += std::fabs(product);
      }
      most = std::max(most, std::fabs(double(floats(i, j)) - sum) / magnitude);
      const Expansion<bfloat16, N> rounded(floats(i, j));
      for (int l = 0; l < N; ++l) EXPECT_EQ(limbs(i, j).limb[l].bits(), rounded.limb[l].bits());
    }
  return most;
}

template <int N>
void expect_bound() {
  for (const TensorCore how : {TensorCore::rounded, TensorCore::ampere, TensorCore::hopper}) {
    EXPECT_LE(worst<N>(5, 130, 33, 0, how), bound<N>(33));
    EXPECT_LE(worst<N>(129, 9, 100, 6, how), bound<N>(100));
    EXPECT_LE(worst<N>(1, 1, 1, 0, how), bound<N>(1));
  }
}

TEST(CudaBfloat16Product, TwoComponentsKeepTheBound) { expect_bound<2>(); }
TEST(CudaBfloat16Product, ThreeComponentsKeepTheBound) { expect_bound<3>(); }

/// Of the bits of a product's elements (FNV-1a).
template <int N>
std::uint64_t fingerprint(TensorCore how) {
  const auto c = product_on_device<float, 1>(random_matrix<N>(70, 150, 12, 3),
                                             random_matrix<N>(150, 40, 12, 4), {5, how});
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::int64_t i = 0; i < c.numel(); ++i)
    hash = (hash ^ std::bit_cast<std::uint32_t>(c.data()[i])) * 0x100000001b3U;
  return hash;
}

/// The model of Hopper's tensor cores gives the bits of an H100, on which this test ran.
TEST(CudaBfloat16Product, HasTheBitsOfHopper) {
#if MCT_ON_DEVICE
  const Device device = devices().front();
  if (device.major != 9 || device.minor != 0) GTEST_SKIP() << "no Hopper";
#endif
  EXPECT_EQ(fingerprint<2>(TensorCore::hopper), 1792631996255648518U);
  EXPECT_EQ(fingerprint<3>(TensorCore::hopper), 9995158015617305272U);
}

TEST(CudaBfloat16Product, FaultsAreFound) {
  constexpr int slices = 6;
  using Tiles = LineTiles<bfloat16>;
  std::vector<bfloat16> a(2 * slices * Tiles::slice, bfloat16(1.0F)), b = a;
  std::vector<float> c(128 * 128);
  const auto error_with = [&](const Faults& faults) {
    GlobalMemory memory;
    memory.add(a).add(b).add_output(c);
    const MultiplyBfloat16<2, float> program{
        {a.data(), 1, slices}, {b.data(), 1, slices}, {c.data(), 0, 128, 1}, 128, 128};
    return mct::testing::message_of<SimulationError>([&] {
      simulate(program, {}, memory, {1, TensorCore::rounded, faults});
    });
  };
  EXPECT_EQ(error_with({}), "");
  for (const float x : c) ASSERT_EQ(x, 3 * 32 * slices);
  EXPECT_NE(error_with(Faults::without_barrier(0)), "");
  EXPECT_NE(error_with(Faults::impatient(1)), "");
}

}  // namespace
}  // namespace mct::cuda
