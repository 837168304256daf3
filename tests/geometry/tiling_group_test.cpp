// Integers of any size, and the group of the L-tiling.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <random>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/geometry/tiling/ltile.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry {
namespace {

using boost::multiprecision::cpp_int;

cpp_int boost_of(const Integer& x) { return cpp_int(x.to_string()); }

/// Numbers of 1 to 140 bits, many of them at the border of 64.
Integer random_integer(std::mt19937_64& random) {
  const int bits = int(random() % 4) == 0 ? 60 + int(random() % 8) : 1 + int(random() % 140);
  Integer x(std::int64_t(random() >> 2) | 1);
  x = x.shifted(bits - x.bit_length());
  if (random() % 3 == 0) x = Integer(1).shifted(bits - 1) - std::int64_t(random() % 3) + 1;
  return random() % 2 == 0 ? x : -x;
}

TEST(TilingInteger, AgreesWithBoost) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    Integer v[6];
    cpp_int b[6];
    for (int j = 0; j < 6; ++j) {
      v[j] = random_integer(random);
      b[j] = boost_of(v[j]);
    }
    EXPECT_EQ(boost_of(v[0] + v[1]), b[0] + b[1]);
    EXPECT_EQ(boost_of(v[0] - v[1]), b[0] - b[1]);
    EXPECT_EQ(boost_of(v[0] * v[1]), b[0] * b[1]);
    EXPECT_EQ(boost_of(-v[0]), -b[0]);
    EXPECT_EQ(boost_of(dot(v[0], v[1], v[2], v[3], v[4], v[5])),
              b[0] * b[1] + b[2] * b[3] + b[4] * b[5]);
    EXPECT_EQ(v[0] < v[1], b[0] < b[1]);
    EXPECT_EQ(v[0] == v[1], b[0] == b[1]);
    EXPECT_TRUE(v[0] == v[0] + v[1] - v[1]);
    EXPECT_EQ(v[0].is_odd(), b[0] % 2 != 0);
    EXPECT_EQ(v[0].sign(), b[0].sign());
    EXPECT_EQ(v[0].is_small(), abs(b[0]) <= INT64_MAX) << v[0].to_string();
    EXPECT_EQ(Integer::from_string(v[0].to_string()), v[0]);
    const auto divisor = std::int64_t(random() % 1000) + 1;
    const cpp_int quotient = boost_of(v[0].divided_by(divisor));
    const cpp_int rest = b[0] - quotient * divisor;
    EXPECT_TRUE(rest >= 0 && rest < divisor);
    EXPECT_EQ(v[0].remainder(divisor), rest);
    const int shift = int(random() % 90);
    const cpp_int power = cpp_int(1) << unsigned(shift);
    EXPECT_EQ(boost_of(v[0].shifted(shift)), b[0] * power);
    const cpp_int down = boost_of(v[0].shifted(-shift));
    EXPECT_TRUE(down * power <= b[0] && (down + 1) * power > b[0]);
    const cpp_int root = boost_of((v[0] * v[0] + 5).square_root());
    EXPECT_TRUE(root * root <= b[0] * b[0] + 5 && (root + 1) * (root + 1) > b[0] * b[0] + 5);
  }
}

TEST(TilingInteger, BordersOf64Bits) {
  const Integer most(INT64_MAX);
  const Integer least(INT64_MIN);
  EXPECT_TRUE(most.is_small());
  EXPECT_EQ((most + 1).to_string(), "9223372036854775808");
  EXPECT_EQ(least.to_string(), "-9223372036854775808");
  EXPECT_EQ((-least).to_string(), "9223372036854775808");
  EXPECT_EQ(least, -most - 1);
  EXPECT_EQ(least + 1, -most);
  EXPECT_TRUE((least + 1).is_small());
  EXPECT_EQ(Integer::from_string("-000"), 0);
  EXPECT_EQ(Integer::from_string("00010"), 10);
  EXPECT_EQ(Integer::from_double(0x1p100), Integer(1).shifted(100));
  EXPECT_EQ(Integer::from_double(-0x1.8p80), -Integer(3).shifted(79));
  EXPECT_EQ(Integer(5).shifted(-100), 0);
  EXPECT_EQ(Integer(-5).shifted(-100), -1);
  EXPECT_EQ(Integer(5).shifted(INT64_MIN), 0);
  EXPECT_EQ(Integer(-5).shifted(INT64_MIN), -1);
  // messages stay short
  const Integer long_number = Integer(1).shifted(100000);
  EXPECT_LT(testing::message_of<DomainError>([&] { (-long_number).square_root(); }).size(), 100u);
  EXPECT_LT(testing::message_of<DomainError>([&] {
              LTile::from_entries({long_number, 0, 0, 0, 1, 0, 0, 0, 1});
            }).size(),
            200u);
  EXPECT_NE(testing::message_of<DomainError>([] { Integer::from_string("12x"); }), "");
  EXPECT_NE(testing::message_of<DomainError>([] { Integer::from_string(""); }), "");
  EXPECT_NE(testing::message_of<DomainError>([] { Integer::from_double(0.5); }), "");
  EXPECT_NE(testing::message_of<DomainError>([] { Integer::from_double(INFINITY); }), "");
  EXPECT_NE(testing::message_of<DomainError>([] { Integer(1).shifted(std::int64_t(1) << 40); }),
            "");
  EXPECT_NE(testing::message_of<DomainError>([] { Integer(-1).square_root(); }), "");
}

TEST(TilingInteger, RootsOfLongNumbers) {
  std::mt19937_64 random(8);
  const auto expect_root = [](const Integer& x, const Integer& root) {
    EXPECT_TRUE(!(x < root * root) && x < (root + 1) * (root + 1)) << x.bit_length() << " bits";
  };
  for (int i = 0; i < 300; ++i) {
    Integer x(1);
    const std::int64_t bits = 2000 + std::int64_t(random() % 20000);
    while (x.bit_length() < bits) x = x.shifted(60) + std::int64_t(random() >> 4);
    // sparse ones, and ones next to a power of two, have remainders at the ends of their range
    if (i % 3 == 1) x = Integer(1).shifted(bits) + std::int64_t(random() % 5) - 2;
    if (i % 3 == 2) x = Integer(1).shifted(bits) - Integer(1).shifted(bits / 2 + i % 5 - 2);
    expect_root(x, x.square_root());
    for (int near = -1; near <= 1; ++near) expect_root(x * x + near, (x * x + near).square_root());
  }
}

TEST(TilingInteger, ScaledValues) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const Integer x = random_integer(random);
    const int shift = int(random() % 200) - 100;
    const cpp_int exact = boost_of(x);
    // a double is x rounded: the rest is below 2^-52 of it, checked in whole numbers
    const Integer back = Integer::from_double(std::ldexp(x.scaled<double>(shift), shift));
    EXPECT_LE(abs(exact - boost_of(back)) << 53, abs(exact));
    const f64x3 limbs = x.scaled<f64x3>();
    Integer sum;
    for (const double limb : limbs.limb) sum = sum + Integer::from_double(limb);
    EXPECT_EQ(sum, x);
  }
  EXPECT_EQ(Integer(1).shifted(3000).scaled<double>(), INFINITY);
  EXPECT_EQ((-Integer(1).shifted(300000)).scaled<double>(), -INFINITY);
  EXPECT_EQ(Integer(1).scaled<double>(300000), 0);
  EXPECT_EQ(Integer(3).shifted(3000).scaled<double>(3000), 3);
}

LTile power(const LTile& x, int n) {
  LTile r;
  for (int i = 0; i < n; ++i) r = r * x;
  return r;
}

TEST(LTile, Relations) {
  const LTile& a = LTile::of(Generator::a);
  const LTile& b = LTile::of(Generator::b);
  EXPECT_EQ(power(a, 6), LTile());
  EXPECT_EQ(power(b, 6), LTile());
  EXPECT_EQ(power(a * b, 3), LTile());
  for (int n = 1; n < 6; ++n) {
    EXPECT_FALSE(power(a, n) == LTile());
    EXPECT_FALSE(power(b, n) == LTile());
  }
  EXPECT_FALSE(a * b == LTile());
  EXPECT_EQ(a.inverse(), LTile::of(Generator::a_inverse));
  EXPECT_EQ(b.inverse(), LTile::of(Generator::b_inverse));
  EXPECT_EQ(inverse(Generator::a), Generator::a_inverse);
  EXPECT_EQ(inverse(Generator::b_inverse), Generator::b);
}

/// from_entries checks the form; products must pass at any size.
TEST(LTile, ProductsKeepTheForm) {
  std::mt19937_64 random(3);
  LTile product;
  LTile inverse_product;
  for (int i = 0; i < 3000; ++i) {
    const auto g = Generator(random() % 4);
    product = product * LTile::of(g);
    inverse_product = LTile::of(inverse(g)) * inverse_product;
    if (i % 50 != 0) continue;
    std::array<Integer, 9> entries;
    for (int j = 0; j < 9; ++j) entries[std::size_t(j)] = product.entry(j / 3, j % 3);
    EXPECT_EQ(LTile::from_entries(entries), product);
    EXPECT_EQ(product.inverse(), inverse_product);
    EXPECT_EQ(relative(product, product), LTile());
  }
  EXPECT_FALSE(product.is_small());
  EXPECT_GT(product.entry(0, 0).bit_length(), 300);
  EXPECT_TRUE((product * inverse_product).is_small());
}

TEST(LTile, RefusesOtherMatrices) {
  const auto message = [](const std::array<Integer, 9>& entries) {
    return testing::message_of<DomainError>([&] { LTile::from_entries(entries); });
  };
  EXPECT_NE(message({2, 1, 0, 0, 0, -1, 3, 2, 1}).find("3, 2, 1"), std::string::npos);
  EXPECT_NE(message({-1, 0, 0, 0, 1, 0, 0, 0, -1}), "");
  EXPECT_NE(message({1, 0, 0, 0, 1, 0, 0, 0, -1}), "") << "a reflection";
  EXPECT_NE(message({1, 0, 0, 0, 0, -1, 0, 1, 0}), "") << "a quarter turn";
  EXPECT_NE(message({0, 0, 0, 0, 0, 0, 0, 0, 0}), "");
}

TEST(LTile, ScaledEntries) {
  LTile product;
  for (int i = 0; i < 200; ++i) {
    const auto exact = scaled<double>(product);
    const auto wide = scaled<f64x2>(product);
    for (int j = 0; j < 9; ++j) {
      const double x = exact.entry[j / 3][j % 3];
      if (exact.exponent == 0) {
        EXPECT_EQ(Integer::from_double(x), product.entry(j / 3, j % 3));
      } else {
        EXPECT_LT(std::fabs(x), 2);
      }
      const f64x2 y = ldexp(wide.entry[j / 3][j % 3], int(wide.exponent - exact.exponent));
      EXPECT_EQ(x, y.limb[0]);
    }
    product = product * LTile::of(i % 2 == 0 ? Generator::a : Generator::b_inverse);
  }
  EXPECT_GT(scaled<double>(product).exponent, 200);
}

/// By leading digits, or exactly where they cancel: the same up to rounding, u^N and what the
/// stated error is beyond that of the largest entry.
template <class V>
void expect_relative_tiles(double unit, double beyond) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 500; ++i) {
    const auto walk = [&](LTile tile, std::uint64_t steps) {
      for (std::uint64_t k = 0; k < steps; ++k) tile = tile * LTile::of(Generator(random() % 4));
      return tile;
    };
    const LTile common = walk(LTile(), random() % 600);
    const LTile from = walk(common, random() % (i % 2 == 0 ? 600 : 20));
    const LTile to = walk(common, random() % (i % 3 == 0 ? 600 : 20));
    const auto quick = scaled_relative<V>(from, to);
    const auto exact = scaled<f64x4>(relative(from, to));
    EXPECT_LT(fabs(f64x4(quick.entry[0][0])).limb[0], quick.exponent == 0 ? 0x1p60 : 2);
    const double size = exact.entry[0][0].limb[0];
    for (int k = 0; k < 9; ++k) {
      const f64x4 value =
          ldexp(f64x4(quick.entry[k / 3][k % 3]), int(quick.exponent - exact.exponent));
      const f64x4& truth = exact.entry[k / 3][k % 3];
      EXPECT_LE(fabs(value - truth).limb[0], unit * std::fabs(truth.limb[0]) + beyond * size) << i;
    }
  }
}

TEST(LTile, RelativeTilesByLeadingDigits) {
  expect_relative_tiles<double>(0x1p-53, 0x1p-58);
  expect_relative_tiles<float>(0x1p-24, 0x1p-50);
  expect_relative_tiles<f64x2>(0x1p-106, 0x1p-111);
}

}  // namespace
}  // namespace mct::geometry
