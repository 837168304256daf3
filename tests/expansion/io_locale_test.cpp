// What << writes in a locale, >> reads back in it.
#include <gtest/gtest.h>

#include <locale>
#include <sstream>
#include <string>
#include <utility>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/fmt.hpp"
#include "mctensor/expansion/io.hpp"

namespace {

using mct::f64x2;

struct Punctuation : std::numpunct<char> {
  Punctuation(char p, char s, std::string g) : point(p), separator(s), groups(std::move(g)) {}
  char do_decimal_point() const override { return point; }
  char do_thousands_sep() const override { return separator; }
  std::string do_grouping() const override { return groups; }
  char point;
  char separator;
  std::string groups;
};

std::locale with(char point, char separator, const std::string& groups) {
  return {std::locale::classic(), new Punctuation(point, separator, groups)};
}

/// What >> makes of a text in a locale: the value and whether the stream failed.
template <class X>
std::pair<X, bool> read(const std::string& text, const std::locale& locale) {
  std::istringstream in(text);
  in.imbue(locale);
  X x;
  in >> x;
  return {x, in.fail()};
}

TEST(Locale, WhatIsWrittenIsReadBack) {
  const std::locale locales[] = {with(',', '.', "\3"),    with(',', '.', ""),
                                 with('.', ',', "\3"),    with(',', ' ', "\3"),
                                 with('.', '\'', "\2\3"), with(',', '.', "\1\177")};
  const f64x2 values[] = {
      f64x2("1234567.875"), f64x2("-0.1"),  f64x2("123456789012345678901234567"),
      f64x2("-1e-300"),     f64x2("1e300"), f64x2(0),
      f64x2(-12),           f64x2("1000")};
  using Ios = std::ios_base;
  for (const std::locale& locale : locales)
    for (const f64x2& x : values)
      for (const Ios::fmtflags notation :
           {Ios::fmtflags(), Ios::scientific, Ios::fixed, Ios::fixed | Ios::scientific}) {
        if (notation == Ios::fixed && abs(x) < f64x2(1e-9) && x != 0) continue;
        std::ostringstream out;
        out.imbue(locale);
        out.setf(notation, Ios::floatfield);
        out.precision(60);
        out << x;
        const auto [value, failed] = read<f64x2>(out.str(), locale);
        EXPECT_FALSE(failed) << out.str();
        EXPECT_EQ(value, x) << out.str();
      }
}

TEST(Locale, HexadecimalTextsAreTheSameInAll) {
  std::ostringstream out;
  out.imbue(with(',', '.', "\3"));
  const f64x2 x = f64x2(1) / 3;
  out << std::hexfloat << x;
  EXPECT_EQ(out.str(), to_hex_string(x));
}

TEST(Locale, SeparatorsMayBeMissingButNotMisplaced) {
  const std::locale locale = with(',', '.', "\3");
  for (const char* text : {"1234567,5", "1.234.567,5", "-1.234", "12", "0,5", ",5", "1.000e3"}) {
    const auto [value, failed] = read<f64x2>(text, locale);
    const auto [built_in, refused] = read<double>(text, locale);
    EXPECT_FALSE(refused) << text;
    EXPECT_FALSE(failed) << text;
    EXPECT_EQ(value, built_in) << text;
  }
  for (const char* text : {"1.23", "12.34.567", "1..234", ".123", "1234.567", "1.2345"}) {
    EXPECT_TRUE(read<f64x2>(text, locale).second) << text;
    EXPECT_TRUE(read<double>(text, locale).second) << text;
    EXPECT_EQ(read<f64x2>(text, locale).first, 0) << text;
  }
  // two groups of two, then threes
  const std::locale uneven = with('.', '\'', "\2\3");
  EXPECT_EQ(read<f64x2>("1'234'56.5", uneven).first, f64x2(123456.5));
  EXPECT_TRUE(read<f64x2>("1'23'456.5", uneven).second);
  // without grouping the separator ends the number
  EXPECT_EQ(read<f64x2>("1.234", with(',', '.', "")).first, f64x2(1));
}

TEST(Locale, FormatsTakeItWhereTheyAreTold) {
  const std::locale german = with(',', '.', "\3");
  using mct::f64x1;
  for (const double value : {1234567.5, -0.25, 1e22, 12.0, 999999.0, 1234.0}) {
    for (const char* spec : {"{:L}", "{:.3Lf}", "{:+.2Le}", "{:.12Lg}"})
      EXPECT_EQ(fmt::format(german, fmt::runtime(spec), f64x1(value)),
                fmt::format(german, fmt::runtime(spec), value))
          << spec << " of " << value;
    EXPECT_EQ(fmt::format(german, "{}", f64x1(value)), fmt::format("{}", value));
  }
  // fmt 9 forgets the width of its separators here
  EXPECT_EQ(fmt::format(german, "{:>15.2Lf}", f64x2(1234567.5)), "   1.234.567,50");
  EXPECT_EQ(fmt::format(german, "{:L}", std::numeric_limits<f64x2>::infinity()), "inf");
  EXPECT_THROW((void)fmt::format(german, fmt::runtime("{:La}"), f64x2(1)), fmt::format_error);
}

}  // namespace
