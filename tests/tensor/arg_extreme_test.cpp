// Where extremes are: against a loop, with ties, NaN and every layout.
#include "mctensor/tensor/threads.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test::arg_extreme_cases {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// The place of the extreme of a row, by the definition.
template <class T, int N>
std::int64_t place_in(const Tensor<T, N>& row, bool largest) {
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < row.numel(); ++i) {
    const auto x = as_expansion<T, N>(row.at({i}));
    const auto y = as_expansion<T, N>(row.at({best}));
    if (largest ? y < x : x < y) best = i;
  }
  return best;
}

TEST(ArgExtreme, OfEveryTypeAndDimension) {
  for_each_type([]<class T, int N>() {
    const auto x = random_tensor<T, N>({5, 70, 3}, 1, 3);
    for (const bool largest : {true, false}) {
      const auto arg = [&](const Tensor<T, N>& of, std::int64_t dim) {
        return largest ? argmax(of, dim) : argmin(of, dim);
      };
      const auto middle = arg(x, 1);
      const auto last = arg(x, -1);
      const auto first = arg(x, 0);
      ASSERT_EQ(middle.shape(), Shape({5, 3}));
      ASSERT_EQ(last.shape(), Shape({5, 70}));
      ASSERT_EQ(first.shape(), Shape({70, 3}));
      for (std::int64_t i = 0; i < 5; ++i)
        for (std::int64_t k = 0; k < 3; ++k)
          EXPECT_EQ(middle.at({i, k}), place_in(x[i].select(1, k), largest));
      for (std::int64_t i = 0; i < 5; ++i)
        for (std::int64_t j = 0; j < 70; ++j)
          EXPECT_EQ(last.at({i, j}), place_in(x[i][j], largest));
      for (std::int64_t j = 0; j < 70; ++j)
        for (std::int64_t k = 0; k < 3; ++k)
          EXPECT_EQ(first.at({j, k}), place_in(x.select(1, j).select(1, k), largest));
      // views
      const auto turned = x.transpose(0, 1);
      EXPECT_EQ(arg(turned, 0).values(), middle.values());
      EXPECT_EQ(arg(turned.slice(0, 3, 70, 7), 0).values(),
                arg(turned.slice(0, 3, 70, 7).contiguous(), 0).values());
      const auto all = largest ? argmax(x) : argmin(x);
      EXPECT_EQ(all.shape(), Shape{});
      EXPECT_EQ(all.item(), place_in(x.flatten(), largest));
      EXPECT_EQ((largest ? x.transpose(0, 2).argmax() : x.transpose(0, 2).argmin()).item(),
                place_in(x.transpose(0, 2).flatten(), largest));
    }
  });
}

TEST(ArgExtreme, LaterComponentsDecide) {
  const auto x = Tensor<double, 2>::from_values({f64x2(1), f64x2(1) + 0x1p-80, f64x2(1) - 0x1p-80});
  EXPECT_EQ(argmax(x).item(), 1);
  EXPECT_EQ(argmin(x).item(), 2);
}

TEST(ArgExtreme, TheFirstOfEqualOnes) {
  const auto x = Tensor<float>::from_values({3, 1, 3, 1, -0.0F, 0}, {6});
  EXPECT_EQ(argmax(x).item(), 0);
  EXPECT_EQ(argmin(x).item(), 4);
  EXPECT_EQ(argmin(Tensor<float>::from_values({0, -0.0F}, {2})).item(), 0);
  const auto infinite = Tensor<double, 2>::from_values({f64x2(1), f64x2(inf), f64x2(inf)});
  EXPECT_EQ(argmax(infinite).item(), 1);
  EXPECT_EQ(argmin(-infinite).item(), 1);
}

/// As NumPy: NaN comes before all numbers, for both.
TEST(ArgExtreme, TheFirstNaN) {
  const auto x = Tensor<double>::from_values({1, inf, nan, -inf, nan, 2, 3, 4}, {2, 4});
  EXPECT_EQ(argmax(x, 1).values(), (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(argmin(x, 1).values(), (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(argmax(x).item(), 2);
}

TEST(ArgExtreme, ShapesAndWhatIsRefused) {
  const auto x = random_tensor<float, 2>({2, 3}, 1);
  EXPECT_EQ(argmax(x, 0, true).shape(), Shape({1, 3}));
  EXPECT_EQ(argmax(x, 0, true).flatten().values(), argmax(x, 0).values());
  EXPECT_EQ(argmin(x, -1, true).shape(), Shape({2, 1}));
  EXPECT_EQ(argmax(Tensor<double>({0, 2}), 1).shape(), Shape({0}));
  EXPECT_EQ(argmax(Tensor<double>(Shape{})).item(), 0);
  const auto message = testing::message_of<ShapeError>([] { argmax(Tensor<double>({2, 0}), 1); });
  EXPECT_NE(message.find("argmax: no elements to choose from in dimension 1 of shape (2, 0)"),
            std::string::npos)
      << message;
  EXPECT_THROW(argmin(Tensor<double>({0})), ShapeError);
  EXPECT_THROW(argmax(x, 2), ShapeError);
  EXPECT_THROW(argmax(x, -3), ShapeError);
}

TEST(ArgExtreme, DoesNotDependOnThreads) {
  const auto x = random_tensor<float, 1>({50, 1001, 37}, 9, 0);
  const int threads = num_threads();
  set_num_threads(1);
  const auto expected = argmax(x, 1).values();
  for (const int other : {2, 7}) {
    set_num_threads(other);
    EXPECT_EQ(argmax(x, 1).values(), expected);
  }
  set_num_threads(threads);
}

}  // namespace
}  // namespace mct::test::arg_extreme_cases
