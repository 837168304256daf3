// from_string against MPFR: rounding, halfway cases, range, refusal of bad texts; literals.
#include <gtest/gtest.h>

#include <string>

#include "mctensor/expansion/io.hpp"
#include "mctensor/expansion/literals.hpp"
#include "mpfr_limbs.hpp"

namespace mct {
namespace {

using namespace test;

template <class X>
class FromStringTest : public ::testing::Test {
 protected:
  Random random{19970131};
};
using AllTypes = ::testing::Types<f64x1, f64x2, f64x3, f64x4, f32x1, f32x2, f32x3, f32x4>;
TYPED_TEST_SUITE(FromStringTest, AllTypes);

std::string random_digits(Random& random, int count, int base = 10) {
  std::string r;
  const bool runs = uniform(random, 0, 3) == 0;  // of zeros and nines
  for (int i = 0; i < count; ++i)
    r += "0123456789abcdef"[runs ? uniform(random, 0, 1) * (base - 1)
                                 : uniform(random, 0, base - 1)];
  return r;
}

#define EXPECT_TEXT(X, text, value)                                                            \
  EXPECT_PRED2((same_limbs<typename X::value_component, X::components>), from_string<X>(text), \
               value)

TYPED_TEST(FromStringTest, DecimalsOverTheWholeRange) {
  using X = TypeParam;
  const int range = sizeof(typename X::value_component) == 8 ? 340 : 60;
  for (int i = 0; i < 3000; ++i) {
    std::string text = uniform(this->random, 0, 1) ? "-" : "";
    text += random_digits(this->random, uniform(this->random, 1, 40));
    if (uniform(this->random, 0, 1))
      text += "." + random_digits(this->random, uniform(this->random, 0, i % 9 ? 80 : 900));
    text += "e" + std::to_string(uniform(this->random, -range, range));
    ASSERT_TRUE(same_limbs(from_string<X>(text), oracle_from_string<X>(text))) << text;
  }
}

TYPED_TEST(FromStringTest, HexadecimalsOverTheWholeRange) {
  using X = TypeParam;
  const int range = sizeof(typename X::value_component) == 8 ? 1150 : 200;
  for (int i = 0; i < 3000; ++i) {
    std::string text = uniform(this->random, 0, 1) ? "-0x" : "0x";
    text += random_digits(this->random, uniform(this->random, 1, 20), 16);
    if (uniform(this->random, 0, 1))
      text += "." + random_digits(this->random, uniform(this->random, 0, i % 9 ? 60 : 500), 16);
    text += "p" + std::to_string(uniform(this->random, -range, range));
    ASSERT_TRUE(same_limbs(from_string<X>(text), oracle_from_string<X>(text))) << text;
  }
}

/// A value halfway between two results, its text, and texts a hair above and below it.
template <class X>
void check_halfway(Real& middle) {
  const std::string text = all_digits(middle);
  const std::size_t e = text.find('e');
  const std::string tail = std::string(1500, '0') + "1";
  const std::string away = text.substr(0, e) + tail + text.substr(e);
  // toward zero: the last digit, which is not 0, less one, then nines
  std::string closer = text;
  --closer[e - 1];
  closer.insert(e, std::string(1500, '9'));
  for (const std::string& t : {text, away, closer})
    ASSERT_TRUE(same_limbs(from_string<X>(t), oracle_from_string<X>(t, 16384)))
        << t.substr(0, e) << " e " << t.substr(t.find('e'));
  // where the limbs before the last one change too, the value may be representable after all
  if (mpfr_equal_p(exact(from_string<X>(text)).get(), middle.get()) == 0) {
    ASSERT_FALSE(same_limbs(from_string<X>(away), from_string<X>(closer))) << text;
  }
}

TYPED_TEST(FromStringTest, HalfwayForLimbZero) {
  using X = TypeParam;
  using T = typename X::value_component;
  for (int i = 0; i < 150; ++i) {
    const Expansion<T, 1> x = random_expansion<Expansion<T, 1>>(this->random);
    int exponent;
    std::frexp(x.limb[0], &exponent);
    const int half = std::max(exponent - FloatTraits<T>::p, FloatTraits<T>::emin) - 1;
    Real middle = exact(x);
    Real half_ulp;
    mpfr_set_si_2exp(half_ulp.get(), x.limb[0] < 0 ? -1 : 1, half, MPFR_RNDN);
    mpfr_add(middle.get(), middle.get(), half_ulp.get(), MPFR_RNDN);
    check_halfway<Expansion<T, 1>>(middle);
    // with more limbs only the side is seen in limb 0
    const std::string text = all_digits(middle);
    ASSERT_TRUE(same_limbs(from_string<X>(text), oracle_from_string<X>(text))) << text;
  }
}

TYPED_TEST(FromStringTest, HalfwayForTheLastLimb) {
  using X = TypeParam;
  using T = typename X::value_component;
  int checked = 0;
  for (int i = 0; i < 800; ++i) {
    // limbs as from_string would choose them
    const X x = nearest_limbs<X>(exact(random_expansion<X>(this->random)));
    const T last = x.limb[X::components - 1];
    if (last == 0 || !std::isfinite(x.limb[0])) continue;
    int exponent;
    std::frexp(last, &exponent);
    const int half = std::max(exponent - FloatTraits<T>::p, FloatTraits<T>::emin) - 1;
    Real middle = exact(x);
    Real half_ulp;
    mpfr_set_si_2exp(half_ulp.get(), last < 0 ? -1 : 1, half, MPFR_RNDN);
    mpfr_add(middle.get(), middle.get(), half_ulp.get(), MPFR_RNDN);
    check_halfway<X>(middle);
    ++checked;
  }
  EXPECT_GT(checked, 100);
}

template <class T>
std::string power_text(int exponent, int less = 0) {
  Real value;
  mpfr_set_ui_2exp(value.get(), 1, exponent, MPFR_RNDN);
  if (less != 0) {
    Real difference;
    mpfr_set_ui_2exp(difference.get(), 1, less, MPFR_RNDN);
    mpfr_sub(value.get(), value.get(), difference.get(), MPFR_RNDN);
  }
  return all_digits(value);
}

std::string with_tail(const std::string& text, const std::string& tail) {
  return std::string(text).insert(text.find('e'), tail);
}

TYPED_TEST(FromStringTest, OverflowAndUnderflowThresholds) {
  using X = TypeParam;
  using T = typename X::value_component;
  using Traits = FloatTraits<T>;
  const std::string threshold = power_text<T>(Traits::emax, Traits::emax - Traits::p - 1);
  EXPECT_TEXT(X, threshold, X(Traits::infinity));
  EXPECT_TEXT(X, "-" + threshold, X(-Traits::infinity));
  std::string below = threshold;
  --below[below.find('e') - 1];
  below = with_tail(below, std::string(300, '9'));
  EXPECT_TEXT(X, below, oracle_from_string<X>(below));
  EXPECT_EQ(from_string<X>(below).limb[0], Traits::max);
  EXPECT_TEXT(X, power_text<T>(Traits::emax), X(Traits::infinity));

  const std::string half_smallest = power_text<T>(Traits::emin - 1);
  EXPECT_TEXT(X, half_smallest, X(T(0)));
  EXPECT_TEXT(X, "-" + half_smallest, X(T(-0.0)));
  EXPECT_TEXT(X, with_tail(half_smallest, std::string(3000, '0') + "1"), X(Traits::eta));
  EXPECT_TEXT(X, "-" + with_tail(half_smallest, "00001"), X(-Traits::eta));
  EXPECT_TEXT(X, power_text<T>(Traits::emin), X(Traits::eta));
}

TYPED_TEST(FromStringTest, EnormousTextsAreQuickAndRight) {
  using X = TypeParam;
  using T = typename X::value_component;
  const X inf(std::numeric_limits<T>::infinity());
  const std::string many = std::string(1000000, '0');
  EXPECT_TEXT(X, "1e999999999", inf);
  EXPECT_TEXT(X, "-1e999999999999999999999999999999", X(-inf.limb[0]));
  EXPECT_TEXT(X, "1e-999999999", X(T(0)));
  EXPECT_TEXT(X, "-1e-99999999999999999999999999999", X(T(-0.0)));
  EXPECT_TEXT(X, "0e99999999999999999999999999999", X(T(0)));
  EXPECT_TEXT(X, "0x1p99999999999999999999999", inf);
  EXPECT_TEXT(X, "0x1p-9999999999999999999999", X(T(0)));
  EXPECT_TEXT(X, "0." + many + "15e1000001", X(1.5));
  EXPECT_TEXT(X, "15" + many + "e-1000001", X(1.5));
  EXPECT_TEXT(X, many + "1.5" + many, X(1.5));
  EXPECT_TEXT(X, "0x0." + many + "3p4000003", X(1.5));
  EXPECT_TEXT(X, "0x3" + many + "p-4000001", X(1.5));
  EXPECT_TEXT(X, many, X(T(0)));
  EXPECT_TEXT(X, "1" + many, inf);
  // 2/3, cut off after a million digits
  const std::string sixes = std::string(1000000, '6');
  EXPECT_TEXT(X, "0." + sixes, from_string<X>("0." + sixes.substr(0, 1200)));
  EXPECT_TEXT(X, "0x0." + std::string(1000000, 'a'), from_string<X>("0." + sixes.substr(0, 1200)));
  EXPECT_TEXT(X, "1." + many + "1", X(1));
}

TYPED_TEST(FromStringTest, FormsOfTheSameNumber) {
  using X = TypeParam;
  for (const char* text :
       {"1.5", "+1.5", "1.50", "01.5", "15e-1", "15E-01", ".15e1", "0.15e+1", "150.e-2", "0x1.8",
        "0X1.8P0", "0x.cp1", "0x3p-1", "0xc.p-3", "+0x1.8p+0"})
    EXPECT_TEXT(X, text, X(1.5)) << text;
  for (const char* text : {"-0", "-0.0", "-.0e5", "-0x0", "-0x.0p9"}) EXPECT_TEXT(X, text, X(-0.0));
  const X inf(std::numeric_limits<typename X::value_component>::infinity());
  for (const char* text : {"inf", "INF", "+Inf", "infinity", "InFiNiTy"}) EXPECT_TEXT(X, text, inf);
  for (const char* text : {"nan", "NaN", "+NAN"}) {
    EXPECT_TRUE(std::isnan(from_string<X>(text).limb[0])) << text;
    EXPECT_FALSE(std::signbit(from_string<X>(text).limb[0])) << text;
  }
  EXPECT_TRUE(std::signbit(from_string<X>("-nan").limb[0]));
}

TEST(FromString, LimbsAreTakenAsTheyAre) {
  EXPECT_TEXT(f64x2, "0x1.8p+0,-0x1p-54", f64x2::from_limbs(1.5, -0x1p-54));
  EXPECT_TEXT(f64x3, "0x1p0,0x1p1", f64x3::from_limbs(1.0, 2.0, 0.0));
  EXPECT_TEXT(f64x2, "0x1p0,-0x0p0", f64x2::from_limbs(1.0, -0.0));
  EXPECT_TEXT(f64x2, "INF,0x0", f64x2::from_limbs(HUGE_VAL, 0.0));
  EXPECT_TEXT(f32x4, "0x1p-149,+0xFFFFFFp104,0x0,0x1.p-1",
              f32x4::from_limbs(0x1p-149f, 0xFFFFFFp104f, 0.0f, 0.5f));
  EXPECT_TRUE(std::isnan(from_string<f64x2>("nan,nan").limb[1]));
}

struct BadText {
  std::string text;
  std::size_t position;
};

TEST(FromString, BadTextsAreRefusedWithThePosition) {
  const std::vector<BadText> bad = {{"", 0},
                                    {"+", 1},
                                    {"-", 1},
                                    {"--1", 1},
                                    {"+-1", 1},
                                    {".", 1},
                                    {"1..2", 2},
                                    {"1.5xyz", 3},
                                    {"1e", 2},
                                    {"1e+", 3},
                                    {"1e1.5", 3},
                                    {"e5", 0},
                                    {"0x", 2},
                                    {"0x.", 3},
                                    {"0x1p", 4},
                                    {"0x1p+", 5},
                                    {"0xg", 2},
                                    {"1.8p3", 3},
                                    {"0x1.8e+3", 6},
                                    {" 1", 0},
                                    {"1 ", 1},
                                    {"1\n", 1},
                                    {"infinit", 3},
                                    {"in", 0},
                                    {"nan(1)", 3},
                                    {"nanx", 3},
                                    {"1,5", 1},
                                    {"1'000", 1},
                                    {"1_000", 1},
                                    {"0x1,1.5", 4},
                                    {"0x1,", 4},
                                    {",0x1", 0},
                                    {"0x1,0x1,0x1", 7},
                                    {"0x1,,0x1", 4},
                                    {"0x1, 0x1", 4},
                                    {"0x1,0x1p-1075", 4},
                                    {"0x1p1024,0x1", 0},
                                    {"0x1.00000000000008p0,0x0", 0},
                                    {"0x1,0x1x", 7},
                                    {"one", 0},
                                    {"1e5e5", 3},
                                    {"1-", 1},
                                    {std::string("1\0", 2), 1},
                                    {"\xC3\xA9", 0},
                                    {"0b1", 1}};
  for (const BadText& t : bad) {
    try {
      from_string<f64x2>(t.text);
      ADD_FAILURE() << "accepted \"" << t.text << '"';
    } catch (const DomainError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("position " + std::to_string(t.position) + " of"), std::string::npos)
          << message;
    }
  }
  EXPECT_THROW(from_string<f64x1>("0x1,0x1"), DomainError);
  EXPECT_THROW(from_string<f32x2>("0x1.0000001p0,0x0"), DomainError);
}

std::string message_of(const std::string& text) {
  try {
    from_string<f64x2>(text);
  } catch (const DomainError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FromString, MessagesNameTheCharacterAndQuoteTheText) {
  EXPECT_EQ(message_of("1.5xyz"), "from_string: unexpected 'x' at position 3 of \"1.5xyz\"");
  EXPECT_EQ(message_of("1e"), "from_string: unexpected end at position 2 of \"1e\"");
  EXPECT_EQ(message_of("1\t"), "from_string: unexpected '\\x09' at position 1 of \"1\\x09\"");
  const std::string zeros(100000, '0');
  const std::string part(24, '0');
  EXPECT_EQ(message_of(zeros + "?" + zeros),
            "from_string: unexpected '?' at position 100000 of \"..." + part + "?" +
                part.substr(1) + "...\"");
}

TEST(Literals, AreTheWrittenNumberRounded) {
  using namespace mct::literals;
  EXPECT_TRUE(same_limbs(1.1_f64x1, f64x1(1.1)));
  EXPECT_TRUE(same_limbs(1.1_f64x2, oracle_from_string<f64x2>("1.1")));
  EXPECT_TRUE(same_limbs(1.1e-5_f64x3, oracle_from_string<f64x3>("1.1e-5")));
  EXPECT_TRUE(same_limbs(3_f64x4, f64x4(3)));
  EXPECT_TRUE(same_limbs(0.1_f32x1, f32x1(0.1f)));
  EXPECT_TRUE(same_limbs(0.1_f32x2, oracle_from_string<f32x2>("0.1")));
  EXPECT_TRUE(same_limbs(0.1_f32x3, oracle_from_string<f32x3>("0.1")));
  EXPECT_TRUE(same_limbs(.1e3_f32x4, oracle_from_string<f32x4>("100")));
  EXPECT_TRUE(same_limbs(123'456'789'012'345'678'901'234'567'890_f64x2,
                         oracle_from_string<f64x2>("123456789012345678901234567890")));
  EXPECT_TRUE(same_limbs(0x1.8p-1_f64x2, f64x2(0.75)));
  EXPECT_TRUE(same_limbs(0xFF'FF_f64x2, f64x2(65535)));
  EXPECT_TRUE(same_limbs(0b1010'1010_f64x2, f64x2(170)));
  EXPECT_TRUE(same_limbs(0777_f64x2, f64x2(511)));
  EXPECT_TRUE(same_limbs(0_f64x2, f64x2(0)));
  EXPECT_TRUE(same_limbs(
      3.14159265358979323846264338327950288419716939937510582097_f64x3,
      f64x3::from_limbs(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1.f1976b7ed8fbcp-109)));
}

TEST(FromString, ExponentsBeyondEveryInteger) {
  const std::string nines(30, '9');
  for (const std::string& size :
       {std::string("9223372036854775807"), std::string("9223372036854775808"),
        std::string("18446744073709551616"), nines}) {
    for (const char* digits : {"1e", "0.0001e", "123456.7e", "0x1p", "0x0.001p", "0x123.4p"}) {
      EXPECT_EQ(from_string<f64x2>(digits + size).limb[0], std::numeric_limits<double>::infinity());
      EXPECT_EQ(from_string<f64x2>(digits + ("-" + size)).limb[0], 0);
      EXPECT_EQ(from_string<f16x2>(digits + ("-" + size)).limb[0], half(0));
    }
    EXPECT_EQ(from_string<f64x2>("0e" + size).limb[0], 0);
  }
}

}  // namespace
}  // namespace mct
