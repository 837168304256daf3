// Conversions to and from other libraries: exact where they say so, specials kept.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "mctensor/interop/boost_multiprecision.hpp"
#include "mctensor/interop/mpfr.hpp"

#if MCT_WITH_QD
#include "mctensor/interop/qd.hpp"
#endif
#if defined(__SIZEOF_FLOAT128__)
#include "mctensor/interop/float128.hpp"
#endif

namespace {

template <class X>
class Conversion : public ::testing::Test {
 public:
  using Limb = typename X::Scalar;

  /// Random values, limbs with gaps, subnormals, the largest and the smallest.
  static std::vector<X> values() {
    std::mt19937_64 engine(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<X> list = {X(0), X(1), X(-1), std::numeric_limits<X>::max(),
                           std::numeric_limits<X>::denorm_min()};
    for (int k = 0; k < 2000; ++k) {
      Limb limbs[X::components];
      const int gap = k % 3 == 0 ? 40 : 0;
      Limb size = std::ldexp(Limb(uniform(engine)), int(60 * uniform(engine)));
      for (Limb& limb : limbs) {
        limb = size;
        size = std::ldexp(size * mct::FloatTraits<Limb>::u * Limb(uniform(engine)), -gap);
      }
      list.push_back(mct::renormalize<X::components>(limbs));
    }
    return list;
  }
  /// The leading limb is the special value itself.
  static void expect_same(const X& a, const X& b) {
    for (int i = 0; i < X::components; ++i) {
      if (std::isnan(b.limb[i])) {
        EXPECT_TRUE(std::isnan(a.limb[i]));
        return;
      }
      EXPECT_EQ(a.limb[i], b.limb[i]) << i;
      EXPECT_EQ(std::signbit(a.limb[i]) && i == 0, std::signbit(b.limb[i]) && i == 0);
    }
  }
  static std::vector<X> specials() {
    const Limb inf = std::numeric_limits<Limb>::infinity();
    return {X(inf), X(-inf), X(-Limb(0)), X(std::numeric_limits<Limb>::quiet_NaN())};
  }
};
using Expansions = ::testing::Types<mct::f64x1, mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x2,
                                    mct::f32x3, mct::f32x4>;
TYPED_TEST_SUITE(Conversion, Expansions);

TYPED_TEST(Conversion, MpfrAndBackIsExact) {
  using C = Conversion<TypeParam>;
  mpfr_t number;
  mpfr_init2(number, 53);
  for (const auto& list : {C::values(), C::specials()}) {
    for (const TypeParam& x : list) {
      mct::to_mpfr_exactly(number, x);
      C::expect_same(mct::from_mpfr<TypeParam>(number), x);
    }
  }
  mpfr_clear(number);
}

TYPED_TEST(Conversion, MpfrRoundsOnceToItsPrecision) {
  using X = TypeParam;
  using T = typename X::Scalar;
  if constexpr (X::components > 1) {
    // a tie of the first limb that the second decides: two roundings would go to even
    mpfr_t number;
    mpfr_init2(number, 10);
    const X above =
        X::components > 1 ? X(T(1) + T(0x1p-10)) + X(std::numeric_limits<T>::epsilon() / 8) : X(0);
    EXPECT_GT(mct::to_mpfr(number, above), 0);
    EXPECT_EQ(mpfr_get_d(number, MPFR_RNDN), 1 + 0x1p-9);
    mpfr_clear(number);
  }
}

TYPED_TEST(Conversion, MpfrBeyondTheRange) {
  using X = TypeParam;
  mpfr_t number;
  mpfr_init2(number, 53);
  mpfr_set_ui_2exp(number, 1, 5000, MPFR_RNDN);
  EXPECT_TRUE(std::isinf(mct::from_mpfr<X>(number).limb[0]));
  mpfr_set_ui_2exp(number, 1, -5000, MPFR_RNDN);
  EXPECT_EQ(mct::from_mpfr<X>(number), 0);
  mpfr_clear(number);
}

TYPED_TEST(Conversion, BoostAndBackIsExact) {
  using C = Conversion<TypeParam>;
  using Binary = boost::multiprecision::number<
      boost::multiprecision::cpp_bin_float<2400, boost::multiprecision::digit_base_2>>;
  using Mpfr = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<750>>;
  for (const auto& list : {C::values(), C::specials()}) {
    for (const TypeParam& x : list) {
      if (x.limb[0] != 0) C::expect_same(mct::from_boost<TypeParam>(mct::to_boost<Mpfr>(x)), x);
      // the sign of a zero that cpp_bin_float gives back, and its subnormals, are its own affair
      if (x.limb[0] == 0) {
        EXPECT_EQ(mct::from_boost<TypeParam>(mct::to_boost<Binary>(x)), 0);
      } else if (std::fabs(x.limb[0]) > 1e-30f || std::isnan(x.limb[0])) {
        C::expect_same(mct::from_boost<TypeParam>(mct::to_boost<Binary>(x)), x);
      }
    }
  }
}

#if defined(__SIZEOF_FLOAT128__)
TYPED_TEST(Conversion, Float128KeepsWhatItHolds) {
  using C = Conversion<TypeParam>;
  for (const TypeParam& x : C::specials())
    C::expect_same(mct::from_float128<TypeParam>(mct::to_float128(x)), x);
  for (const TypeParam& x : C::values()) {
    const mct::float128 q = mct::to_float128(x);
    const TypeParam back = mct::from_float128<TypeParam>(q);
    // 113 bits of it, and all of them when they suffice
    const TypeParam tolerance = abs(x) * TypeParam(typename TypeParam::Scalar(0x1p-111));
    EXPECT_LE(abs(back - x), tolerance);
    EXPECT_TRUE(mct::to_float128(back) == q || TypeParam::components < 3);
  }
}
#endif

#if MCT_WITH_QD
TEST(ConversionQd, IsExact) {
  for (const auto& x : Conversion<mct::f64x2>::values())
    Conversion<mct::f64x2>::expect_same(mct::from_qd(mct::to_dd_real(x)), x);
  for (const auto& x : Conversion<mct::f64x4>::values())
    Conversion<mct::f64x4>::expect_same(mct::from_qd(mct::to_qd_real(x)), x);
  const mct::f64x3 third = mct::f64x3(1) / 3;
  EXPECT_EQ(mct::from_qd(mct::to_qd_real(third)), third);
}
#endif

}  // namespace
