// Sine, cosine and tangent of large angles: of plain numbers, of batches and of expansions.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"
#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"
#endif

namespace mct::large_angles {

/// The double and the float that come nearest to a multiple of pi/2.
const double nearest_double = std::ldexp(6381956970095103.0, 797);
const float nearest_float = std::ldexp(16367173.0F, 72);

std::vector<double> angles() {
  std::vector<double> x{nearest_double, nearest_float, 0x1p19, 1e22, 1e300, 0x1.fffffffffffffp1023};
  std::mt19937_64 random(3);
  for (int i = 0; i < 3000; ++i) {
    const double mantissa = 1 + std::ldexp(double(random() >> 11), -53);
    x.push_back(std::ldexp(i % 2 == 0 ? mantissa : -mantissa, 19 + i % 1005));
  }
  return x;
}

/// In ulps of the truth.
double ulps(double value, const f64x2& truth) {
  const double size = std::fabs(truth.limb[0]);
  return std::fabs((f64x2(value) - truth).limb[0]) / (std::nextafter(size, INFINITY) - size);
}

TEST(LargeAngles, OfPlainDoubles) {
  EXPECT_EQ(cos(f64x1(nearest_double)).limb[0], -4.68716592425462761112e-19);
  for (const double x : angles()) {
    EXPECT_LE(ulps(sin(f64x1(x)).limb[0], sin(f64x2(x))), 0.51) << x;
    EXPECT_LE(ulps(cos(f64x1(x)).limb[0], cos(f64x2(x))), 0.51) << x;
    EXPECT_LE(ulps(tan(f64x1(x)).limb[0], tan(f64x2(x))), 0.51) << x;
  }
  for (const double bad : {INFINITY, -INFINITY, NAN}) EXPECT_TRUE(isnan(sin(f64x1(bad))));
}

TEST(LargeAngles, OfFloatsAreRoundedCorrectly) {
  for (const double x : angles()) {
    const float f = float(x);
    if (!std::isfinite(f)) continue;
    EXPECT_EQ(sin(f32x1(f)).limb[0], float(sin(f64x1(f)).limb[0])) << x;
    EXPECT_EQ(cos(f32x1(f)).limb[0], float(cos(f64x1(f)).limb[0])) << x;
    EXPECT_EQ(tan(f32x1(f)).limb[0], float(tan(f64x1(f)).limb[0])) << x;
  }
}

#if MCT_WITH_XSIMD
TEST(LargeAngles, OfBatchesAreThoseOfNumbers) {
  using V = xsimd::batch<double>;
  const auto x = angles();
  for (std::size_t i = 0; i + V::size <= x.size(); ++i) {
    double lanes[V::size];
    for (std::size_t j = 0; j < V::size; ++j) lanes[j] = j % 3 == 1 ? 0.5 : x[i + j];
    double results[V::size];
    sin(Expansion<V, 1>(V::load_unaligned(lanes))).limb[0].store_unaligned(results);
    for (std::size_t j = 0; j < V::size; ++j)
      EXPECT_EQ(results[j], sin(f64x1(lanes[j])).limb[0]) << lanes[j];
  }
}
#endif

/// Two limbs beside three, which are reduced by more; nearest to multiples of pi/2, too, where the
/// reduction in all its limbs takes over.
template <class T>
void expect_two_limbs() {
  constexpr T unit = pow2<T>(-2 * FloatTraits<T>::p);
  for (const double lead : angles()) {
    if (!std::isfinite(T(lead))) continue;
    for (const T low : {T(0), T(lead) * pow2<T>(-FloatTraits<T>::p - 2)}) {
      const auto x = Expansion<T, 2>(T(lead)) + Expansion<T, 2>(low);
      const auto truth = sin(Expansion<T, 3>(x));
      const auto error = Expansion<T, 3>(sin(x)) - truth;
      EXPECT_LE(std::fabs(error.limb[0]), T(1.5) * unit * std::fabs(truth.limb[0])) << lead;
    }
  }
}
TEST(LargeAngles, OfExpansions) {
  expect_two_limbs<double>();
  expect_two_limbs<float>();
}

}  // namespace mct::large_angles
