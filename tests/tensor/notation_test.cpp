// Nested lists, elements in parentheses, methods: what stands in place of the function calls.
#include <optional>
#include <utility>

#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

TEST(NestedList, IsAMatrix) {
  const Tensor<double> x{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_EQ(x.values(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  Tensor<double> y = {{0.5}, {-0.5F}};
  EXPECT_EQ(y.shape(), (Shape{2, 1}));
  y = {{7, 8}};
  EXPECT_EQ(y.values(), (std::vector<double>{7, 8}));
  EXPECT_EQ((Tensor<std::int64_t>{{1, 2}, {3, 4}}.values()),
            (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ((Tensor<bool>{{true}, {false}}.values()), (std::vector<bool>{true, false}));
  EXPECT_EQ((sum(Tensor<double>{{1, 2}, {3, 4}}).item()), 10);
}

TEST(NestedList, OfEveryTypeAndDepth) {
  for_each_type([]<class T, int N>() {
    using Value = typename Tensor<T, N>::Value;
    const Tensor<T, N> x{{{1, 2.5}, {3, Value(T(4))}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}};
    EXPECT_EQ(x.shape(), (Shape{3, 2, 2}));
    EXPECT_TRUE((same<T, N>(x.at({0, 0, 1}), Expansion<T, N>(2.5))));
    EXPECT_TRUE((same<T, N>(x.at({2, 1, 0}), Expansion<T, N>(11))));
  });
  EXPECT_EQ((Tensor<double>{{{1}, {2}}}.shape()), (Shape{1, 2, 1}));
  EXPECT_EQ((Tensor<double>{{{}, {}}}.shape()), (Shape{1, 2, 0}));
  EXPECT_EQ((Tensor<double>{{{{1, 2}}}}.shape()), (Shape{1, 1, 1, 2}));
}

TEST(NestedList, IsNoShape) {
  // parentheses: zeros of a shape
  EXPECT_EQ(Tensor<double>({2, 3}).shape(), (Shape{2, 3}));
  EXPECT_EQ(Tensor<double>({2}).shape(), (Shape{2}));
  EXPECT_EQ(Tensor<double>({0}).shape(), (Shape{0}));
  const Shape shape{2, 3};
  EXPECT_EQ(Tensor<double>{shape}.shape(), shape);
  const Tensor<double> x(shape);
  EXPECT_EQ(Tensor<double>{x}.data(), x.data());
  EXPECT_EQ(std::optional<Tensor<double>>(x)->data(), x.data());
  static_assert(!std::is_convertible_v<Shape, Tensor<double>>);
  static_assert(!std::is_constructible_v<Tensor<double>, double>);
  static_assert(!tensor_detail::ElementLike<double, std::int64_t>);
  static_assert(!tensor_detail::ElementLike<int, bool>);
}

TEST(NestedList, NamesTheRowThatDiffers) {
  const auto message = [](const auto& make) { return message_of<ShapeError>(make); };
  EXPECT_EQ(message([] {
              Tensor<double>{{1, 2}, {3, 4, 5}};
            }),
            "nested lists: row [1] has 3 entries, where the first one has 2 entries");
  EXPECT_EQ(message([] {
              Tensor<float, 2>{{{1, 2}, {3, 4}}, {{5, 6}, {7}}};
            }),
            "nested lists: row [1][1] has 1 entry, where the first one has 2 entries");
  EXPECT_EQ(message([] {
              Tensor<double>{{1, 2}, {3, {4}}};
            }),
            "nested lists: row [1][1] has 1 entry, where the first one is a number");
  EXPECT_EQ(message([] {
              Tensor<double>{{{1}, {2}}, {{3}, 4}};
            }),
            "nested lists: row [1][1] is a number, where the first one has 1 entry");
  EXPECT_NE(message([] { Tensor<double>{{1, 2}, {}}; }), "");
}

TEST(Element, OfAPlainTensorIsAReference) {
  const Tensor<double> x{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(x(1, 2), 6);
  EXPECT_EQ(x(-1, -3), 4);
  EXPECT_EQ(x.t()(2, 1), 6);
  x(0, 1) = 20;
  x(0, std::size_t(1)) += 1;
  EXPECT_EQ(x.at({0, 1}), 21);
  EXPECT_EQ(Tensor<double>::scalar(3)(), 3);
  EXPECT_THROW(x(2, 0), ShapeError);
  EXPECT_THROW(x(0, -4), ShapeError);
  EXPECT_THROW(x(0), ShapeError);
  EXPECT_THROW(x(0, 0, 0), ShapeError);
  const Tensor<bool> mask{{true, false}};
  mask(0, 1) = true;
  EXPECT_TRUE(all(mask));
}

TEST(Element, OfSeveralComponentsIsAValue) {
  const Tensor<double, 2> x{{1, 2}, {3, 4}};
  EXPECT_EQ(x(1, 0) + x(-1, -1), f64x2(7));
  x.set({1, 0}, x(1, 0) * x(1, 1));
  EXPECT_EQ(x(1, 0), f64x2(12));
  // an assignment to a copy would be lost
  static_assert(!std::is_assignable_v<decltype(x(0, 0)), f64x2>);
  static_assert(std::is_assignable_v<decltype(Tensor<double>()(0, 0)), double>);
}

TEST(Methods, AreTheFunctions) {
  for_each_type([]<class T, int N>() {
    const auto x = abs(random_tensor<T, N>({3, 4}, 5, 1)) + 1.5;
    const auto y = 1.0 / x;  // where the domain ends at 1
#define MCT_COMPARE(name, ...)                           \
  EXPECT_TRUE((same<T, N>(x.name(), name(x)))) << #name; \
  EXPECT_TRUE((same<T, N>(y.name(), name(y)))) << #name;
    MCT_FOR_EACH_UNARY(MCT_COMPARE)
    MCT_COMPARE(sum)
    MCT_COMPARE(mean)
    MCT_COMPARE(max)
    MCT_COMPARE(min)
    MCT_COMPARE(norm)
#undef MCT_COMPARE
    EXPECT_EQ(x.sum({0}, true).shape(), (Shape{1, 4}));
    EXPECT_TRUE((same<T, N>(x.norm(1, {1}), norm(x, 1, {1}))));
    EXPECT_TRUE((same<T, N>(x.t().exp().sum({-1}), sum(exp(x.t()), {-1}))));
  });
}

template <class X>
concept HasSum = requires(const X& x) {
  x.sum();
};

TEST(Methods, OfMasksAndIndicesAreNone) {
  static_assert(HasSum<Tensor<double>> && HasSum<Tensor<bfloat16, 3>>);
  static_assert(!HasSum<Tensor<bool>> && !HasSum<Tensor<std::int64_t>>);
}

}  // namespace
}  // namespace mct::test
