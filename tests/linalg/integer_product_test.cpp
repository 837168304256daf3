// Products through integers against MPFR, and all their tiles against each other.
#include "src/linalg/integer_product.hpp"
#include "mctensor/linalg/integer_unit.hpp"
#include "mctensor/tensor/isa.hpp"
#include "mctensor/tensor/threads.hpp"
#include "src/linalg/residue_units.hpp"
#include "tests/linalg/product_oracle.hpp"

namespace mct::test {
namespace {

using linalg_detail::IntegerProductOptions;
using linalg_detail::MatrixView;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int N>
MatrixView<const double> view(const Tensor<double, N>& x) {
  return {x.data(), x.plane_stride(), x.strides()[0], x.strides()[1]};
}

/// a b through integers; no elements if that is refused.
template <int A, int B, int N = (A > B ? A : B)>
Tensor<double, N> product(const Tensor<double, A>& a, const Tensor<double, B>& b,
                          const IntegerProductOptions& options) {
  const Tensor<double, N> c({a.size(0), b.size(1)});
  const bool done = linalg_detail::integer_product(
      a.size(0), b.size(1), a.size(1), {view(a), A}, {view(b), B},
      {{c.data(), c.plane_stride(), c.strides()[0], c.strides()[1]}, N}, options);
  return done ? c : Tensor<double, N>({0});
}

constexpr IntegerProductOptions componentwise{MatmulAccuracy::componentwise, true};
constexpr IntegerProductOptions normwise{MatmulAccuracy::normwise, true};

/// The largest error in units of product_bound.
template <int N, int A, int B>
double componentwise_error(const Tensor<double, A>& a, const Tensor<double, B>& b,
                           const Tensor<double, N>& c) {
  double largest = 0;
  const double bound = product_bound<double, N>(double(a.size(1)));
  for_each_element(
      a, b, c,
      [&](ProductOracle& oracle, const Expansion<double, N>& value, std::int64_t, std::int64_t) {
        EXPECT_TRUE(is_normalized(value));
        largest = std::max(largest, oracle.error(value) / bound);
      });
  return largest;
}

template <int N>
double largest_limb(const Tensor<double, N>& x) {
  double largest = 0;
  for (int l = 0; l < N; ++l) largest = std::max(largest, abs(x.plane(l)).max().item());
  return largest;
}

/// The largest error in units of the normwise bound.
template <int N, int A, int B>
double normwise_error(const Tensor<double, A>& a, const Tensor<double, B>& b,
                      const Tensor<double, N>& c) {
  double largest = 0;
  for_each_element(a, b, c,
                   [&](ProductOracle& oracle, const Expansion<double, N>& value, std::int64_t i,
                       std::int64_t j) {
                     oracle.set_reference(normwise_bound<N>(double(a.size(1))),
                                          largest_limb(a.narrow(0, i, 1)),
                                          largest_limb(b.narrow(1, j, 1)));
                     EXPECT_TRUE(is_normalized(value));
                     largest = std::max(largest, oracle.error(value));
                   });
  return largest;
}

/// f for every combination of limbs, as two values of integral constants.
template <class F>
void for_each_limbs(F f) {
  f(std::integral_constant<int, 1>{}, std::integral_constant<int, 1>{});
  f(std::integral_constant<int, 2>{}, std::integral_constant<int, 2>{});
  f(std::integral_constant<int, 3>{}, std::integral_constant<int, 3>{});
  f(std::integral_constant<int, 2>{}, std::integral_constant<int, 1>{});
  f(std::integral_constant<int, 1>{}, std::integral_constant<int, 3>{});
}

const Shape shapes[] = {{1, 1, 1}, {3, 2, 5}, {7, 65, 17}, {13, 131, 50}};

TEST(IntegerProduct, IsWithinTheComponentwiseBound) {
  for_each_limbs([](auto limbs_a, auto limbs_b) {
    if constexpr (limbs_a() > 1 || limbs_b() > 1) {
      for (const Shape& s : shapes) {
        for (const int spread : {0, 4, 12}) {
          const auto a = random_tensor<double, limbs_a()>({s[0], s[1]}, 1, spread);
          const auto b = random_tensor<double, limbs_b()>({s[1], s[2]}, 2, spread);
          const auto c = product(a, b, componentwise);
          ASSERT_EQ(c.dim(), 2) << to_string(s) << " spread " << spread;
          EXPECT_LE(componentwise_error(a, b, c), 1);
          make_cancelling(a, b);
          EXPECT_LE(componentwise_error(a, b, product(a, b, componentwise)), 1);
        }
      }
    }
  });
}

/// Rows and columns that are hard: zeros, the largest and smallest numbers, one large entry.
template <int A, int B>
void make_hostile(const Tensor<double, A>& a, const Tensor<double, B>& b) {
  mul_(a.select(0, 0), 0.0);
  mul_(a.select(0, 1), 0x1p400);
  mul_(a.select(0, 2), 0x1p-600);
  mul_(a.select(0, 3), 0x1p-1000);
  a.plane(0).set({4, 0}, 0x1p90);
  mul_(b.select(1, 0), 0.0);
  mul_(b.select(1, 1), 0x1p500);
  mul_(b.select(1, 2), 0x1p-500);
  b.plane(0).set({0, 3}, -0x1p70);
}

TEST(IntegerProduct, IsWithinTheNormwiseBound) {
  for_each_limbs([](auto limbs_a, auto limbs_b) {
    for (const Shape& s : shapes) {
      const auto a = random_tensor<double, limbs_a()>({s[0], s[1]}, 1, 6);
      const auto b = random_tensor<double, limbs_b()>({s[1], s[2]}, 2, 6);
      if (s[0] > 4) make_hostile(a, b);
      EXPECT_LE(normwise_error(a, b, product(a, b, normwise)), 1.001) << to_string(s);
      EXPECT_TRUE(same(mm(a, b, MatmulAccuracy::normwise), product(a, b, normwise)));
      make_cancelling(a, b);
      EXPECT_LE(normwise_error(a, b, product(a, b, normwise)), 1.001) << to_string(s);
    }
  });
}

TEST(IntegerProduct, TheLargestIntegersFit) {
  // every element just below a power of two, all of one sign: the largest sums there are
  for_each_limbs([](auto limbs_a, auto limbs_b) {
    constexpr int N = std::max(limbs_a(), limbs_b());
    const auto just_below_one = [](auto limbs, const Shape& shape) {
      Tensor<double, limbs()> x(shape);
      x.plane(0).fill_(1.0);
      x.plane(limbs() - 1).fill_(limbs() == 1 ? 1 - 0x1p-53 : -std::ldexp(1.0, -53 * limbs()));
      return x;
    };
    for (const std::int64_t k : {1, 512, 4096}) {
      const auto a = just_below_one(limbs_a, {2, k});
      const auto b = just_below_one(limbs_b, {k, 2});
      EXPECT_LE(normwise_error(a, b, product(a, b, normwise)), 1.001);
      if constexpr (N > 1) {
        EXPECT_LE(componentwise_error(a, b, product(a, b, componentwise)), 1);
        mul_(b, -1.0);
        EXPECT_LE(componentwise_error(a, b, product(a, b, componentwise)), 1);
      }
    }
  });
}

TEST(IntegerProduct, EveryTileGivesTheSameBits) {
  const auto tiles = linalg_detail::residue_tiles();
  ASSERT_STREQ(tiles.back()->unit, "model of AMX-INT8");
  EXPECT_EQ(integer_unit(), tiles.front()->unit);
  for_each_limbs([&](auto limbs_a, auto limbs_b) {
    for (const std::int64_t k : {1, 2, 3, 5, 63, 64, 65, 511, 513, 1025, 2053}) {
      if (k > 65 && (limbs_a() != 2 || limbs_b() != 2)) continue;  // a tile gets residues alone
      const auto a = random_tensor<double, limbs_a()>({37, k}, 1, 3);
      const auto b = random_tensor<double, limbs_b()>({k, 35}, 2, 3);
      for (IntegerProductOptions options : {componentwise, normwise}) {
        if (limbs_a() == 1 && limbs_b() == 1) options = normwise;
        const auto expected = product(a, b, options);
        ASSERT_EQ(expected.dim(), 2);
        for (const auto* tile : tiles) {
          options.tile = tile;
          EXPECT_TRUE(same(product(a, b, options), expected)) << tile->unit << ", k = " << k;
        }
      }
    }
  });
}

TEST(IntegerProduct, InstructionSetsAndThreadsGiveTheSameBits) {
  const auto a = random_tensor<double, 2>({130, 600}, 1, 3);
  const auto b = random_tensor<double, 2>({600, 140}, 2, 3);
  const auto expected = product(a, b, componentwise);
  const Isa before = active_isa();
  const int threads = num_threads();
  for (const Isa isa : available_isas()) {
    set_active_isa(isa);
    for (const int count : {1, 2, 3}) {
      set_num_threads(count);
      EXPECT_TRUE(same(product(a, b, componentwise), expected)) << to_string(isa) << " " << count;
    }
  }
  set_num_threads(threads);
  set_active_isa(before);
}

TEST(IntegerProduct, ElementsDependOnTheirRowAndColumnAlone) {
  // blocks of rows and columns, transposed operands, one row alone
  const auto a = random_tensor<double, 2>({1200, 40}, 1, 3);
  const auto b = random_tensor<double, 2>({40, 1210}, 2, 3);
  const auto c = product(a, b, normwise);
  EXPECT_TRUE(same(product(a.t().contiguous().t(), b, normwise), c));
  EXPECT_TRUE(same(product(a, b.t().contiguous().t(), normwise), c));
  EXPECT_TRUE(same(product(b.t(), a.t(), normwise).t().contiguous(), c));
  for (const std::int64_t i : {0, 600, 1199})
    EXPECT_TRUE(same(product(a.narrow(0, i, 1), b, normwise), c.narrow(0, i, 1).contiguous()));
}

/// x with gaps between its elements in memory.
Tensor<double, 2> apart(const Tensor<double, 2>& x, std::int64_t rows, std::int64_t columns) {
  const auto all = full<double, 2>({x.size(0) * rows, x.size(1) * columns}, f64x2(0x1p900));
  const auto some = all.slice(0, 0, all.size(0), rows).slice(1, 0, all.size(1), columns);
  some.copy_(x);
  return some;
}

/// Each layout has its own way through memory to the ranges and the digits of lines.
TEST(IntegerProduct, LayoutsGiveTheSameBits) {
  const auto a = random_tensor<double, 2>({13, 131}, 1, 6);
  const auto b = random_tensor<double, 2>({131, 50}, 2, 6);
  make_hostile(a, b);
  const auto c = product(a, b, normwise);
  for (const auto& [rows, columns] : {std::pair{2, 1}, std::pair{1, 2}, std::pair{3, 2}})
    for (const bool by_columns : {false, true}) {
      // clang 14 captures no structured bindings by themselves
      const auto laid = [rows = rows, columns = columns, by_columns](const Tensor<double, 2>& x) {
        return by_columns ? apart(x.t(), columns, rows).t() : apart(x, rows, columns);
      };
      EXPECT_TRUE(same(product(laid(a), b, normwise), c)) << rows << columns << by_columns;
      EXPECT_TRUE(same(product(a, laid(b), normwise), c)) << rows << columns << by_columns;
    }
}

TEST(IntegerProduct, LeavesWhatIsNotFiniteToOthers) {
  const auto b = random_tensor<double, 2>({4, 5}, 2, 0);
  for (const double bad : {inf, -inf, nan}) {
    for (const int limb : {0, 1}) {
      const auto a = random_tensor<double, 2>({3, 4}, 1, 0);
      a.plane(limb).set({1, 2}, bad);
      EXPECT_EQ(product(a, b, normwise).dim(), 1);
      EXPECT_EQ(product(b.t(), a.t(), componentwise).dim(), 1);
      if (limb > 0) continue;
      const auto c = mm(a, b, MatmulAccuracy::normwise);
      EXPECT_TRUE(same(c, mm(a, b)));
      EXPECT_FALSE(std::isfinite(c.fc().at({1, 0})));
      EXPECT_TRUE(std::isfinite(c.fc().at({0, 0})));
    }
  }
  // limbs that overlap have no componentwise bound
  const auto a = random_tensor<double, 2>({3, 4}, 1, 0);
  a.plane(1).set({1, 2}, a.plane(0).at({1, 2}) * -0.5);
  EXPECT_EQ(product(a, b, componentwise).dim(), 1);
  EXPECT_LE(normwise_error(a, b, product(a, b, normwise)), 1.001);
  // no depth
  EXPECT_TRUE(
      same(mm(Tensor<double, 2>({3, 0}), Tensor<double, 2>({0, 2}), MatmulAccuracy::normwise),
           Tensor<double, 2>({3, 2})));
}

TEST(IntegerProduct, OverflowIsInfinite) {
  const auto a = full<double, 2>({2, 3}, f64x2(0x1p600));
  const auto b = full<double, 2>({3, 2}, f64x2(0x1p600));
  b.plane(0).select(1, 1).fill_(-0x1p600);
  const auto c = mm(a, b, MatmulAccuracy::normwise);
  EXPECT_TRUE(same(c, mm(a, b)));
  EXPECT_EQ(c.fc().at({0, 0}), inf);
  EXPECT_EQ(c.fc().at({0, 1}), -inf);
}

TEST(IntegerProduct, OverlappingLimbsHaveTheSameBound) {
  // the smallest limbs are just below half of the unit and all of one sign
  constexpr std::int64_t k = 100;
  constexpr double small = 0x1p-105;
  const Tensor<double, 2> a({1, k});
  const Tensor<double, 2> b({k, 1});
  for (std::int64_t i = 0; i < k; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    const bool large = i < 2;
    a.set({0, i}, f64x2::from_limbs(sign, large ? sign / 2 : small));
    b.set({i, 0}, f64x2::from_limbs(1, large ? 0.5 : -sign * small));
  }
  EXPECT_LE(normwise_error(a, b, product(a, b, normwise)), 1.001);
  // they add up to what overflows, and to what does not
  const auto times = [](const f64x2& x, const f64x2& y) {
    return mm(full<double, 2>({1, 1}, x), full<double, 2>({1, 1}, y), MatmulAccuracy::normwise)
        .item();
  };
  const auto pair = [](double x, double y) { return f64x2::from_limbs(x, y); };
  EXPECT_EQ(times(pair(0x1p1000, 0), pair(0, 0x1p500)).limb[0], inf);
  EXPECT_EQ(times(pair(-0x1p1000, -0x1p1000), pair(0x1p23, 0x1p23)).limb[0], -inf);
  EXPECT_EQ(times(pair(0x1p1000, -0x1p1000), pair(0x1p23, 0x1p23)).limb[0], 0);
}

TEST(IntegerProduct, RoundsToTheNearest) {
  // a sum whose upper digit is 1 and whose lower digits are rounded upwards to a tie
  constexpr std::int64_t k = (1 << 21) + 1;
  const auto a = full<double, 1>({1, k}, 1.0);
  const auto b = full<double, 1>({k, 1}, 1.0);
  b.set({k - 1, 0}, 0x1p-14 + 0x1p-32 + 0x1p-33 - 0x1p-61);
  EXPECT_LE(normwise_error(a, b, product(a, b, normwise)), 1.001);
  const auto c = full<double, 2>({1, 9}, f64x2::from_limbs(1, 0x1p-107));
  const auto d = c.t().contiguous();
  c.set({0, 8}, f64x2(0x1p-31));
  d.set({8, 0}, f64x2::from_limbs(0x1p-1 + 0x1p-19 + 0x1p-21, 0x1p-72 + 0x1p-74 - 0x1p-106));
  EXPECT_LE(normwise_error(c, d, product(c, d, normwise)), 1.001);
  // one product: that of the processor
  const auto x = randn<double, 1>({2000, 1}, 1);
  const auto y = randn<double, 1>({1, 300}, 2);
  EXPECT_TRUE(same(product(x, y, normwise), mul(x, y)));
}

TEST(IntegerProduct, SmallResultsAreNormalized) {
  const auto x = full<double, 2>({1, 1}, f64x2::from_limbs(1 + 0x1p-52, 0x1p-53 - 0x1p-60));
  const auto y = full<double, 2>({1, 1}, f64x2(0x1p-1017));
  for (const auto& options : {componentwise, normwise})
    EXPECT_TRUE(is_normalized(product(x, y, options).item()));
}

TEST(IntegerProduct, DeepSums) {
  // beyond every block of depth, and 2^20 terms
  const auto a = random_tensor<double, 2>({1, 1 << 20}, 1, 0);
  const auto b = random_tensor<double, 2>({1 << 20, 1}, 2, 0);
  EXPECT_LE(normwise_error(a, b, product(a, b, normwise)), 1.001);
}

TEST(IntegerProduct, PlainFixedPointNumbersAreRoundedOnce) {
  const auto a = rand<double, 1>({20, 300}, 1);
  const auto b = rand<double, 1>({300, 20}, 2);
  const auto c = product(a, b, normwise);
  for_each_element(a, b, c,
                   [&](ProductOracle& oracle, const f64x1& value, std::int64_t, std::int64_t) {
                     EXPECT_EQ(oracle.rounded(), value.limb[0]);
                   });
}

TEST(IntegerProduct, LargeProductsGoThroughIntegers) {
  // the path that mm takes by itself, beside the sums in floating point that small products take
  const auto a = randn<double, 3>({130, 140}, 1);
  const auto b = randn<double, 3>({140, 150}, 2);
  const auto c = mm(a, b);
  EXPECT_TRUE(same(c, product(a, b, componentwise)));
  EXPECT_TRUE(same(matmul(a.unsqueeze(0), b)[0].contiguous(), c));
  EXPECT_FALSE(same(mm(a.narrow(0, 0, 8), b), product(a.narrow(0, 0, 8), b, componentwise)));
  // elements too far apart
  const auto wide = random_tensor<double, 3>({130, 140}, 1, 200);
  EXPECT_FALSE(same(mm(wide, b), product(wide, b, normwise)));
}

}  // namespace
}  // namespace mct::test
