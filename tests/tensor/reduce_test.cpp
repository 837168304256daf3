// Reductions against MPFR and against one another.
#include <mpfr.h>

#include "mctensor/interop/mpfr.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test::reduce_cases {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A number of MPFR with room for every sum here.
class Exact {
 public:
  Exact() {
    mpfr_init2(value_, 3000);
    mpfr_set_zero(value_, 1);
  }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;

  template <class T, int N>
  void add(const Expansion<T, N>& x) {
    for (const T& limb : x.limb) mpfr_add_d(value_, value_, double(limb), MPFR_RNDN);
  }
  double get() const { return mpfr_get_d(value_, MPFR_RNDN); }
  mpfr_ptr raw() { return value_; }

 private:
  mpfr_t value_;
};

/// |x - sum| in units of u^N magnitude, minus what rounding to subnormals may add.
template <class T, int N>
double error_in_units(const Expansion<T, N>& x, Exact& sum, double magnitude) {
  sum.add(-x);
  const double eta = double(FloatTraits<T>::eta);
  return std::max(0.0, std::fabs(sum.get()) - eta) /
         (std::pow(double(FloatTraits<T>::u), N) * magnitude);
}

TEST(Sum, IsWithinTheBound) {
  for_each_type([]<class T, int N>() {
    for (const std::int64_t n : {0, 1, 3, 31, 32, 33, 100, 20000}) {
      auto x = random_tensor<T, N>({n}, std::uint64_t(n), 3);
      // most of it cancels
      for (std::int64_t i = n / 2 + 1; i + 1 < n; ++i)
        x.set({i}, as_value(-as_expansion<T, N>(x.at({i - n / 2 - 1}))));
      Exact exact;
      double magnitude = 0;
      for (const auto& value : x.values()) {
        exact.add(as_expansion<T, N>(value));
        magnitude += std::fabs(double(as_expansion<T, N>(value).limb[0]));
      }
      const double bound = accumulate_bound<N>(double(n));
      if (n == 0) {
        EXPECT_TRUE((same<T, N>(sum(x).item(), Expansion<T, N>{})));
      } else {
        const auto result = as_expansion<T, N>(sum(x).item());
        EXPECT_TRUE(is_normalized(result));
        EXPECT_LE(error_in_units(result, exact, magnitude), bound) << n;
      }
    }
  });
}

TEST(Sum, OverDimensionsIsTheSumOfEach) {
  for_each_type([]<class T, int N>() {
    const auto x = random_tensor<T, N>({7, 40, 9}, 1);
    const auto check = [&](const Shape& dims, const Tensor<T, N>& rows, const Shape& shape) {
      // rows: (results, elements) in the order of the result
      const auto result = sum(x, dims);
      ASSERT_EQ(result.shape(), shape);
      const auto flat = result.flatten();
      for (std::int64_t i = 0; i < rows.size(0); ++i)
        EXPECT_TRUE((same<T, N>(flat.at({i}), as_expansion<T, N>(sum(rows[i]).item()))));
    };
    check({2}, x.reshape({280, 9}), {7, 40});
    check({0}, x.permute({1, 2, 0}).reshape({360, 7}), {40, 9});
    check({-2}, x.permute({0, 2, 1}).reshape({63, 40}), {7, 9});
    check({2, 0}, x.permute({1, 0, 2}).reshape({40, 63}), {40});
    check({}, x.reshape({1, 2520}), {});
    EXPECT_EQ(sum(x, {0, 2}, true).shape(), (Shape{1, 40, 1}));
    // the same bits however the elements lie in memory
    const auto moved = x.permute({2, 0, 1}).contiguous().permute({1, 2, 0});
    EXPECT_TRUE(same(sum(moved, {1}), sum(x, {1})));
  });
  const Tensor<double> y({2, 3});
  EXPECT_THROW(sum(y, {2}), ShapeError);
  EXPECT_THROW(sum(y, {0, -2}), ShapeError);
  EXPECT_EQ(sum(Tensor<double>({0, 3}), {0}).values(), (std::vector<double>{0, 0, 0}));
}

TEST(Sum, SpecialValues) {
  for_each_type([]<class T, int N>() {
    const auto total = [](const std::vector<double>& values) {
      Tensor<T, N> x({std::int64_t(values.size())});
      for (std::size_t i = 0; i < values.size(); ++i) x.fc().data()[i] = T(values[i]);
      return double(as_expansion<T, N>(sum(x).item()).limb[0]);
    };
    EXPECT_EQ(total({1, inf, 2}), inf);
    EXPECT_EQ(total({1, -inf, 2}), -inf);
    EXPECT_TRUE(std::isnan(total({inf, -inf})));
    EXPECT_TRUE(std::isnan(total({1, nan})));
    const double large = double(FloatTraits<T>::max);
    EXPECT_EQ(total({large, large, large}), inf);
  });
}

TEST(Sum, DoesNotDependOnThreads) {
  const auto x = random_tensor<double, 2>({50, 30000}, 3);
  const int before = num_threads();
  set_num_threads(1);
  const auto all_of_it = sum(x);
  const auto rows = sum(x, {1});
  const auto columns = sum(x, {0});
  set_num_threads(5);
  EXPECT_TRUE(same(sum(x), all_of_it));
  EXPECT_TRUE(same(sum(x, {1}), rows));
  EXPECT_TRUE(same(sum(x, {0}), columns));
  set_num_threads(before);
}

TEST(Mean, DividesBeforeItRounds) {
  const auto x = Tensor<float, 2>::from_values({f32x2(1), f32x2(2), f32x2(2)});
  EXPECT_EQ(mean(x).item(), f32x2(5.0 / 3)) << "the quotient of doubles, rounded once";
  EXPECT_EQ(mean(Tensor<half>::from_values({half(60000), half(60000), half(60000)})).item(),
            half(60000));
  EXPECT_TRUE(std::isnan(mean(Tensor<double>({0})).item()));
  EXPECT_EQ(mean(Tensor<double>::from_values({1, inf})).item(), inf);
}

TEST(Extremes, AreExactAndPropagateNaN) {
  for_each_type([]<class T, int N>() {
    for (const std::int64_t n : {1, 2, 5, 8, 63, 9000}) {
      const auto x = random_tensor<T, N>({3, n}, std::uint64_t(n), 6);
      const auto high = max(x, {1});
      const auto low = min(x, {1});
      for (std::int64_t i = 0; i < 3; ++i) {
        auto largest = as_expansion<T, N>(x.at({i, 0}));
        auto smallest = largest;
        for (std::int64_t j = 1; j < n; ++j) {
          const auto value = as_expansion<T, N>(x.at({i, j}));
          if (value > largest) largest = value;
          if (value < smallest) smallest = value;
        }
        EXPECT_TRUE((same<T, N>(high.at({i}), largest)));
        EXPECT_TRUE((same<T, N>(low.at({i}), smallest)));
      }
      x.set({1, n / 2}, typename Tensor<T, N>::Value(T(nan)));
      const auto with_nan = max(x, {1}).fc();
      EXPECT_FALSE(with_nan.at({1}) == with_nan.at({1}));
      EXPECT_TRUE(with_nan.at({0}) == with_nan.at({0}));
    }
  });
  EXPECT_THROW(max(Tensor<double>({2, 0}), {1}), ShapeError);
  EXPECT_EQ(max(Tensor<double>({0, 2}), {1}).numel(), 0);
}

TEST(Norm, NothingOverflowsOnTheWay) {
  const auto norm_of = [](const f64x2& a, const f64x2& b, double p = 2) {
    return norm(Tensor<double, 2>::from_values({a, b}), p).item();
  };
  EXPECT_EQ(norm_of(f64x2(3), f64x2(-4)), f64x2(5));
  for (const int e : {-1000, -600, 600, 1000}) {
    const f64x2 scale(std::ldexp(1.0, e));
    EXPECT_EQ(norm_of(scale * 3, scale * 4), scale * 5) << e;
  }
  EXPECT_EQ(norm_of(f64x2(3), f64x2(-4), 1), f64x2(7));
  EXPECT_EQ(norm_of(f64x2(3), f64x2(-4), inf), f64x2(4));
  EXPECT_EQ(norm_of(f64x2(0), f64x2(0)), f64x2(0));
  EXPECT_EQ(norm_of(f64x2(1), f64x2(-inf)), f64x2(inf));
  EXPECT_THROW(norm_of(f64x2(1), f64x2(1), 3), DomainError);
  EXPECT_EQ(norm(Tensor<float>::from_values({3e30F, 4e30F})).item(), 5e30F);
}

TEST(Norm, OfNarrowTypesAndOfRowsApart) {
  EXPECT_EQ(norm(Tensor<half>::from_values({half(300), half(400)})).item(), half(500));
  EXPECT_FLOAT_EQ(norm(Tensor<float>::from_values({1e30F, 1e30F})).item(), 1.41421356e30F);
  EXPECT_FLOAT_EQ(norm(Tensor<float>::from_values({1e-30F})).item(), 1e-30F);
  EXPECT_EQ((norm(Tensor<float, 2>::from_values({f32x2(1e30F)})).item()), f32x2(1e30F));
  const auto rows = Tensor<double>::from_values({1, 1e-200, 1e300, 1e-100}, {4, 1});
  EXPECT_EQ(norm(rows, 2, {1}).values(), (std::vector<double>{1, 1e-200, 1e300, 1e-100}));
  EXPECT_EQ(norm(rows, 2, {1}, true).shape(), (Shape{4, 1}));
}

TEST(Sum, FiniteTermsDoNotOverflowBesideAnInfinity) {
  const half infinity = FloatTraits<half>::infinity;
  EXPECT_EQ(sum(Tensor<half>::from_values({half(6e4), half(6e4), -infinity})).item(), -infinity);
  const auto many = full<half, 1>({70000}, half(1));
  many.set({0}, infinity);
  EXPECT_EQ(mean(many).item(), infinity);
  const auto x = Tensor<half>::from_values({half(300), -infinity});
  const auto y = Tensor<half>::from_values({half(300), half(1)});
  EXPECT_EQ(dot(x, y).item(), -infinity);
}

}  // namespace
}  // namespace mct::test::reduce_cases
