// Products of plain numbers are sums in the order of k, each step one fma: whatever the layout of
// the factors, the blocks, and the units that compute them.
#include <cstring>

#include "mctensor/linalg/bfloat16_units.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

/// The units as they were found, at the end of a test.
struct UnitsGuard {
  ~UnitsGuard() { use_bfloat16_units(false); }
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
void expect_in_order(const Shape& mnk, std::uint64_t seed) {
  SCOPED_TRACE(to_string(mnk));
  const auto a = convert<T, 1>(rand<double>({mnk[0], mnk[2]}, seed) - 0.5);
  const auto b = convert<T, 1>(rand<double>({mnk[2], mnk[1]}, seed + 1) - 0.5);
  const auto expected = product_in_order(a, b);
  for (const auto& x : {a, by_columns(a), scattered(a)})
    for (const auto& y : {b, by_columns(b), scattered(b)}) ASSERT_TRUE(same(mm(x, y), expected));
}

template <class T>
void expect_all_shapes_in_order() {
  std::mt19937_64 random(7);
  const auto size = [&](int largest) {
    return std::int64_t(1 + random() % std::uint64_t(largest));
  };
  for (int i = 0; i < 12; ++i) expect_in_order<T>({size(40), size(120), size(90)}, random());
  // panels and blocks that are full: rows, columns and depths of every instruction set's tiles
  expect_in_order<T>({16, 96, 64}, 1);
  expect_in_order<T>({1, 128, 65}, 2);
  expect_in_order<T>({257, 50, 200}, 3);
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
  EXPECT_FALSE(uses_bfloat16_units());
  EXPECT_EQ(use_bfloat16_units(true), has_bfloat16_units());
  EXPECT_EQ(uses_bfloat16_units(), has_bfloat16_units());
  EXPECT_FALSE(use_bfloat16_units(false));
}

TEST(Bfloat16Units, GiveTheSameBits) {
  const UnitsGuard guard;
  if (!use_bfloat16_units(true)) GTEST_SKIP() << "no AVX512-BF16, or not in use";
  expect_all_shapes_in_order<bfloat16>();
}

TEST(Bfloat16Units, TakeSubnormalsAsZeroAndKeepInfinitiesAndNaN) {
  const UnitsGuard guard;
  if (!use_bfloat16_units(true)) GTEST_SKIP() << "no AVX512-BF16, or not in use";
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

}  // namespace
}  // namespace mct::test
