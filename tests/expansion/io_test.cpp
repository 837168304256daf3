// Decimal output against MPFR: exact round trips, shortness, correct rounding of digits.
#include "mctensor/expansion/io.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <string>

#include "mpfr_limbs.hpp"

namespace mct {
namespace {

using namespace test;

template <class X>
class IoTest : public ::testing::Test {
 protected:
  Random random{20240229};
};
using AllTypes = ::testing::Types<f64x1, f64x2, f64x3, f64x4, f32x1, f32x2, f32x3, f32x4>;
TYPED_TEST_SUITE(IoTest, AllTypes);

template <class X>
bool reads_back(const std::string& text, const Real& x) {
  return mpfr_equal_p(exact(from_string<X>(text)).get(), Real(x).get()) != 0;
}

std::string digits_of(const std::string& text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e')))
    if (c >= '0' && c <= '9' && !(digits.empty() && c == '0')) digits += c;
  return digits;
}

/// The significant digits, where trailing zeros before the point are not.
int significant_digits(const std::string& text) {
  const std::string digits = digits_of(text);
  return int(digits.find_last_not_of('0')) + 1;
}

TYPED_TEST(IoTest, ShortestTextReadsBackAndNoneIsShorter) {
  for (int i = 0; i < 1500; ++i) {
    const auto x = random_expansion<TypeParam>(this->random);
    Real value = exact(x);
    if (!std::isfinite(mpfr_get_d(value.get(), MPFR_RNDN))) continue;
    const std::string text = to_string(x);
    if (mpfr_zero_p(value.get())) {
      EXPECT_EQ(text, "0");
      continue;
    }
    ASSERT_TRUE(reads_back<TypeParam>(text, value)) << to_hex_string(x) << " gave " << text;
    const int digits = significant_digits(text);
    // the texts that read back are those between two bounds, so the neighbours of x decide
    if (digits > 1) {
      for (const mpfr_rnd_t rounding : {MPFR_RNDD, MPFR_RNDU}) {
        const std::string shorter = decimal_near(value, digits - 1, rounding);
        ASSERT_FALSE(reads_back<TypeParam>(shorter, value))
            << to_hex_string(x) << " gave " << text << " but " << shorter << " would do";
      }
    }
    const std::string nearest = decimal_near(value, digits, MPFR_RNDN);
    if (reads_back<TypeParam>(nearest, value)) {
      Real shown;
      Real best;
      mpfr_set_str(shown.get(), text.c_str(), 10, MPFR_RNDN);
      mpfr_set_str(best.get(), nearest.c_str(), 10, MPFR_RNDN);
      ASSERT_TRUE(mpfr_equal_p(shown.get(), best.get()))
          << to_hex_string(x) << " gave " << text << " but " << nearest << " is closer";
    }
  }
}

TYPED_TEST(IoTest, HexadecimalLimbsKeepEveryBit) {
  for (int i = 0; i < 3000; ++i) {
    const auto x = random_expansion<TypeParam>(this->random);
    const std::string text = to_hex_string(x);
    ASSERT_TRUE(same_limbs(from_string<TypeParam>(text), x)) << text;
  }
}

/// What to_string(x, digits) is by MPFR's printf: %#g without a point at the end.
std::string expected_digits(Real& x, int digits) {
  std::string text = x.printf("%#.*Rg", digits);
  const std::size_t point = text.find('.');
  if (point + 1 == text.size() || text[point + 1] == 'e') text.erase(point, 1);
  return text;
}

TYPED_TEST(IoTest, DigitsAreCorrectlyRounded) {
  for (int i = 0; i < 1500; ++i) {
    const auto x = random_expansion<TypeParam>(this->random);
    Real value = exact(x);
    if (mpfr_zero_p(value.get())) continue;
    const int digits = uniform(this->random, 1, i % 20 == 0 ? 1600 : 70);
    const std::string text = to_string(x, digits);
    ASSERT_EQ(text, expected_digits(value, digits)) << to_hex_string(x);
    if (text.find('e') != std::string::npos || text.find('.') != std::string::npos) {
      ASSERT_EQ(digits_of(text).size(), std::size_t(digits));
    }
  }
}

TYPED_TEST(IoTest, ModerateExponentsToo) {
  for (int i = 0; i < 1500; ++i) {
    auto x = random_expansion<TypeParam>(this->random);
    int exponent;
    std::frexp(x.limb[0], &exponent);
    const int shift = uniform(this->random, -70, 110) - exponent;
    for (auto& limb : x.limb) limb = std::ldexp(limb, shift);
    Real value = exact(x);
    if (mpfr_zero_p(value.get())) continue;
    const int digits = uniform(this->random, 1, 70);
    ASSERT_EQ(to_string(x, digits), expected_digits(value, digits)) << to_hex_string(x);
    ASSERT_TRUE(reads_back<TypeParam>(to_string(x), value)) << to_hex_string(x);
  }
}

TYPED_TEST(IoTest, TiesBetweenDigitsGoToEven) {
  using X = TypeParam;
  EXPECT_EQ(to_string(X(0.5), 1), "0.5");
  EXPECT_EQ(to_string(X(2.5), 1), "2");
  EXPECT_EQ(to_string(X(3.5), 1), "4");
  EXPECT_EQ(to_string(X(-0.125), 2), "-0.12");
  EXPECT_EQ(to_string(X(0.375), 2), "0.38");
  EXPECT_EQ(to_string(X(9.5), 1), "1e+01");
  EXPECT_EQ(to_string(X(9.96875), 3), "9.97");
  EXPECT_EQ(to_string(X(999.5), 3), "1.00e+03");
  if constexpr (X::components > 1) {
    auto above = X(2.5);
    above.limb[1] = std::numeric_limits<typename X::value_component>::denorm_min();
    EXPECT_EQ(to_string(above, 1), "3");
    above.limb[1] = -above.limb[1];
    EXPECT_EQ(to_string(above, 1), "2");
  }
}

TYPED_TEST(IoTest, NotationChangesWhereAUserExpectsIt) {
  using X = TypeParam;
  EXPECT_EQ(to_string(X(0)), "0");
  EXPECT_EQ(to_string(X(1)), "1");
  EXPECT_EQ(to_string(X(-1.5)), "-1.5");
  EXPECT_EQ(to_string(from_string<X>("100000")), "100000");
  EXPECT_EQ(to_string(from_string<X>("0.0001")), "0.0001");
  EXPECT_EQ(to_string(from_string<X>("0.00001")), "1e-05");
  EXPECT_EQ(to_string(from_string<X>("1.5e-20")), "1.5e-20");
  EXPECT_EQ(to_string(from_string<X>("1e15")), "1000000000000000");
  EXPECT_EQ(to_string(X(1), 5), "1.0000");
  EXPECT_EQ(to_string(X(0), 5), "0.0000");
  EXPECT_EQ(to_string(X(0), 1), "0");
  EXPECT_EQ(to_string(X(123), 3), "123");
  EXPECT_EQ(to_string(X(123), 2), "1.2e+02");
}

TEST(Io, LongerExpansionsShowMoreDigitsBeforeThePoint) {
  EXPECT_EQ(to_string(f64x1(1e16)), "1e+16");
  EXPECT_EQ(to_string(from_string<f64x2>("12345678901234567890123456789012")),
            "12345678901234567890123456789012");
  EXPECT_EQ(to_string(from_string<f64x2>("1e31")), "1" + std::string(31, '0'));
  EXPECT_EQ(to_string(from_string<f64x2>("1e32")), "1e+32");
  EXPECT_EQ(to_string(from_string<f32x2>("1e16")), "1e+16");
}

TEST(Io, OneComponentPrintsLikeToChars) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const f64x1 x = random_expansion<f64x1>(random);
    const f32x1 y = random_expansion<f32x1>(random);
    char buffer[64];
    // a shortest text has the same digits in every notation
    auto end = std::to_chars(buffer, buffer + 64, x.limb[0], std::chars_format::scientific).ptr;
    ASSERT_EQ(significant_digits(std::string(buffer, end)), significant_digits(to_string(x)));
    double back;
    const std::string text = to_string(x);
    std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(back, x.limb[0]);
    if (text.find('e') != std::string::npos) {
      ASSERT_EQ(text, std::string(buffer, end));
    }
    end = std::to_chars(buffer, buffer + 64, y.limb[0], std::chars_format::scientific).ptr;
    const std::string short_text = to_string(y);
    if (short_text.find('e') != std::string::npos) {
      ASSERT_EQ(short_text, std::string(buffer, end));
    }
  }
}

TEST(Io, GapsTakeTheDigitsTheyNeed) {
  const auto gap = f64x2::from_limbs(1.0, std::ldexp(1.0, -1000));
  EXPECT_EQ(significant_digits(to_string(gap)), 318);
  EXPECT_TRUE(same_limbs(from_string<f64x2>(to_string(gap)), gap));
  // a double inside a longer type is its exact value, not its shortest text
  EXPECT_EQ(to_string(f64x2(0.1)), "0.1000000000000000055511151231257827021181583404541015625");
  EXPECT_EQ(to_string(from_string<f64x2>("0.1")), "0.1");
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  const auto widest = f64x4::from_limbs(huge, std::ldexp(1.0, 400), 1.0, tiny);
  EXPECT_EQ(to_string(widest, 1400).size(), 1401u);  // 1400 digits and the point
  EXPECT_TRUE(same_limbs(from_string<f64x4>(to_string(widest)), widest));
  EXPECT_EQ(to_string(f64x4(tiny)), "5e-324");
  EXPECT_EQ(to_string(f64x1(huge)), "1.7976931348623157e+308");
}

TEST(Io, TheDigitBoundOfTheDocumentationHolds) {
  // the largest span of digits: the last one at 10^-1074, the first at 10^308
  const double huge = std::numeric_limits<double>::max();
  const auto x = f64x2::from_limbs(huge, std::numeric_limits<double>::denorm_min());
  const std::string digits = digits_of(to_string(x, max_output_digits));
  EXPECT_EQ(digits.size(), std::size_t(max_output_digits));
  EXPECT_EQ(digits.find_last_not_of('0') + 1, 309u + 1074u);
}

TEST(Io, LimbsThatAreNotNormalized) {
  EXPECT_EQ(to_string(f64x2::from_limbs(1.0, 2.0)), "3");
  EXPECT_EQ(to_string(f64x3::from_limbs(1.0, -1.0, 0.25)), "0.25");
  EXPECT_EQ(to_string(f64x2::from_limbs(1.0, -1.0)), "0");
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(to_string(f64x2::from_limbs(huge, huge)), "inf");
  EXPECT_EQ(to_string(f64x2::from_limbs(-huge, -huge), 20), "-inf");
  EXPECT_EQ(to_hex_string(f64x2::from_limbs(1.0, -2.0)), "0x1p+0,-0x1p+1");
}

TEST(Io, BothLimbSequencesOfATieAreTheSameText) {
  const auto even = f64x2::from_limbs(1.0, 0x1p-53);
  const auto odd = f64x2::from_limbs(1 + 0x1p-52, -0x1p-53);
  EXPECT_EQ(to_string(even), to_string(odd));
  EXPECT_LE(significant_digits(to_string(even)), 33);
}

TYPED_TEST(IoTest, Specials) {
  using X = TypeParam;
  using T = typename X::value_component;
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(to_string(X(inf)), "inf");
  EXPECT_EQ(to_string(X(-inf), 10), "-inf");
  EXPECT_EQ(to_string(X(nan)), "nan");
  EXPECT_EQ(to_string(X(std::copysign(nan, T(-1))), 3), "-nan");
  EXPECT_EQ(to_string(X(T(-0.0))), "-0");
  EXPECT_EQ(to_string(X(T(-0.0)), 3), "-0.00");
  EXPECT_EQ(to_hex_string(X(-inf)).substr(0, 4), "-inf");
  for (const T value : {inf, -inf, nan, T(0), T(-0.0)}) {
    EXPECT_TRUE(same_limbs(from_string<X>(to_string(X(value))), X(value)));
    EXPECT_TRUE(same_limbs(from_string<X>(to_hex_string(X(value))), X(value)));
  }
}

TYPED_TEST(IoTest, DigitCountsOutOfRangeAreRefused) {
  for (const int digits : {0, -1, max_output_digits + 1, std::numeric_limits<int>::max()}) {
    try {
      to_string(TypeParam(1), digits);
      ADD_FAILURE() << digits;
    } catch (const DomainError& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(digits)), std::string::npos);
    }
  }
  EXPECT_EQ(to_string(TypeParam(1), max_output_digits).size(), std::size_t(max_output_digits) + 1);
}

}  // namespace
}  // namespace mct
