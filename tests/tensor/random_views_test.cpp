// Operations on random views (transposed, sliced, reversed, broadcast, sizes of 1 anywhere) beside
// element by element computations.
#include <algorithm>

#include "tests/tensor/tensors.hpp"

namespace mct::test::random_views_cases {
namespace {

constexpr int rounds = 400;

class RandomViews : public ::testing::Test {
 protected:
  std::int64_t below(std::int64_t n) { return std::int64_t(random_() % std::uint64_t(n)); }

  Shape random_shape() {
    static constexpr std::array<std::int64_t, 6> sizes = {1, 1, 2, 3, 7, 20};
    Shape shape(std::size_t(below(5)));
    for (auto& size : shape) size = sizes[std::size_t(below(6))];
    return shape;
  }

  /// A view of that shape into memory that is larger and laid out differently.
  template <class T, int N>
  Tensor<T, N> random_view(const Shape& shape) {
    const std::size_t dims = shape.size();
    std::vector<std::int64_t> order(dims);
    for (std::size_t d = 0; d < dims; ++d) order[d] = std::int64_t(d);
    std::shuffle(order.begin(), order.end(), random_);
    Shape steps(dims);
    Shape whole(dims);
    for (std::size_t d = 0; d < dims; ++d) {
      steps[d] = below(3) == 0 ? -1 - below(2) : 1 + below(2);
      whole[std::size_t(order[d])] = shape[d] * std::abs(steps[d]) + below(2);
    }
    auto x = random_tensor<T, N>(whole, random_()).permute(order);
    for (std::size_t d = 0; d < dims; ++d) {
      const std::int64_t last = (shape[d] - 1) * std::abs(steps[d]);
      const auto dim = std::int64_t(d);
      x = steps[d] > 0 ? x.slice(dim, 0, last + 1, steps[d])
                       : x.slice(dim, last, -x.size(dim) - 1, steps[d]);
    }
    return x;
  }

  /// A view of a shape that broadcasts to `shape`.
  template <class T, int N>
  Tensor<T, N> random_operand(const Shape& shape) {
    Shape own(shape.begin() + below(std::int64_t(shape.size()) + 1), shape.end());
    for (auto& size : own)
      if (below(3) == 0) size = 1;
    const auto x = random_view<T, N>(own);
    return below(4) == 0 ? x.expand(shape) : x;
  }

  /// The element of x that broadcasting puts at an index of a larger shape.
  template <class T, int N>
  static Expansion<T, N> broadcast_at(const Tensor<T, N>& x, const Shape& index) {
    Shape own(index.end() - std::ptrdiff_t(x.shape().size()), index.end());
    for (std::size_t d = 0; d < own.size(); ++d)
      if (x.shape()[d] == 1) own[d] = 0;
    return as_expansion<T, N>(x.at(own));
  }

  /// Calls f(index) for every index of a shape.
  template <class F>
  static void for_each_index(const Shape& shape, const F& f) {
    for (std::int64_t i = 0; i < numel(shape); ++i) {
      Shape index(shape.size());
      std::int64_t rest = i;
      for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
      f(index);
    }
  }

  std::mt19937_64 random_{20261121};
};

TEST_F(RandomViews, FillAndCopy) {
  for (int round = 0; round < rounds; ++round) {
    const Shape shape = random_shape();
    SCOPED_TRACE(to_string(shape));
    const auto target = random_view<float, 2>(shape);
    const auto source = random_operand<float, 2>(shape);
    target.copy_(source);
    for_each_index(shape, [&](const Shape& i) {
      ASSERT_TRUE((same<float, 2>(target.at(i), broadcast_at(source, i))));
    });
    const f32x2 value = f32x2(float(round)) + f32x2(1e-9F);
    target.fill_(value);
    target.plane(0).fill_(3.0F);
    f32x2 expected = value;
    expected.limb[0] = 3.0F;
    for_each_index(shape,
                   [&](const Shape& i) { ASSERT_TRUE((same<float, 2>(target.at(i), expected))); });
  }
}

TEST_F(RandomViews, ElementwiseWithThreeOperands) {
  for (int round = 0; round < rounds; ++round) {
    const Shape shape = random_shape();
    SCOPED_TRACE(to_string(shape));
    const auto x = random_operand<double, 2>(shape);
    const auto y = random_operand<double, 2>(shape);
    const auto mask = random_operand<double, 1>(shape) > 0.0;
    const auto sum = x + y;
    const Shape summed = sum.shape();
    for_each_index(summed, [&](const Shape& i) {
      ASSERT_TRUE((same<double, 2>(sum.at(i), broadcast_at(x, i) + broadcast_at(y, i))));
    });
    const auto chosen = where(mask, x, y);
    for_each_index(chosen.shape(), [&](const Shape& i) {
      Shape own(i.end() - std::ptrdiff_t(mask.shape().size()), i.end());
      for (std::size_t d = 0; d < own.size(); ++d)
        if (mask.shape()[d] == 1) own[d] = 0;
      ASSERT_TRUE(
          (same<double, 2>(chosen.at(i), mask.at(own) ? broadcast_at(x, i) : broadcast_at(y, i))));
    });
    const auto target = random_view<double, 2>(shape);
    const auto before = target.clone();
    add_(target, y);
    for_each_index(shape, [&](const Shape& i) {
      ASSERT_TRUE((same<double, 2>(target.at(i), broadcast_at(before, i) + broadcast_at(y, i))));
    });
  }
}

TEST_F(RandomViews, ReductionsOverAnyDimensions) {
  for (int round = 0; round < rounds; ++round) {
    const Shape shape = random_shape();
    SCOPED_TRACE(to_string(shape));
    // integers: sums are exact in any order
    const auto x = random_view<double, 3>(shape);
    for_each_index(shape, [&](const Shape& i) { x.set(i, f64x3(double(below(100)))); });
    Shape dims;
    Shape kept = shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (below(2) == 0) continue;
      dims.push_back(std::int64_t(d));
      kept[d] = 1;
    }
    if (dims.empty()) kept = Shape(shape.size(), 1);  // no dimensions given: all of them
    const auto expected = Tensor<double, 3>(kept);
    const auto largest = full<double, 3>(kept, f64x3(-1.0));
    for_each_index(shape, [&](const Shape& i) {
      Shape at = i;
      for (std::size_t d = 0; d < at.size(); ++d)
        if (kept[d] == 1) at[d] = 0;
      expected.set(at, expected.at(at) + x.at(i));
      if (largest.at(at) < x.at(i)) largest.set(at, x.at(i));
    });
    ASSERT_TRUE(same(sum(x, dims, true), expected));
    ASSERT_TRUE(same(max(x, dims, true), largest));
  }
}

TEST_F(RandomViews, ProductsOfMatrices) {
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t m = 1 + below(9);
    const std::int64_t k = 1 + below(9);
    const std::int64_t n = 1 + below(9);
    const auto a = random_view<float, 3>({m, k});
    const auto b = random_view<float, 3>({k, n});
    for_each_index(a.shape(), [&](const Shape& i) { a.set(i, f32x3(float(below(100)))); });
    for_each_index(b.shape(), [&](const Shape& i) { b.set(i, f32x3(float(below(100)))); });
    const auto c = mm(a, b);
    for_each_index(c.shape(), [&](const Shape& i) {
      f32x3 expected(0.0F);
      for (std::int64_t l = 0; l < k; ++l) expected += a.at({i[0], l}) * b.at({l, i[1]});
      ASSERT_TRUE((same<float, 3>(c.at(i), expected)));
    });
    ASSERT_TRUE(same(mv(a, b.select(1, 0)), c.select(1, 0).contiguous()));
    ASSERT_TRUE(same(dot(a.select(0, 0), b.select(1, 0)), c.select(0, 0).select(0, 0).clone()));
  }
}

}  // namespace
}  // namespace mct::test::random_views_cases
