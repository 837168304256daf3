// Streams and fmt: one component prints as the built-in number does, more as MPFR's printf.
#include <gtest/gtest.h>

#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include "mctensor/expansion/fmt.hpp"
#include "mctensor/expansion/format.hpp"
#include "mctensor/expansion/literals.hpp"
#include "mpfr_limbs.hpp"

namespace mct {
namespace {

using namespace test;
using namespace mct::literals;
using Ios = std::ios_base;

std::vector<double> sample_values() {
  std::vector<double> values = {0.0,       -0.0,   1.0,     -1.0,   0.5,    2.5,       1e5,
                                1e6,       123456, 1234567, 1e-4,   1e-5,   0.1,       1.0 / 3,
                                1e16,      1e17,   1e22,    -1e300, 5e-324, 0x1p-1022, 999999.5,
                                9.9999995, 100,    1e15,    123.0,  1.5e20};
  values.push_back(std::numeric_limits<double>::max());
  values.push_back(std::numeric_limits<double>::infinity());
  values.push_back(-std::numeric_limits<double>::infinity());
  values.push_back(std::numeric_limits<double>::quiet_NaN());
  values.push_back(-std::numeric_limits<double>::quiet_NaN());
  Random random(3);
  for (int i = 0; i < 10; ++i) values.push_back(random_expansion<f64x1>(random).limb[0]);
  return values;
}

template <class V>
std::string print(const V& value, Ios::fmtflags flags, int precision, int width, char fill,
                  const std::locale& locale = std::locale::classic()) {
  std::ostringstream out;
  out.imbue(locale);
  out.flags(flags);
  out.precision(precision);
  out.width(width);
  out.fill(fill);
  out << value;
  EXPECT_EQ(out.width(), 0);
  return out.str();
}

/// glibc's printf loses the zeros of %#g where rounding carries into the next power of ten.
bool is_libc_fault(double value, Ios::fmtflags flags) {
  return (flags & Ios::floatfield) == Ios::fmtflags() && (flags & Ios::showpoint) &&
         (value == 999999.5 || value == 9.9999995);
}

/// Calls check(flags) for all combinations of the flags that concern numbers.
template <class F>
void for_all_flags(F check) {
  for (const Ios::fmtflags notation :
       {Ios::fmtflags(), Ios::fixed, Ios::scientific, Ios::fixed | Ios::scientific})
    for (const Ios::fmtflags adjust : {Ios::fmtflags(), Ios::left, Ios::right, Ios::internal})
      for (int bits = 0; bits < 8; ++bits) {
        Ios::fmtflags flags = notation | adjust;
        if (bits & 1) flags |= Ios::showpos;
        if (bits & 2) flags |= Ios::showpoint;
        if (bits & 4) flags |= Ios::uppercase;
        check(flags);
      }
}

TEST(Stream, OneComponentPrintsLikeTheBuiltInNumber) {
  for (const double value : sample_values()) {
    for_all_flags([&](Ios::fmtflags flags) {
      if (is_libc_fault(value, flags)) return;
      for (const int precision : {0, 1, 3, 6, 17, 40, -1})
        for (const int width : {0, 30}) {
          ASSERT_EQ(print(f64x1(value), flags, precision, width, '*'),
                    print(value, flags, precision, width, '*'))
              << "flags " << flags << " precision " << precision;
          const float narrow = float(value);
          ASSERT_EQ(print(f32x1(narrow), flags, precision, width, ' '),
                    print(narrow, flags, precision, width, ' '));
        }
    });
  }
}

struct Punctuation : std::numpunct<char> {
  explicit Punctuation(std::string g) : groups(std::move(g)) {}
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return groups; }
  std::string groups;
};

TEST(Stream, LocaleIsHonoured) {
  for (const std::string& groups :
       {std::string("\3"), std::string("\2\3"), std::string("\1\177"), std::string("")}) {
    const std::locale locale(std::locale::classic(), new Punctuation(groups));
    for (const double value : sample_values())
      for_all_flags([&](Ios::fmtflags flags) {
        if (is_libc_fault(value, flags)) return;
        // hexadecimal texts are the same in every locale: io_locale_test.cpp
        if ((flags & Ios::floatfield) == (Ios::fixed | Ios::scientific)) return;
        for (const int precision : {0, 6, 12})
          ASSERT_EQ(print(f64x1(value), flags, precision, 25, '_', locale),
                    print(value, flags, precision, 25, '_', locale))
              << "flags " << flags << " precision " << precision;
      });
  }
  // from_string and the texts of to_string do not depend on it
  const std::locale locale(std::locale::classic(), new Punctuation("\3"));
  const std::locale before = std::locale::global(locale);
  EXPECT_EQ(to_string(1234567.5_f64x2), "1234567.5");
  EXPECT_EQ(from_string<f64x2>("0x1.8p0").limb[0], 1.5);
  std::locale::global(before);
}

template <class X>
void check_against_mpfr(Random& random) {
  for (int i = 0; i < 500; ++i) {
    const X x = random_expansion<X>(random);
    Real value = exact(x);
    if (mpfr_zero_p(value.get())) continue;
    const int precision = uniform(random, 0, i % 10 == 0 ? 1200 : 60);
    ASSERT_EQ(print(x, Ios::scientific, precision, 0, ' '), value.printf("%.*Re", precision));
    ASSERT_EQ(print(x, Ios::fixed, precision, 0, ' '), value.printf("%.*Rf", precision));
    ASSERT_EQ(print(x, Ios::fmtflags(), precision, 0, ' '), value.printf("%.*Rg", precision));
    ASSERT_EQ(fmt::format("{:.{}e}", x, precision), value.printf("%.*Re", precision));
    ASSERT_EQ(fmt::format("{:+.{}f}", x, precision), value.printf("%+.*Rf", precision));
    ASSERT_EQ(fmt::format("{:#.{}G}", x, precision), value.printf("%#.*RG", precision));
  }
}

TEST(Stream, LongerExpansionsPrintLikeMpfr) {
  Random random(11);
  check_against_mpfr<f64x2>(random);
  check_against_mpfr<f64x3>(random);
  check_against_mpfr<f64x4>(random);
  check_against_mpfr<f32x2>(random);
  check_against_mpfr<f32x3>(random);
  check_against_mpfr<f32x4>(random);
}

TEST(Stream, InternalPaddingAndSpecialsOfLongerExpansions) {
  EXPECT_EQ(print(f64x2(-1.5), Ios::internal, 6, 8, '0'), "-00001.5");
  EXPECT_EQ(print(f64x2(HUGE_VAL), Ios::showpos, 6, 6, ' '), "  +inf");
  EXPECT_EQ(print(f64x4(-0.0), Ios::fixed, 2, 0, ' '), "-0.00");
}

TEST(Stream, HexfloatWritesAndReadsLimbs) {
  std::stringstream stream;
  const auto x = 1.1_f64x3;
  stream << std::hexfloat << std::showpos << x;
  EXPECT_EQ(stream.str(), "+" + to_hex_string(x));
  f64x3 y;
  stream >> y;
  EXPECT_TRUE(same_limbs(x, y));
}

TEST(Stream, ExtractionTakesANumberAndNoMore) {
  std::istringstream in("  1.5 -2e3,0.1;+inf nan 0x1.8p1 0x1p0,0x1p-60,7 1e400x");
  f64x2 x;
  EXPECT_TRUE(in >> x);
  EXPECT_TRUE(same_limbs(x, f64x2(1.5)));
  EXPECT_TRUE(in >> x);
  EXPECT_TRUE(same_limbs(x, f64x2(-2000.0)));
  EXPECT_EQ(in.get(), ',');
  EXPECT_TRUE(in >> x);
  EXPECT_TRUE(same_limbs(x, 0.1_f64x2));
  EXPECT_EQ(in.get(), ';');
  EXPECT_TRUE(in >> x);
  EXPECT_EQ(to_string(x), "inf");
  EXPECT_TRUE(in >> x);
  EXPECT_EQ(to_string(x), "nan");
  EXPECT_TRUE(in >> x);
  EXPECT_TRUE(same_limbs(x, f64x2(3.0)));
  EXPECT_TRUE(in >> x);  // two limbs, so the second comma is not part of it
  EXPECT_TRUE(same_limbs(x, f64x2::from_limbs(1.0, 0x1p-60)));
  EXPECT_EQ(in.get(), ',');
  EXPECT_TRUE(in >> x);
  EXPECT_TRUE(same_limbs(x, f64x2(7.0)));
  EXPECT_TRUE(in >> x);
  EXPECT_EQ(to_string(x), "inf");
  EXPECT_EQ(in.get(), 'x');
}

TEST(Stream, ExtractionOfABadTextFails) {
  for (const char* text : {"", "x", "-", "1e", "1e+", ".", "0x", "in", "0x1,", "0x1,1"}) {
    std::istringstream in(text);
    f64x2 x(5);
    EXPECT_FALSE(in >> x) << text;
    EXPECT_FALSE(in.bad());
    EXPECT_EQ(to_string(x), *text == '\0' ? "5" : "0") << text;
  }
  std::istringstream at_end("1.25");
  f64x2 x;
  EXPECT_TRUE(at_end >> x);
  EXPECT_TRUE(at_end.eof());
  std::istringstream throwing("?");
  throwing.exceptions(Ios::failbit);
  EXPECT_THROW(throwing >> x, Ios::failure);
}

TEST(Fmt, OneComponentPrintsLikeTheBuiltInNumber) {
  for (const double value : sample_values()) {
    const f64x1 x(value);
    for (const char* spec :
         {"{}",         "{:}",          "{:g}",   "{:G}",    "{:e}",    "{:E}",    "{:f}",
          "{:F}",       "{:.0f}",       "{:.3}",  "{:.0e}",  "{:.10g}", "{:.20f}", "{:.40e}",
          "{:+}",       "{: }",         "{:-}",   "{:+.3e}", "{:<30}",  "{:>30}",  "{:^31}",
          "{:*^30.5e}", "{:\u00e9>30}", "{:.1g}", "{:#.3e}"})
      ASSERT_EQ(fmt::format(fmt::runtime(spec), x), fmt::format(fmt::runtime(spec), value))
          << spec << " of " << value;
    // fmt 9 leaves infinities at the left here and takes a fill of 0 for a space
    for (const char* spec : {"{:30}", "{:0<30}", "{:030}", "{:+030.3f}", "{:50.32g}"})
      if (std::isfinite(value)) {
        ASSERT_EQ(fmt::format(fmt::runtime(spec), x), fmt::format(fmt::runtime(spec), value))
            << spec << " of " << value;
      }
    if (std::isfinite(value)) {
      ASSERT_EQ(fmt::format("{:a}", x), fmt::format("{:a}", value));
      ASSERT_EQ(fmt::format("{:+A}", x), fmt::format("{:+A}", value));
    }
  }
}

TEST(Fmt, ZerosArePaddingOfNumbersOnly) {
  EXPECT_EQ(fmt::format("{:08}", f64x2(-1.5)), "-00001.5");
  EXPECT_EQ(fmt::format("{:08}", f64x2(HUGE_VAL)), "     inf");
  EXPECT_EQ(fmt::format("{:08}", f64x2(std::nan(""))), "     nan");
}

TEST(Fmt, DefaultIsTheShortestText) {
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const auto x = random_expansion<f64x3>(random);
    ASSERT_EQ(fmt::format("{}", x), to_string(x));
    ASSERT_EQ(fmt::format("{:a}", x), to_hex_string(x));
    ASSERT_EQ(fmt::to_string(x), to_string(x));
  }
  EXPECT_EQ(fmt::format("{:.0f}", 2.5_f64x2), "2");
  EXPECT_EQ(fmt::format("{:>50.32g}|", 1.1_f64x2), std::string(47, ' ') + "1.1|");
  EXPECT_EQ(fmt::format("{:#}", 1_f64x2), "1.0");
  EXPECT_EQ(fmt::format("{:#}", 1e40_f64x2), "1.0e+40");
  EXPECT_EQ(fmt::format("{:A}", 1.1_f64x2), "0X1.199999999999AP+0,-0X1.999999999999AP-54");
}

TEST(Fmt, WidthAndPrecisionMayBeArguments) {
  EXPECT_EQ(fmt::format("{:{}.{}f}", 1.25_f64x2, 8, 1), "     1.2");
  EXPECT_EQ(fmt::format("{0:{2}.{1}f}", 1.25_f64x2, 1, 8u), "     1.2");
  EXPECT_EQ(fmt::format("{:.{}}", 1.25_f64x2, 2LL), "1.2");
  EXPECT_THROW((void)fmt::format(fmt::runtime("{:{}}"), 1_f64x2, -1), fmt::format_error);
  EXPECT_THROW((void)fmt::format(fmt::runtime("{:{}}"), 1_f64x2, "5"), fmt::format_error);
  EXPECT_THROW((void)fmt::format(fmt::runtime("{:{}}"), 1_f64x2, 5.0), fmt::format_error);
  EXPECT_THROW((void)fmt::format(fmt::runtime("{:{}}"), 1_f64x2, 1LL << 40), fmt::format_error);
  EXPECT_THROW((void)fmt::format(fmt::runtime("{:{}}"), 1_f64x2), fmt::format_error);
}

TEST(Fmt, BadSpecificationsAreRefused) {
  for (const char* spec :
       {"{:d}", "{:x}", "{:s}", "{:.}", "{:.e}", "{:ee}", "{:5 }", "{:.3a}", "{:010a}", "{:{<5}",
        "{:99999999999}", "{:.99999999999}", "{:{x}}", "{:+-}", "{:"})
    EXPECT_THROW((void)fmt::format(fmt::runtime(spec), 1_f64x2), fmt::format_error) << spec;
}

#if defined(__cpp_lib_format)
TEST(StandardFormat, IsThatOfFmt) {
  const f64x2 third = f64x2(1) / 3;
  EXPECT_EQ(std::format("{} {:*>12.4e} {:.{}f} {:a}", third, third, third, 5, third),
            fmt::format("{} {:*>12.4e} {:.{}f} {:a}", third, third, third, 5, third));
  EXPECT_THROW((void)std::vformat("{:d}", std::make_format_args(third)), std::format_error);
}
#endif

}  // namespace
}  // namespace mct
