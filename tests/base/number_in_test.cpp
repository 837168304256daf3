// Numbers in texts: what the C++ library reads and what strtod is left of it are the same.
#include "mctensor/base/number_in.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace mct {
namespace {

/// Equal with NaN and signs of zeros; so is nothing to nothing.
bool same(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  if (std::isnan(*a) || std::isnan(*b)) return std::isnan(*a) && std::isnan(*b);
  return std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b);
}

struct Case {
  std::string text;
  std::optional<double> number;
};

const double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

const std::vector<Case> cases = {
    {"1.5", 1.5},
    {"-2e-3", -2e-3},
    {"1.", 1},
    {".5", .5},
    {"-.5e+1", -5},
    {"-0", -0.0},
    {"0e999999999999", 0},
    {"00012", 12},
    {"1E5", 1e5},
    {"inf", infinity},
    {"-INFINITY", -infinity},
    {"nan", nan},
    {"9007199254740993", 9007199254740992.0},
    {"9007199254740993.0000000000000000000000000001", 9007199254740994.0},
    {"4.9e-324", 4.9406564584124654e-324},
    {"2.2250738585072011e-308", 2.2250738585072011e-308},  // below the normal ones
    {"1.7976931348623157e308", std::numeric_limits<double>::max()},
    {"1.8e308", {}},
    {"-1e400", {}},
    {"1e-400", {}},
    {"", {}},
    {"-", {}},
    {"+1", {}},
    {"--1", {}},
    {"-+1", {}},
    {" 1", {}},
    {"- 1", {}},
    {"\t1", {}},
    {"1 ", {}},
    {"1,5", {}},
    {"0x10", {}},
    {"-0x1p3", {}},
    {"0X1", {}},
    {"1e", {}},
    {"1e+", {}},
    {"e5", {}},
    {".", {}},
    {"1.5.5", {}},
    {"infi", {}},
    {"in", {}},
    {"na", {}},
    {std::string("1\0", 2), {}},
    {std::string("\0", 1), {}},
};

TEST(NumberIn, TheWholeTextIsADouble) {
  for (const auto& [text, number] : cases) {
    EXPECT_TRUE(same(number_in<double>(text), number)) << "'" << text << "'";
    EXPECT_TRUE(same(number_detail::by_strtod(text), number)) << "'" << text << "' by strtod";
  }
}

TEST(NumberIn, EveryDoubleIsReadBack) {
  std::mt19937_64 bits(1);
  for (int i = 0; i < 20000; ++i) {
    const auto x = std::bit_cast<double>(bits());
    if (!std::isfinite(x)) continue;
    char text[32];
    const std::string_view shortest(text,
                                    std::size_t(std::to_chars(text, text + 32, x).ptr - text));
    ASSERT_TRUE(same(number_in<double>(shortest), x)) << shortest;
    ASSERT_TRUE(same(number_detail::by_strtod(shortest), x)) << shortest;
  }
}

/// Texts of few characters, most of them wrong in one place.
TEST(NumberIn, BothReadTheSameTexts) {
  constexpr std::string_view letters = "0123456789012345678..-+eEx ianft";
  std::mt19937 random(2);
  int numbers = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text;
    for (auto length = random() % 7; length > 0; --length) text += letters[random() % 32];
    const auto x = number_in<double>(text);
    numbers += x.has_value();
    ASSERT_TRUE(same(number_detail::by_strtod(text), x)) << "'" << text << "'";
  }
  EXPECT_GT(numbers, 10000);
}

TEST(NumberIn, TheLocalePlaysNoPart) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  // (without that locale the test says nothing new)
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(number_in<double>("1.5"), 1.5);
  EXPECT_EQ(number_detail::by_strtod("1.5"), 1.5);
  EXPECT_EQ(number_detail::by_strtod("1,5"), std::nullopt);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(NumberIn, TheWholeTextIsAnIntegerOfTheType) {
  EXPECT_EQ(number_in<int>("-17"), -17);
  EXPECT_EQ(number_in<int>("ff", 16), 255);
  EXPECT_EQ(number_in<int>("0xff", 16), std::nullopt);
  EXPECT_EQ(number_in<int>("2147483648"), std::nullopt);
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551615"), ~std::uint64_t(0));
  EXPECT_EQ(number_in<std::uint64_t>("-1"), std::nullopt);
  EXPECT_EQ(number_in<int>(" 1"), std::nullopt);
  EXPECT_EQ(number_in<int>("1 "), std::nullopt);
  EXPECT_EQ(number_in<int>(""), std::nullopt);
}

}  // namespace
}  // namespace mct
