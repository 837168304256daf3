// Products against MPFR: error bounds, hostile input, special values; dispatch, strides,
// instruction sets and threads.
#include "tests/linalg/product_oracle.hpp"

namespace mct::test::products_cases {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The largest error of a product (m, k) (k, n), in units of its bound.
template <class T, int N, int A, int B>
double worst(const Tensor<T, A>& a, const Tensor<T, B>& b, const Tensor<T, N>& c) {
  double largest = 0;
  const double bound = product_bound<T, N>(double(a.size(1)));
  for_each_element(
      a, b, c,
      [&](ProductOracle& oracle, const Expansion<T, N>& value, std::int64_t, std::int64_t) {
        EXPECT_TRUE(is_normalized(value));
        largest = std::max(largest, oracle.error(value) / bound);
      });
  return largest;
}

template <class T, int A, int B>
void check_types() {
  constexpr int N = A > B ? A : B;
  const Shape sizes[] = {{1, 1, 1}, {3, 0, 2}, {5, 3, 7}, {2, 37, 1}, {1, 40, 33}, {9, 130, 50}};
  for (const Shape& s : sizes) {
    SCOPED_TRACE(to_string(s));
    // halfs stay where products have all their bits
    const int spread = std::is_same_v<T, half> ? 0 : 4;
    const auto a = random_tensor<T, A>({s[0], s[1]}, 1, spread);
    const auto b = random_tensor<T, B>({s[1], s[2]}, 2, spread);
    EXPECT_LE((worst<T, N>(a, b, mm(a, b))), 1);
    make_cancelling(a, b);
    const auto c = mm(a, b);
    EXPECT_LE((worst<T, N>(a, b, c)), 1);
    // transposed operands are read where they lie: the same bits
    const auto at = a.t().contiguous().t();
    const auto bt = b.t().contiguous().t();
    EXPECT_TRUE(same(mm(at, b), c));
    EXPECT_TRUE(same(mm(at, bt), c));
    EXPECT_TRUE(same(mm(a, bt), c));
    // matrix times vector, both ways to hold the matrix
    const auto x = b.select(1, 0);
    EXPECT_LE((worst<T, N>(a, b.narrow(1, 0, 1), mv(a, x).unsqueeze(1))), 1);
    EXPECT_LE((worst<T, N>(a, b.narrow(1, 0, 1), mv(at, x).unsqueeze(1))), 1);
    EXPECT_LE((worst<T, N>(a.narrow(0, 0, 1), b.narrow(1, 0, 1), dot(a[0], x).reshape({1, 1}))), 1);
  }
}

TEST(Products, AreWithinTheBound) {
  for_each_type([]<class T, int N>() {
    check_types<T, N, N>();
    if constexpr (N > 1) {
      check_types<T, N, 1>();
      check_types<T, 1, N>();
    }
  });
}

TEST(Products, SpecialValues) {
  for_each_type([]<class T, int N>() {
    const auto product = [](const std::vector<double>& x, const std::vector<double>& y) {
      Tensor<T, N> a({1, std::int64_t(x.size())});
      Tensor<T, N> b({std::int64_t(x.size()), 1});
      for (std::size_t i = 0; i < x.size(); ++i) {
        a.fc().data()[i] = T(x[i]);
        b.fc().data()[i] = T(y[i]);
      }
      const double result = double(as_expansion<T, N>(mm(a, b).item()).limb[0]);
      for (const double other :
           {double(as_expansion<T, N>(dot(a[0], b.select(1, 0)).item()).limb[0]),
            double(as_expansion<T, N>(mv(a, b.select(1, 0)).item()).limb[0])})
        EXPECT_TRUE(other == result || (std::isnan(other) && std::isnan(result)));
      return result;
    };
    EXPECT_EQ(product({1, inf}, {1, 2}), inf);
    EXPECT_EQ(product({1, -inf, 3}, {1, 2, 4}), -inf);
    EXPECT_TRUE(std::isnan(product({inf, 1}, {0, 1})));
    EXPECT_TRUE(std::isnan(product({inf, inf}, {1, -1})));
    EXPECT_TRUE(std::isnan(product({nan, 1}, {0, 1})));
    const double large = double(FloatTraits<T>::max);
    EXPECT_EQ(product({large, 1}, {large, 1}), inf);
    EXPECT_EQ(product({0, -0.0}, {1, 1}), 0);
  });
}

/// A dot product of condition number about 10^20: Ogita, Rump, Oishi 2005, algorithm 6.1.
void ill_conditioned(std::int64_t n, const Tensor<double>& x, const Tensor<double>& y) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int half_exponent = 33;  // of the square root of the condition number
  mpfr_t sum;
  mpfr_t product;
  mpfr_inits2(2000, sum, product, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_zero(sum, 1);
  for (std::int64_t i = 0; i < n; ++i) {
    const bool first_half = i < n / 2;
    const double left = double(n - 1 - i) / double(n - n / 2);
    const int e =
        first_half ? int(random() % half_exponent) : int(std::lround(half_exponent * left));
    const double a = uniform(random) * std::ldexp(1.0, i == 0 ? half_exponent : e);
    double b = uniform(random) * std::ldexp(1.0, i == 0 ? half_exponent : e);
    if (!first_half) b = (uniform(random) * std::ldexp(1.0, e) - mpfr_get_d(sum, MPFR_RNDN)) / a;
    x.data()[i] = a;
    y.data()[i] = b;
    mpfr_set_d(product, a, MPFR_RNDN);
    mpfr_mul_d(product, product, b, MPFR_RNDN);
    mpfr_add(sum, sum, product, MPFR_RNDN);
  }
  mpfr_clears(sum, product, static_cast<mpfr_ptr>(nullptr));
}

TEST(Products, HostileConditionNumbers) {
  constexpr std::int64_t n = 100;
  const Tensor<double> x({n});
  const Tensor<double> y({n});
  ill_conditioned(n, x, y);
  ProductOracle oracle;
  double magnitude = 0;
  oracle.clear();
  for (std::int64_t i = 0; i < n; ++i) {
    oracle.add(f64x1(x.at({i})), f64x1(y.at({i})));
    magnitude += std::fabs(x.at({i}) * y.at({i}));
  }
  const double plain = dot(x, y).item();
  const double two = dot2(x, y);
  const double three = dot3(x, y);
  const double condition = magnitude / std::fabs(three);
  constexpr double bound1 = product_bound<double, 1>(n);
  constexpr double bound2 = product_bound<double, 2>(n);
  EXPECT_GT(condition, 1e18) << "the input is not hostile";
  EXPECT_LE(oracle.error(f64x1(plain)), bound1);
  // an error of 1 is u |x| |y|: what is left is u / condition for a correctly rounded result
  EXPECT_LE(oracle.error(f64x1(three)), 2 / condition);
  EXPECT_LE(oracle.error(f64x1(two)), 1 / condition + bound2 * 0x1p-53);
  const auto long_x = with_components<2>(x);
  const auto long_y = with_components<2>(y);
  EXPECT_LE(oracle.error(dot(long_x, long_y).item()), bound2);
  // as a matrix product
  EXPECT_LE(oracle.error(f64x1(mm3(x.unsqueeze(0), y.unsqueeze(1)).item())), 2 / condition);
  EXPECT_LE(oracle.error(f64x1(mm2(x.unsqueeze(0), y.unsqueeze(1)).item())),
            1 / condition + bound2 * 0x1p-53);
}

TEST(Products, CompensatedFloat) {
  const auto a = randn<float>({20, 300}, 1);
  const auto b = randn<float>({300, 10}, 2);
  const auto exact = mm(convert<double, 1>(a), convert<double, 1>(b));
  EXPECT_TRUE(same(mm2(a, b), convert<float, 1>(exact)));
  EXPECT_TRUE(same(mm3(a, b), convert<float, 1>(exact)));
  EXPECT_EQ(dot2(a[0], b.select(1, 0)), mm2(a, b).at({0, 0}));
}

TEST(Matmul, DispatchesByDimensions) {
  using X = Tensor<double, 2>;
  const auto v3 = random_tensor<double, 2>({3}, 1);
  const auto v4 = random_tensor<double, 2>({4}, 2);
  const auto m34 = random_tensor<double, 2>({3, 4}, 3);
  const auto m45 = random_tensor<double, 2>({4, 5}, 4);
  const auto b234 = random_tensor<double, 2>({2, 3, 4}, 5);
  const auto b245 = random_tensor<double, 2>({2, 4, 5}, 6);
  EXPECT_TRUE(same(matmul(v3, v3), dot(v3, v3)));
  EXPECT_TRUE(same(matmul(m34, v4), mv(m34, v4)));
  EXPECT_TRUE(same(matmul(v3, m34), mv(m34.t(), v3)));
  EXPECT_TRUE(same(matmul(m34, m45), mm(m34, m45)));
  EXPECT_TRUE(same(matmul(b234, b245), bmm(b234, b245)));
  const X batch = matmul(b234, m45);
  ASSERT_EQ(batch.shape(), (Shape{2, 3, 5}));
  EXPECT_TRUE(same(batch[1].contiguous(), mm(b234[1], m45)));
  EXPECT_EQ(matmul(b234, v4).shape(), (Shape{2, 3}));
  EXPECT_TRUE(same(matmul(b234, v4)[1].contiguous(),
                   matmul(b234, v4.unsqueeze(1))[1].squeeze(1).contiguous()));
  EXPECT_EQ(matmul(v3, b234).shape(), (Shape{2, 4}));
  EXPECT_TRUE(same(matmul(m34, b245)[1].contiguous(), mm(m34, b245[1])));
  // broadcasting batch dimensions, five of them in all
  const auto left = random_tensor<double, 2>({2, 1, 3, 3, 4}, 7);
  const auto right = random_tensor<double, 2>({5, 1, 4, 5}, 8);
  const auto product = matmul(left, right);
  ASSERT_EQ(product.shape(), (Shape{2, 5, 3, 3, 5}));
  EXPECT_TRUE(same(product[1][4][2].contiguous(), mm(left[1][0][2], right[4][0])));
  // a transposed batch
  EXPECT_TRUE(same(matmul(b234, b245.t().contiguous().t()), bmm(b234, b245)));
  // plain operands
  EXPECT_TRUE(
      same(matmul(left.fc(), right)[1][4][2].contiguous(), mm(left[1][0][2].fc(), right[4][0])));
  EXPECT_TRUE(
      same(matmul(left, right.fc())[0][3][1].contiguous(), mm(left[0][0][1], right[3][0].fc())));
}

TEST(Matmul, EmptySumsAreZero) {
  using X = Tensor<double>;
  EXPECT_TRUE(same(matmul(X({2, 3, 0}), X({0, 4})), X({2, 3, 4})));
  EXPECT_TRUE(same(matmul(X({2, 3, 0}), X({0})), X({2, 3})));
  EXPECT_TRUE(same(matmul(X({3, 0}), X({0, 4})), X({3, 4})));
}

TEST(Matmul, Addmm) {
  const auto a = random_tensor<double, 2>({3, 4}, 1);
  const auto b = random_tensor<double, 2>({4, 5}, 2);
  const auto bias = random_tensor<double, 2>({5}, 3);
  const auto ab = mm(a, b);
  EXPECT_TRUE(same(addmm(bias, a, b), ab + bias));
  EXPECT_TRUE(same(addmm(bias, a, b, f64x2(2), f64x2(-0.5)), mul(ab, -0.5) + mul(bias, f64x2(2))));
  const auto poisoned = full<double, 2>({5}, f64x2(nan));
  EXPECT_TRUE(same(addmm(poisoned, a, b, f64x2(0)), ab));
  EXPECT_THROW(addmm(random_tensor<double, 2>({4}, 1), a, b), ShapeError);
}

TEST(Matmul, ErrorsNameTheShapes) {
  const Tensor<double> x({2, 3});
  const auto has = [&](const std::string& text) {
    return text.find("(2, 3)") != std::string::npos;
  };
  EXPECT_TRUE(has(message_of<ShapeError>([&] { mm(x, x); })));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { mv(x, Tensor<double>({2})); })));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { dot(x, x); })));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { bmm(x, x); })));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { matmul(x, Tensor<double>(Shape{})); })));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { matmul(x, Tensor<double>({5, 2, 3})); })));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { dot2(x, x); })));
  EXPECT_THROW(bmm(Tensor<double>({2, 3, 4}), Tensor<double>({3, 4, 5})), ShapeError);
}

TEST(Products, LargeOnesCrossEveryBlock) {
  // sizes beyond the blocks of rows, columns and depth
  const auto check = [](const auto& a, const auto& b) {
    const auto c = mm(a, b);
    const std::int64_t rows = a.size(0);
    const std::int64_t columns = b.size(1);
    for (const std::int64_t i : {std::int64_t(0), rows / 2, rows - 1})
      for (const std::int64_t j : {std::int64_t(0), columns / 3, columns - 1}) {
        const auto one = mm(a.narrow(0, i, 1), b.narrow(1, j, 1));
        EXPECT_TRUE(same(c.narrow(0, i, 1).narrow(1, j, 1).contiguous(), one));
      }
  };
  check(randn<double, 2>({270, 140}, 1), randn<double, 2>({140, 290}, 2));
  check(randn<double, 1>({300, 400}, 1), randn<double, 1>({400, 410}, 2));
  check(randn<double, 4>({130, 129}, 1), randn<double, 1>({129, 140}, 2));
  check(randn<float, 2>({300, 200}, 1), randn<float, 2>({200, 390}, 2));
  check(randn<bfloat16, 1>({257, 200}, 1), randn<bfloat16, 1>({200, 400}, 2));
}

TEST(Products, InstructionSetsWithFmaAgree) {
  std::vector<Isa> with_fma = available_isas();
  with_fma.erase(with_fma.begin());
#if defined(__aarch64__)
  with_fma = available_isas();
#endif
  if (with_fma.size() < 2) GTEST_SKIP() << "one instruction set with fma at most";
  const Isa before = active_isa();
  for_each_type([&]<class T, int N>() {
    const auto a = random_tensor<T, N>({17, 100}, 1, 0);
    const auto b = random_tensor<T, N>({100, 23}, 2, 0);
    set_active_isa(with_fma.front());
    const auto c = mm(a, b);
    const auto d = dot(a.flatten(), b.flatten().narrow(0, 0, 1700));
    const auto s = sum(a);
    set_active_isa(with_fma.back());
    EXPECT_TRUE(same(mm(a, b), c));
    EXPECT_TRUE(same(dot(a.flatten(), b.flatten().narrow(0, 0, 1700)), d));
    EXPECT_TRUE(same(sum(a), s));
  });
  set_active_isa(before);
}

TEST(Products, DoNotDependOnThreads) {
  const int before = num_threads();
  for_each_type([]<class T, int N>() {
    const auto a = random_tensor<T, N>({3, 70, 150}, 1, 0);
    const auto b = random_tensor<T, N>({3, 150, 60}, 2, 0);
    const auto x = random_tensor<T, N>({70000}, 3, 0);
    set_num_threads(1);
    const auto c = bmm(a, b);
    const auto y = mv(a[0], b[0].select(1, 3));
    const auto d = dot(x, x);
    for (const int threads : {2, 5}) {
      set_num_threads(threads);
      EXPECT_TRUE(same(bmm(a, b), c));
      EXPECT_TRUE(same(mv(a[0], b[0].select(1, 3)), y));
      EXPECT_TRUE(same(dot(x, x), d));
    }
  });
  set_num_threads(before);
}

}  // namespace
}  // namespace mct::test::products_cases
