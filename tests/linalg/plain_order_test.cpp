// Products of plain numbers are sums in the order of k, each step one fma: whatever the layout of
// the factors, the blocks, and the units that compute them.
#include <cstring>

#include "mctensor/linalg/bfloat16_units.hpp"
#include "src/linalg/kernels/bfloat16_matrix.hpp"
#include "src/linalg/kernels/pack_plain.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

/// The units as they were found, at the end of a test.
struct UnitsGuard {
  ~UnitsGuard() { use_bfloat16_unit(Bfloat16Unit::none); }
};

/// a b in float (double for doubles), rounded once.
template <class T>
Tensor<T> product_in_order(const Tensor<T>& a, const Tensor<T>& b) {
  using S = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const std::int64_t m = a.size(0);
  const std::int64_t k = a.size(1);
  const std::int64_t n = b.size(1);
  auto c = Tensor<T>::uninitialized({m, n});
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      S sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum = std::fma(S(a.data()[i * k + l]), S(b.data()[l * n + j]), sum);
      c.data()[i * n + j] = T(sum);
    }
  return c;
}

/// a b in the order of the matrix unit (AMX-BF16), rounded once: the even and the odd ones of every
/// 32 k by themselves.
Tensor<bfloat16> product_in_pairs(const Tensor<bfloat16>& a, const Tensor<bfloat16>& b) {
  const std::int64_t m = a.size(0);
  const std::int64_t k = a.size(1);
  const std::int64_t n = b.size(1);
  auto c = Tensor<bfloat16>::uninitialized({m, n});
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t from = 0; from < k; from += 32) {
        float part[2] = {};
        for (std::int64_t l = from; l < std::min(from + 32, k); ++l)
          part[l % 2] =
              std::fma(float(a.data()[i * k + l]), float(b.data()[l * n + j]), part[l % 2]);
        sum += part[0] + part[1];
      }
      c.data()[i * n + j] = bfloat16(sum);
    }
  return c;
}

/// The same numbers, their columns beside each other in memory.
template <class T>
Tensor<T> by_columns(const Tensor<T>& x) {
  return x.t().clone().t();
}
/// The same numbers, nothing beside anything.
template <class T>
Tensor<T> scattered(const Tensor<T>& x) {
  auto wide = Tensor<T>::uninitialized({x.size(0), x.size(1), 3});
  auto result = wide.narrow(2, 1, 1).squeeze(2);
  result.copy_(x);
  return result;
}

template <class T>
void expect_in_order(const Shape& mnk, std::uint64_t seed,
                     Tensor<T> (&in_order)(const Tensor<T>&, const Tensor<T>&)) {
  SCOPED_TRACE(to_string(mnk));
  const auto a = convert<T, 1>(rand<double>({mnk[0], mnk[2]}, seed) - 0.5);
  const auto b = convert<T, 1>(rand<double>({mnk[2], mnk[1]}, seed + 1) - 0.5);
  const auto expected = in_order(a, b);
  for (const auto& x : {a, by_columns(a), scattered(a)})
    for (const auto& y : {b, by_columns(b), scattered(b)}) ASSERT_TRUE(same(mm(x, y), expected));
}

template <class T>
void expect_all_shapes_in_order(Tensor<T> (&in_order)(const Tensor<T>&,
                                                      const Tensor<T>&) = product_in_order<T>) {
  std::mt19937_64 random(7);
  const auto size = [&](int largest) {
    return std::int64_t(1 + random() % std::uint64_t(largest));
  };
  for (int i = 0; i < 12; ++i)
    expect_in_order<T>({size(40), size(120), size(90)}, random(), in_order);
  // panels and blocks that are full: rows, columns and depths of every instruction set's tiles
  expect_in_order<T>({16, 96, 64}, 1, in_order);
  expect_in_order<T>({1, 128, 65}, 2, in_order);
  expect_in_order<T>({257, 50, 200}, 3, in_order);
  expect_in_order<T>({33, 40, 1100}, 4, in_order);
}

TEST(PlainProducts, AddInTheOrderOfK) {
  if (active_isa() == Isa::baseline) GTEST_SKIP() << "without fma products are rounded twice";
  expect_all_shapes_in_order<double>();
  expect_all_shapes_in_order<float>();
}

TEST(PlainProducts, OfShortNumbersAddInTheOrderOfK) {
  expect_all_shapes_in_order<bfloat16>();  // their products are floats
  expect_all_shapes_in_order<half>();
}

TEST(PlainProducts, OfInfinitiesAreGuardedInPlace) {
  auto a = full<float>({9, 40}, 1);
  const auto b = full<float>({40, 70}, 1);
  a.data()[3 * 40 + 7] = std::numeric_limits<float>::infinity();
  const auto c = mm(a, b);
  for (std::int64_t i = 0; i < 9; ++i)
    for (std::int64_t j = 0; j < 70; ++j)
      EXPECT_EQ(c.data()[i * 70 + j], i == 3 ? std::numeric_limits<float>::infinity() : 40.0F);
}

TEST(Bfloat16Units, AreUsedOnlyWhereTheyAreAndWhenWanted) {
  const UnitsGuard guard;
  EXPECT_EQ(bfloat16_unit(), Bfloat16Unit::none);
  for (const Bfloat16Unit unit : {Bfloat16Unit::vector, Bfloat16Unit::matrix, Bfloat16Unit::none}) {
    const Bfloat16Unit expected = has_bfloat16_unit(unit) ? unit : Bfloat16Unit::none;
    EXPECT_EQ(use_bfloat16_unit(unit), expected);
    EXPECT_EQ(bfloat16_unit(), expected);
  }
}

TEST(Bfloat16Units, GiveTheSameBits) {
  const UnitsGuard guard;
  if (use_bfloat16_unit(Bfloat16Unit::vector) == Bfloat16Unit::none)
    GTEST_SKIP() << "no AVX512-BF16, or not in use";
  expect_all_shapes_in_order<bfloat16>();
}

TEST(Bfloat16Units, TheMatrixUnitAddsInPairs) {
  const UnitsGuard guard;
  if (use_bfloat16_unit(Bfloat16Unit::matrix) == Bfloat16Unit::none)
    GTEST_SKIP() << "no AMX-BF16, or not in use";
  expect_all_shapes_in_order<bfloat16>(product_in_pairs);
}

/// The loop of the matrix unit on its model, which runs everywhere.
TEST(Bfloat16Units, TheModelOfTheMatrixUnitAddsInPairs) {
  constexpr std::int64_t lines = 32;
  for (const std::int64_t k : {1, 2, 31, 32, 33, 97}) {
    const auto a = convert<bfloat16, 1>(rand<double>({lines, k}, 1) - 0.5);
    const auto b = convert<bfloat16, 1>(rand<double>({k, lines}, 2) - 0.5);
    const std::int64_t pairs = (k + 1) / 2;
    // what lies behind the left factor plays no part
    std::vector<linalg_detail::Bfloat16Line> left(std::size_t(((pairs + 15) / 16 + 1) * 16 * lines),
                                                  {{0x7fc0, 0x7fc0}});
    std::vector<linalg_detail::Bfloat16Pair> right(std::size_t(pairs * lines));
    kernels::pack_lines({a.data(), 0, 1, k}, k, lines, lines, left.data());
    kernels::pack_plain<bfloat16, linalg_detail::Bfloat16Pair>({b.data(), 0, lines, 1}, k, lines,
                                                               lines, right.data());
    Tensor<float> sums({lines, lines});
    kernels::multiply_bfloat16_lines<kernels::ModelTiles>(std::size_t(pairs), left.data(),
                                                          right.data(), sums.data());
    EXPECT_TRUE(same(convert<bfloat16, 1>(sums), product_in_pairs(a, b))) << "k = " << k;
  }
}

/// The model, and whether its registers are in use.
struct TilesInUse : kernels::ModelTiles {
  static inline bool in_use = false;
  void configure() { in_use = true; }
  void release() { in_use = false; }
};
TEST(Bfloat16Units, TheMatrixUnitIsReleased) {
  constexpr std::size_t lines = 32, pairs = 16;
  const std::vector<linalg_detail::Bfloat16Line> left(pairs * lines);
  const std::vector<linalg_detail::Bfloat16Pair> right(pairs * lines);
  std::vector<float> sums(lines * lines);
  kernels::multiply_bfloat16_lines<TilesInUse>(pairs, left.data(), right.data(), sums.data());
  EXPECT_FALSE(TilesInUse::in_use);
}

void expect_zero_for_subnormals(Bfloat16Unit unit) {
  const UnitsGuard guard;
  if (use_bfloat16_unit(unit) == Bfloat16Unit::none) GTEST_SKIP() << "no such unit, or not in use";
  const auto with = [](float x) {
    auto a = convert<bfloat16, 1>(full<float>({2, 5}, 1));
    a.data()[7] = bfloat16(x);
    return convert<float, 1>(mm(a, convert<bfloat16, 1>(full<float>({5, 3}, 1)))).values();
  };
  EXPECT_EQ(with(0x1p-127F), (std::vector<float>{5, 5, 5, 4, 4, 4}));
  EXPECT_EQ(with(-HUGE_VALF)[3], -HUGE_VALF);
  EXPECT_EQ(with(-HUGE_VALF)[2], 5);
  EXPECT_TRUE(std::isnan(with(std::nanf(""))[4]));
  const auto tiny = full<float>({1, 2}, 0x1p-70F);
  const auto small = mm(convert<bfloat16, 1>(tiny), convert<bfloat16, 1>(tiny.t()));
  EXPECT_EQ(float(small.item()), 0);  // 2^-139
}
TEST(Bfloat16Units, TakeSubnormalsAsZeroAndKeepInfinitiesAndNaN) {
  expect_zero_for_subnormals(Bfloat16Unit::vector);
}
TEST(Bfloat16Units, TheMatrixUnitTakesSubnormalsAsZero) {
  expect_zero_for_subnormals(Bfloat16Unit::matrix);
}

}  // namespace
}  // namespace mct::test
