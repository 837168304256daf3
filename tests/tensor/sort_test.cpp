// Orders of vectors: against a sort by exact comparison, with ties, NaN and zeros.
#include "mctensor/tensor/sort.hpp"

#include "tests/tensor/tensors.hpp"

namespace mct::test::sort_cases {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

TEST(Argsort, OfEveryType) {
  for_each_type([]<class T, int N>() {
    const auto x = random_tensor<T, N>({70, 3}, 1, 3).select(1, 1);
    const auto places = argsort(x);
    ASSERT_EQ(places.shape(), Shape{70});
    std::vector<bool> seen(70);
    for (std::int64_t i = 0; i < 70; ++i) {
      seen[std::size_t(places.at({i}))] = true;
      if (i == 0) continue;
      const auto before = as_expansion<T, N>(x.at({places.at({i - 1})}));
      EXPECT_FALSE((as_expansion<T, N>(x.at({places.at({i})})) < before));
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 70);
  });
}

TEST(Argsort, EqualElementsStayInOrderAndNanIsLast) {
  const auto x = Tensor<double>::from_values({nan, 1, -0.0, 0, inf, -inf, nan, 1, -1});
  EXPECT_EQ(argsort(x).values(), (std::vector<std::int64_t>{5, 8, 2, 3, 1, 7, 4, 0, 6}));
  EXPECT_EQ(argsort(Tensor<double, 2>({0})).shape(), Shape{0});
}

TEST(Argsort, AllComponentsDecide) {
  // 1 + u as (1, u) and as (1 + 2u, -u), and numbers between these
  constexpr double u = 0x1p-53;
  using X = Expansion<double, 3>;
  const auto limbs = [](double a, double b, double c) {
    X x;
    x.limb[0] = a;
    x.limb[1] = b;
    x.limb[2] = c;
    return x;
  };
  const auto x = Tensor<double, 3>::from_values(
      {limbs(1, u, u * u), limbs(1 + 2 * u, -u * (1 - u), 0), limbs(1 + 2 * u, -u, 0),
       limbs(1, u, 0), limbs(1 + 2 * u, -u, u * u / 4), limbs(1, u, -u * u / 4)});
  EXPECT_EQ(argsort(x).values(), (std::vector<std::int64_t>{5, 2, 3, 4, 0, 1}));
}

TEST(Argsort, TakesVectorsOnly) {
  EXPECT_THROW(argsort(Tensor<double>({2, 2})), ShapeError);
  EXPECT_THROW(argsort(Tensor<double>::scalar(1)), ShapeError);
}

}  // namespace
}  // namespace mct::test::sort_cases
