// Floats of so few bits that every pair of expansions can be tried, through the templates that
// doubles use, against exact integers.
//
// What "every" covers. Operations commute with scaling an operand by a power of two (a sum: both
// operands) and with changing all signs, because rounding does and nothing here overflows or
// underflows. So x0 is in [1, 2) and positive. A limb that follows is zero, half an ulp of the one
// before, or of any mantissa and sign in one of the `gap` binades below. For sums, every distance
// of exponents of x and y up to the given one is tried. Operands with larger gaps or distances are
// not.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "toy_float.hpp"

namespace {

using mct::Expansion;
using toy::ToyFloat;
__extension__ using Int128 = __int128;
using Int512 = boost::multiprecision::int512_t;

/// v 2^places, which is a whole number.
template <class Integer, int P>
Integer exact(const ToyFloat<P>& v, int places) {
  return Integer(double(v) * std::ldexp(1.0, places));
}
template <class Integer, int P, int N>
Integer exact(const Expansion<ToyFloat<P>, N>& x, int places) {
  Integer sum = 0;
  for (const ToyFloat<P>& limb : x.limb) sum += exact<Integer>(limb, places);
  return sum;
}

/// Every possible next limb after 1: zero, half an ulp, and all of the next binades.
template <int P>
std::vector<double> tails(int gap) {
  std::vector<double> r{0};
  for (const double sign : {1.0, -1.0}) {
    r.push_back(sign * std::ldexp(1.0, -P));
    for (int g = 1; g <= gap; ++g)
      for (int m = 1 << (P - 1); m < 1 << P; ++m)
        r.push_back(sign * std::ldexp(double(m), -P - g - (P - 1)));
  }
  return r;
}

/// All expansions with x0 in [1, 2).
template <int P, int N>
std::vector<Expansion<ToyFloat<P>, N>> expansions(int gap) {
  using T = ToyFloat<P>;
  std::vector<Expansion<T, N>> r;
  for (int m = 1 << (P - 1); m < 1 << P; ++m) r.emplace_back(T(std::ldexp(double(m), 1 - P)));
  const std::vector<double> tail = tails<P>(gap);
  for (int i = 1; i < N; ++i) {
    const std::vector<Expansion<T, N>> shorter = r;
    r.clear();
    for (const Expansion<T, N>& x : shorter) {
      for (const double t : tail) {
        if (x.limb[i - 1] == 0 && t != 0) break;
        Expansion<T, N> y = x;
        if (t != 0) y.limb[i] = T(std::ldexp(t, ilogb(x.limb[i - 1])));
        r.push_back(y);
      }
    }
  }
  return r;
}

/// Random expansions with x0 in [1, 2).
template <int P, int N>
std::vector<Expansion<ToyFloat<P>, N>> random_expansions(int gap, int count) {
  using T = ToyFloat<P>;
  const std::vector<double> tail = tails<P>(gap);
  std::mt19937_64 random(3);
  std::vector<Expansion<T, N>> r;
  for (int k = 0; k < count; ++k) {
    Expansion<T, N> x(T(std::ldexp(double((1 << (P - 1)) + random() % (1 << (P - 1))), 1 - P)));
    for (int i = 1; i < N && x.limb[i - 1] != 0; ++i) {
      x.limb[i] = T(std::ldexp(tail[random() % tail.size()], ilogb(x.limb[i - 1])));
    }
    r.push_back(x);
  }
  return r;
}

constexpr double unit(int p) { return std::ldexp(1.0, -p); }

template <int P, int N>
Expansion<ToyFloat<P>, N> scaled(const Expansion<ToyFloat<P>, N>& x, double factor) {
  return mct::detail::scale_limbs(x, ToyFloat<P>(factor));
}

/// How a kind of operation fared.
struct Tally {
  long cases = 0;
  long not_normalized = 0;
  double worst = 0;  ///< largest error in u^N of the exact result

  /// A result with its error, and what the error is relative to, as integers of one scale.
  template <class Integer, int P, int N>
  void enter(const Expansion<ToyFloat<P>, N>& result, const Integer& error, const Integer& value) {
    ++cases;
    if (!mct::is_normalized(result)) ++not_normalized;
    if (error == 0) return;
    const double ratio = value == 0 ? std::numeric_limits<double>::infinity()
                                    : std::fabs(double(error) / double(value));
    worst = std::max(worst, std::ldexp(ratio, N * P));
  }
  void within(double bound) const {
    EXPECT_GT(cases, 0);
    EXPECT_EQ(not_normalized, 0) << "of " << cases;
    EXPECT_LE(worst, bound * (1 + 1e-14)) << "of " << cases;  // the ratio is rounded three times
  }
};

/// Calls body(x, y) for every pair of two lists, or for `count` random ones.
template <class Xs, class Ys, class Body>
void for_pairs(const Xs& xs, const Ys& ys, std::size_t count, Body body) {
  if (count == 0) {
    for (const auto& x : xs)
      for (const auto& y : ys) body(x, y);
    return;
  }
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < count; ++i) body(xs[random() % xs.size()], ys[random() % ys.size()]);
}

/// op(x, y), a sum, for x and y of the lists, y with every sign and every exponent down to
/// -distance. `count` as in for_pairs.
template <int P, int N, int M, class Operation>
Tally sums(const std::vector<Expansion<ToyFloat<P>, N>>& xs,
           const std::vector<Expansion<ToyFloat<P>, M>>& ys, int gap, int distance, Operation op,
           std::size_t count = 0) {
  const int places = std::max(N, M) * (P + gap) + distance;
  Tally tally;
  for_pairs(xs, ys, count, [&](const auto& x, const auto& y0) {
    const auto exact_x = exact<Int128>(x, places);
    for (int d = 0; d <= distance; ++d) {
      for (const double sign : {1.0, -1.0}) {
        const auto y = scaled(y0, std::ldexp(sign, -d));
        const auto z = op(x, y);
        const Int128 sum = exact_x + exact<Int128>(y, places);
        tally.enter(z, Int128(exact<Int128>(z, places) - sum), sum);
      }
    }
  });
  return tally;
}

/// op(x, y), a product, for x and y of the lists. `count` as in for_pairs.
template <int P, int N, int M, class Operation>
Tally products(const std::vector<Expansion<ToyFloat<P>, N>>& xs,
               const std::vector<Expansion<ToyFloat<P>, M>>& ys, int gap, Operation op,
               std::size_t count = 0) {
  const int places = std::max(N, M) * (P + gap);
  Tally tally;
  for_pairs(xs, ys, count, [&](const auto& x, const auto& y) {
    const auto z = op(x, y);
    const Int128 product = exact<Int128>(x, places) * exact<Int128>(y, places);
    tally.enter(z, Int128(exact<Int128>(z, 2 * places) - product), product);
  });
  return tally;
}

/// x / y for x and y of the lists. `count` as in for_pairs.
template <int P, int N>
Tally quotients(const std::vector<Expansion<ToyFloat<P>, N>>& xs, int gap, std::size_t count = 0) {
  const int places = N * (P + gap);
  constexpr int low = 120;  // places of a quotient: its limbs may have wider gaps
  Tally tally;
  for_pairs(xs, xs, count, [&](const auto& x, const auto& y) {
    const auto z = mct::div(x, y);
    const Int512 value = exact<Int512>(x, places) << low;
    tally.enter(z, Int512(exact<Int512>(z, low) * exact<Int512>(y, places) - value), value);
  });
  return tally;
}

/// Roots of x and 2 x: an error of z is half the relative error of z^2, and less than 1 % more.
template <int P, int N>
Tally roots(const std::vector<Expansion<ToyFloat<P>, N>>& xs, int gap) {
  const int places = N * (P + gap);
  constexpr int low = 120;
  Tally tally;
  for (const auto& x0 : xs) {
    for (const double factor : {1.0, 2.0}) {
      const auto x = scaled(x0, factor);
      const auto z = mct::sqrt(x);
      const Int512 root = exact<Int512>(z, low);
      const Int512 value = exact<Int512>(x, places) << (2 * low - places);
      // |z - r| = |z^2 - x| / (z + r)
      tally.enter(z, Int512((root * root - value) / 2), value);
    }
  }
  return tally;
}

TEST(ToyFloats, RoundAsFloatsDo) {
  using Wide = ToyFloat<8>;
  // bfloat16 has eight bits, too
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const double a = std::ldexp(double(random() % 256), int(random() % 20));
    const double b = std::ldexp(-double(random() % 256 + 1), int(random() % 20));
    const double c = std::ldexp(double(random() % 256), int(random() % 40));
    const mct::bfloat16 x(a), y(b), z(c);
    ASSERT_EQ(double(Wide(a) + Wide(b)), double(x + y)) << a << ' ' << b;
    ASSERT_EQ(double(Wide(a) * Wide(b)), double(x * y)) << a << ' ' << b;
    ASSERT_EQ(double(Wide(a) / Wide(b)), double(x / y)) << a << ' ' << b;
    ASSERT_EQ(double(sqrt(Wide(a))), double(sqrt(x))) << a;
    ASSERT_EQ(double(mct::FusedMultiplyAdd<Wide>::apply(Wide(a), Wide(b), Wide(c))),
              double(fma(x, y, z)));
  }
}

constexpr auto add = [](const auto& x, const auto& y) { return mct::add(x, y); };
constexpr auto add_float = [](const auto& x, const auto& y) { return mct::add(x, y.limb[0]); };
constexpr auto mul = [](const auto& x, const auto& y) { return mct::mul(x, y); };
constexpr auto mul_float = [](const auto& x, const auto& y) { return mct::mul(x, y.limb[0]); };

/// + and x of N limbs, and of N limbs and one float.
template <int P, int N>
void sums_and_products(const std::vector<Expansion<ToyFloat<P>, N>>& xs, int gap,
                       std::size_t count = 0) {
  const auto floats = expansions<P, 1>(gap);
  constexpr mct::ErrorBounds bounds = mct::error_bounds<N>;
  // the bound of Joldes, Muller and Popescu with its term of higher order
  const double add_bound = N == 2 ? 3 / (1 - 4 * unit(P)) : bounds.add;
  sums(xs, xs, gap, 2 * P + 2, add, count).within(add_bound);
  sums(xs, floats, gap, N * P + 2, add_float, count).within(bounds.add_scalar);
  products(xs, xs, gap, mul, 10 * count).within(bounds.mul);
  products(xs, floats, gap, mul_float, 10 * count).within(bounds.mul_scalar);
}
/// / and sqrt. Their bounds are those that digits.hpp derives, with the terms of higher order,
/// which count here.
template <int P, int N>
void quotients_and_roots(const std::vector<Expansion<ToyFloat<P>, N>>& xs, int gap,
                         std::size_t count = 0) {
  constexpr double higher[5] = {0, 0, 64, 190, 600};
  quotients(xs, gap, count).within(1 + higher[N] * unit(P));
  roots(xs, gap).within(N == 2 ? mct::error_bounds<2>.sqrt : 1 + higher[N] * unit(P));
}

TEST(ToyFloats, EveryPairOfTwoLimbs) {
  sums_and_products(expansions<3, 2>(4), 4);
  sums_and_products(expansions<4, 2>(1), 1);
  quotients_and_roots(expansions<3, 2>(4), 4);
  quotients_and_roots(expansions<4, 2>(1), 1);
}
TEST(ToyFloats, EveryPairOfThreeLimbs) { sums_and_products(expansions<3, 3>(1), 1); }

/// Random pairs of more bits and limbs: with eight bits digits.hpp's condition 48 u^2 < u / 4
/// holds, which quotients of three and four limbs need.
TEST(ToyFloats, RandomPairs) {
  sums_and_products(random_expansions<5, 2>(3, 500), 3, 2000);
  sums_and_products(random_expansions<6, 2>(3, 500), 3, 2000);
  sums_and_products(random_expansions<5, 3>(2, 500), 2, 2000);
  sums_and_products(random_expansions<4, 4>(2, 500), 2, 2000);
  quotients_and_roots(random_expansions<8, 2>(3, 500), 3, 2000);
  quotients_and_roots(random_expansions<8, 3>(3, 500), 3, 2000);
  quotients_and_roots(random_expansions<8, 4>(3, 500), 3, 2000);
}

/// Three terms of any size, sign and order.
template <int P, int N>
void renormalized(int distance) {
  using T = ToyFloat<P>;
  const int places = 2 * distance + 2 * P;
  std::vector<double> terms{0};
  for (int d = 0; d <= distance; ++d)
    for (int m = 1 << (P - 1); m < 1 << P; ++m)
      for (const double sign : {1.0, -1.0}) terms.push_back(sign * std::ldexp(double(m), -d));
  Tally tally;
  for (const double a : terms) {
    for (const double b : terms) {
      for (const double c : terms) {
        const T values[3] = {T(a), T(b), T(c)};
        const auto z = mct::renormalize<N>(values);
        Int128 sum = 0;
        for (const T& value : values) sum += exact<Int128>(value, places);
        tally.enter(z, Int128(exact<Int128>(z, places) - sum), sum);
      }
    }
  }
  tally.within(1);
}
TEST(ToyFloats, EverySumOfThreeTermsIsRenormalized) {
  renormalized<3, 2>(9);
  renormalized<3, 3>(9);
}

// The test must see what it looks for: networks with one fault each.

/// add of two limbs with fast_two_sum where the first operand may be smaller.
constexpr auto fast_for_two_sum = [](const auto& x, const auto& y) {
  const auto [s0, s1] = mct::fast_two_sum(x.limb[0], y.limb[0]);
  const auto [t0, t1] = mct::two_sum(x.limb[1], y.limb[1]);
  const auto [v0, v1] = mct::fast_two_sum(s0, s1 + t0);
  const auto [z0, z1] = mct::fast_two_sum(v0, t1 + v1);
  return Expansion<ToyFloat<3>, 2>::from_limbs(z0, z1);
};
/// add of two limbs with the sum and the error of the lower limbs swapped.
constexpr auto swapped = [](const auto& x, const auto& y) {
  const auto [s0, s1] = mct::two_sum(x.limb[0], y.limb[0]);
  const auto [t0, t1] = mct::two_sum(x.limb[1], y.limb[1]);
  const auto [v0, v1] = mct::fast_two_sum(s0, s1 + t1);
  const auto [z0, z1] = mct::fast_two_sum(v0, t0 + v1);
  return Expansion<ToyFloat<3>, 2>::from_limbs(z0, z1);
};
/// A product without its last normalization.
constexpr auto not_normalized = [](const auto& x, const auto& y) {
  const auto [p, e] = mct::two_prod(x.limb[0], y.limb[0]);
  return Expansion<ToyFloat<3>, 2>::from_limbs(p,
                                               e + x.limb[0] * y.limb[1] + x.limb[1] * y.limb[0]);
};

TEST(ToyFloats, WrongNetworksAreNoticed) {
  const auto xs = expansions<3, 2>(2);
  const double bound = 3 / (1 - 4 * unit(3));
  EXPECT_LE(sums(xs, xs, 2, 8, add).worst, bound);
  // y is the smaller operand
  const auto larger_last = [](const auto& x, const auto& y) { return fast_for_two_sum(y, x); };
  EXPECT_GT(sums(xs, xs, 2, 8, larger_last).worst, bound);
  EXPECT_GT(sums(xs, xs, 2, 8, swapped).worst, bound);
  EXPECT_GT(products(xs, xs, 2, not_normalized).not_normalized, 0);
}

}  // namespace
