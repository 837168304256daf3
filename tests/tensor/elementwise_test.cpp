// Element-wise operations: every kernel of every instruction set against the scalar operation, and
// the loops around them (broadcasting, strides, aliasing, threads).
#include <algorithm>

#include "tests/tensor/tensors.hpp"

namespace mct::test::elementwise_cases {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Random numbers with all kinds of special values among them; a length that no register divides.
template <class T, int N>
Tensor<T, N> mixed_values(std::uint64_t seed) {
  const auto x = random_tensor<T, N>({1003}, seed, 6);
  const double specials[] = {0.0, -0.0,
                             inf, -inf,
                             nan, 1,
                             -1,  double(FloatTraits<T>::eta),
                             0.5, double(FloatTraits<T>::max) / 4};
  std::mt19937_64 random(seed);
  for (int i = 0; i < 60; ++i)
    x.set({std::int64_t(random() % 1003)},
          typename Tensor<T, N>::Value(T(specials[random() % 10])));
  return x;
}

/// Special values agree in class and sign; finite ones in every bit, or within the bounds of both
/// where the library (fma or not) was compiled differently from this test.
template <class T, int N>
::testing::AssertionResult agree(const Tensor<T, N>& x, const Tensor<T, N>& y, double bound) {
  if (x.shape() != y.shape()) return ::testing::AssertionFailure() << "shapes differ";
  const auto a = x.values();
  const auto b = y.values();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto p = as_expansion<T, N>(a[i]);
    const auto q = as_expansion<T, N>(b[i]);
    if (same(p, q)) continue;
    if (std::isfinite(double(p.limb[0])) && std::isfinite(double(q.limb[0])) && bound > 0) {
      const double difference = std::fabs(double((p - q).limb[0]));
      const double unit = std::pow(double(FloatTraits<T>::u), N);
      const double allowed = 2 * bound * unit * std::fabs(double(q.limb[0])) +
                             std::ldexp(double(FloatTraits<T>::eta), N + 3);
      if (difference <= allowed) continue;
    }
    return ::testing::AssertionFailure()
           << "element " << i << ": " << double(p.limb[0]) << " and " << double(q.limb[0]);
  }
  return ::testing::AssertionSuccess();
}

template <class T, int N>
using Unary = Expansion<T, N> (*)(const Expansion<T, N>&);
template <class T, int N>
using Binary = Expansion<T, N> (*)(const Expansion<T, N>&, const Expansion<T, N>&);

/// By a pointer to the function: `map` has a loop for each, which takes long to compile.
template <class T, int N>
Tensor<T, N> one_by_one(const Tensor<T, N>& x, Unary<T, N> f) {
  auto values = x.values();
  for (auto& value : values) value = as_value<T, N>(f(as_expansion<T, N>(value)));
  return Tensor<T, N>::from_values(values);
}
template <class T, int N>
Tensor<T, N> one_by_one(const Tensor<T, N>& x, const Tensor<T, N>& y, Binary<T, N> f) {
  auto values = x.values();
  const auto others = y.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = as_value<T, N>(f(as_expansion<T, N>(values[i]), as_expansion<T, N>(others[i])));
  return Tensor<T, N>::from_values(values);
}

/// What a function is computed in: shorter types in two doubles, which hold more than four floats.
template <class T, int N>
using Working = std::conditional_t<FloatTraits<T>::p <= 24, f64x2, Expansion<T, N>>;

#define MCT_CHECK_UNARY(name, bound)                                                               \
  EXPECT_TRUE(agree(name(x),                                                                       \
                    one_by_one<T, N>(x, [](const Expansion<T, N>& v) { return name(v); }), bound)) \
      << #name
#define MCT_CHECK_FUNCTION(name)                                                                \
  EXPECT_TRUE(agree(                                                                            \
      name(x),                                                                                  \
      one_by_one<T, N>(                                                                         \
          x, [](const Expansion<T, N>& v) { return Expansion<T, N>(name(Working<T, N>(v))); }), \
      3))                                                                                       \
      << #name

// every function of the list; its arithmetic stands in the test
#define MCT_CHECK_arithmetic(name)
#define MCT_CHECK_lanes(name) MCT_CHECK_FUNCTION(name);
#define MCT_CHECK_scalar(name) MCT_CHECK_FUNCTION(name);
#define MCT_CHECK_ENTRY(name, Type, kind, ...) MCT_CHECK_##kind(name)

TEST(Elementwise, FunctionsAreTheScalarOnes) {
  for_each_type([]<class T, int N>() {
    const auto x = mixed_values<T, N>(7);
    EXPECT_TRUE(same(neg(x), one_by_one<T, N>(x, [](const Expansion<T, N>& v) { return -v; })));
    EXPECT_TRUE(same(abs(x), one_by_one<T, N>(x, [](const Expansion<T, N>& v) { return abs(v); })));
    MCT_CHECK_UNARY(square, error_bounds<N>.mul);
    MCT_CHECK_UNARY(sqrt, error_bounds<N>.sqrt);
    MCT_CHECK_UNARY(rsqrt, error_bounds<N>.rsqrt);
    MCT_FOR_EACH_UNARY(MCT_CHECK_ENTRY)
  });
}

TEST(Elementwise, ReluKeepsNaN) {
  for_each_type([]<class T, int N>() {
    const auto x = mixed_values<T, N>(3);
    const auto y = relu(x).values();
    const auto in = x.values();
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto v = as_expansion<T, N>(in[i]);
      const auto expected = v.limb[0] > T(0) || !(v.limb[0] == v.limb[0]) ? v : Expansion<T, N>{};
      EXPECT_TRUE((same<T, N>(y[i], expected)));
    }
  });
}

TEST(Elementwise, ArithmeticIsTheScalarOne) {
  for_each_type([]<class T, int N>() {
    using X = Expansion<T, N>;
    constexpr ErrorBounds b = error_bounds<N>;
    const auto x = mixed_values<T, N>(1);
    const auto y = mixed_values<T, N>(2);
    const auto check = [](const Tensor<T, N>& result, const Tensor<T, N>& p, const Tensor<T, N>& q,
                          Binary<T, N> f, double bound) {
      EXPECT_TRUE(agree(result, one_by_one<T, N>(p, q, f), bound));
    };
    check(
        x + y, x, y, [](const X& p, const X& q) { return p + q; }, 0);
    check(
        x - y, x, y, [](const X& p, const X& q) { return p - q; }, 0);
    check(
        x * y, x, y, [](const X& p, const X& q) { return p * q; }, b.mul);
    check(
        x / y, x, y, [](const X& p, const X& q) { return p / q; }, b.div);
    if constexpr (N > 1) {
      const auto p = y.fc();
      check(
          x + p, x, y, [](const X& v, const X& w) { return v + w.limb[0]; }, 0);
      check(
          p + x, x, y, [](const X& v, const X& w) { return w.limb[0] + v; }, 0);
      check(
          x - p, x, y, [](const X& v, const X& w) { return v - w.limb[0]; }, 0);
      check(
          p - x, x, y, [](const X& v, const X& w) { return w.limb[0] - v; }, 0);
      check(
          x * p, x, y, [](const X& v, const X& w) { return v * w.limb[0]; }, b.mul);
      check(
          p * x, x, y, [](const X& v, const X& w) { return w.limb[0] * v; }, b.mul);
      check(
          x / p, x, y, [](const X& v, const X& w) { return v / w.limb[0]; }, b.div);
      check(
          p / x, x, y, [](const X& v, const X& w) { return w.limb[0] / v; }, b.div);
    }
    const auto z = abs(random_tensor<T, N>({1003}, 5));  // nothing cancels
    const auto small = random_tensor<T, N>({1003}, 6, 1);
    check(
        mul_add(small, small, z), small, z, [](const X& p, const X& q) { return mul_add(p, p, q); },
        b.mul + b.add);
  });
}

template <class T, int N>
Expansion<T, N> larger_of(const Expansion<T, N>& p, const Expansion<T, N>& q) {
  return !(p.limb[0] == p.limb[0]) ? p : !(q.limb[0] == q.limb[0]) ? q : p >= q ? p : q;
}
template <class T, int N>
Expansion<T, N> smaller_of(const Expansion<T, N>& p, const Expansion<T, N>& q) {
  return !(p.limb[0] == p.limb[0]) ? p : !(q.limb[0] == q.limb[0]) ? q : p <= q ? p : q;
}

TEST(Elementwise, ExtremesAndClampPropagateNaN) {
  for_each_type([]<class T, int N>() {
    using X = Expansion<T, N>;
    const auto x = mixed_values<T, N>(1);
    const auto y = mixed_values<T, N>(2);
    EXPECT_TRUE(same(maximum(x, y), one_by_one<T, N>(x, y, larger_of<T, N>)));
    EXPECT_TRUE(same(minimum(x, y), one_by_one<T, N>(x, y, smaller_of<T, N>)));
    EXPECT_TRUE(same(clamp(x, -1, 1), one_by_one<T, N>(x, [](const X& p) {
                       return smaller_of(larger_of(p, X(-1)), X(1));
                     })));
  });
}

TEST(Elementwise, ComparisonsAreExact) {
  for_each_type([]<class T, int N>() {
    auto x = mixed_values<T, N>(1);
    auto y = x.clone();
    // a third differs in the last limb, a third altogether
    for (std::int64_t i = 0; i < 1003; ++i)
      if (i % 3 == 1) y.data(N - 1)[i] = T(double(y.data(N - 1)[i]) * 0.75);
    const auto other = mixed_values<T, N>(2);
    for (std::int64_t i = 2; i < 1003; i += 3) y.set({i}, other.at({i}));
    const auto a = x.values();
    const auto b = y.values();
    const auto check = [&](const Tensor<bool>& mask, const auto& relation) {
      for (std::size_t i = 0; i < a.size(); ++i)
        if (mask.data()[i] != relation(as_expansion<T, N>(a[i]), as_expansion<T, N>(b[i])))
          return ::testing::AssertionFailure() << "element " << i;
      return ::testing::AssertionSuccess();
    };
    EXPECT_TRUE(check(x == y, [](const auto& p, const auto& q) { return p == q; }));
    EXPECT_TRUE(check(x != y, [](const auto& p, const auto& q) { return p != q; }));
    EXPECT_TRUE(check(x < y, [](const auto& p, const auto& q) { return p < q; }));
    EXPECT_TRUE(check(x <= y, [](const auto& p, const auto& q) { return p <= q; }));
    EXPECT_TRUE(check(x > y, [](const auto& p, const auto& q) { return p > q; }));
    EXPECT_TRUE(check(x >= y, [](const auto& p, const auto& q) { return p >= q; }));
    EXPECT_TRUE(all(logical_or(x < y, logical_or(x >= y, logical_or(x != x, y != y)))));
    EXPECT_FALSE(any(logical_and(x<y, x> y)));
    EXPECT_FALSE(all(x == x)) << "NaN is among them";
  });
}

/// A scalar that the components do not hold is not rounded to them first.
template <class T, int N, class S>
void expect_exact_comparisons(const S& s) {
  using X = Expansion<T, N>;
  using Wide = Expansion<double, 4>;
  const X near(s);
  std::vector<X> values{near,
                        X(0),
                        -near,
                        X(FloatTraits<T>::infinity),
                        -X(FloatTraits<T>::infinity),
                        X(FloatTraits<T>::nan)};
  for (const double step : {-2.0, -1.0, 1.0, 2.0}) {
    X x = near;
    x.limb[N - 1] =
        T(double(x.limb[N - 1]) + step * double(ulp(isfinite(near) ? x.limb[N - 1] : T(1))));
    values.push_back(renormalize(x));
  }
  std::vector<typename Tensor<T, N>::Value> elements;
  for (const X& value : values) {
    if constexpr (N == 1) {
      elements.push_back(value.limb[0]);
    } else {
      elements.push_back(value);
    }
  }
  const auto x = Tensor<T, N>::from_values(elements);
  const Wide exact{Expansion<double, 2>(s)};
  const auto check = [&](const Tensor<bool>& mask, const char* what, const auto& relation) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool expected = relation(Wide(Expansion<double, N>(values[i])), exact);
      EXPECT_EQ(mask.data()[i], expected) << what << ' ' << double(s) << ", element " << i;
    }
  };
  check(x == s, "x ==", [](const Wide& p, const Wide& q) { return p == q; });
  check(x != s, "x !=", [](const Wide& p, const Wide& q) { return p != q; });
  check(x < s, "x <", [](const Wide& p, const Wide& q) { return p < q; });
  check(x <= s, "x <=", [](const Wide& p, const Wide& q) { return p <= q; });
  check(x > s, "x >", [](const Wide& p, const Wide& q) { return q < p; });
  check(x >= s, "x >=", [](const Wide& p, const Wide& q) { return q <= p; });
  check(s < x, "< x", [](const Wide& p, const Wide& q) { return q < p; });
  check(s <= x, "<= x", [](const Wide& p, const Wide& q) { return q <= p; });
  check(s > x, "> x", [](const Wide& p, const Wide& q) { return p < q; });
  check(s >= x, ">= x", [](const Wide& p, const Wide& q) { return p <= q; });
}

TEST(Elementwise, ComparisonsOfPlainAndLongTensorsReadEveryComponent) {
  const auto plain = Tensor<double>::from_values({1, 1, 1, 2});
  const auto whole = Tensor<double, 2>::from_values(
      {f64x2(1), f64x2(1) + f64x2(0x1p-80), f64x2(1) - f64x2(0x1p-80), f64x2(1)});
  EXPECT_EQ((plain == whole).values(), (std::vector<bool>{true, false, false, false}));
  EXPECT_EQ((plain < whole).values(), (std::vector<bool>{false, true, false, false}));
  EXPECT_EQ((whole < plain).values(), (std::vector<bool>{false, false, true, true}));
}

TEST(Elementwise, ComparisonsWithScalarsAreExact) {
  for_each_type([]<class T, int N>() {
    for (const double s : {0.0, 1.0, 0.1, -0.1, 1.0 / 3, 1 + 0x1p-40, 1e300, -1e300, 1e-300,
                           65519.0, 0x1p-24, 0x1.8p-25, double(INFINITY), double(NAN)})
      expect_exact_comparisons<T, N>(s);
    expect_exact_comparisons<T, N>(std::int64_t(9007199254740993));  // 2^53 + 1
    expect_exact_comparisons<T, N>(std::uint64_t(-1));
    expect_exact_comparisons<T, N>(-16777217);
  });
  // what was wrong: 0.1F is larger than 0.1
  const auto x = full<float>({1}, 0.1F);
  EXPECT_FALSE(any(x <= 0.1));
  EXPECT_FALSE(any(x == 0.1));
  EXPECT_TRUE(all(x > 0.1));
}

TEST(Elementwise, PowAndScalars) {
  const auto x = Tensor<double, 2>::from_values({f64x2(2), f64x2(3), f64x2(0.5)});
  EXPECT_EQ(pow(x, 2).at({1}), pow(f64x2(3), f64x2(2)));
  EXPECT_EQ(pow(2, x).at({1}), pow(f64x2(2), f64x2(3)));
  // 0.1 is not a float: it becomes an expansion, not the nearest float
  const auto y = full<float, 2>({1}, f32x2(1));
  EXPECT_EQ((y * 0.1).item(), f32x2(0.1));
  EXPECT_EQ((0.1 * y).item(), f32x2(0.1));
  EXPECT_EQ((y * 0.5F).item(), f32x2(0.5));
  EXPECT_EQ((y + f32x2(1e-9)).item(), f32x2(1) + f32x2(1e-9));
  EXPECT_EQ((1 - y).item(), f32x2(0));
  EXPECT_EQ((-y).item(), f32x2(-1));
}

TEST(Elementwise, WhereCopiesBits) {
  const auto mask = Tensor<bool>::from_values({true, false, true});
  const auto x = Tensor<double, 2>::from_values({f64x2(-0.0), f64x2(2), f64x2(nan)});
  const auto r = where(mask, x, 5);
  EXPECT_TRUE(std::signbit(r.at({0}).limb[0]));
  EXPECT_EQ(r.at({1}), f64x2(5));
  EXPECT_TRUE(std::isnan(r.at({2}).limb[0]));
  EXPECT_EQ(where(logical_not(mask), Tensor<double>::from_values({1, 2, 3}), 0.0).values(),
            (std::vector<double>{0, 2, 0}));
}

TEST(Loops, BroadcastAndStrides) {
  for_each_type([]<class T, int N>() {
    const auto x = random_tensor<T, N>({5, 1, 70}, 1);
    const auto y = random_tensor<T, N>({9, 5}, 2).t().unsqueeze(2);  // (5, 9, 1), transposed
    const auto sum = x + y;
    ASSERT_EQ(sum.shape(), (Shape{5, 9, 70}));
    for (const Shape& i : {Shape{0, 0, 0}, Shape{4, 8, 69}, Shape{2, 5, 31}}) {
      const auto expected =
          as_expansion<T, N>(x.at({i[0], 0, i[2]})) + as_expansion<T, N>(y.at({i[0], i[1], 0}));
      EXPECT_TRUE((same<T, N>(sum.at(i), expected)));
    }
    // the same numbers however they lie in memory
    const auto a = random_tensor<T, N>({1200, 7}, 3);
    EXPECT_TRUE(same(exp(a.t().contiguous().t()), exp(a)));
    EXPECT_TRUE(same(a.slice(0, 1199, -2000, -3) * 2, (a * 2).slice(0, 1199, -2000, -3)));
    // written through a view
    const auto target = Tensor<T, N>({1200, 14});
    target.slice(1, 0, 14, 2).copy_(abs(a));
    neg_(target.slice(1, 0, 14, 2));
    EXPECT_TRUE(same(target.slice(1, 0, 14, 2).contiguous(), -abs(a)));
    EXPECT_TRUE(same(target.slice(1, 1, 14, 2).contiguous(), Tensor<T, N>({1200, 7})));
    const Tensor<T, N> nothing({0, 7});
    EXPECT_EQ((nothing + a.select(0, 0)).shape(), (Shape{0, 7}));
  });
}

TEST(Loops, InPlaceAndOverlap) {
  const auto start = random_tensor<double, 2>({100}, 1);
  auto x = start.clone();
  x += start;
  x -= 1;
  x *= start.fc();
  x /= 3;
  EXPECT_TRUE(same(x, (start + start - 1) * start.fc() / 3));
  EXPECT_TRUE(same(exp_(start.clone()), exp(start)));
  // shifted by one: every element must see the old neighbour
  const auto y = start.clone();
  add_(y.narrow(0, 1, 99), y.narrow(0, 0, 99));
  EXPECT_TRUE(
      same(y.narrow(0, 1, 99).contiguous(), start.narrow(0, 1, 99) + start.narrow(0, 0, 99)));
  const auto square_matrix = random_tensor<float, 2>({20, 20}, 2);
  const auto z = square_matrix.clone();
  mul_(z, z.t());
  EXPECT_TRUE(same(z, square_matrix * square_matrix.t()));
  EXPECT_THROW(add_(start.narrow(0, 0, 3), start), ShapeError);
  EXPECT_THROW((start + random_tensor<double, 2>({99}, 1)), ShapeError);
}

/// e^x of the first n of 64 numbers, all of them x.
template <class T>
void expect_nothing_written_behind(double x) {
  const auto number = static_cast<T>(x);
  const auto result = exp(full<T>({1}, number)).values()[0];
  for (std::int64_t n = 1; n < 64; ++n) {
    const auto all = full<T>({64}, number);
    exp_(all.narrow(0, 0, n));
    const auto values = all.values();
    for (std::int64_t i = 0; i < 64; ++i)
      ASSERT_EQ(double(values[std::size_t(i)]), double(i < n ? result : number))
          << "place " << i << ", n = " << n;
  }
}

// Results that are subnormal numbers have a loop of their own.
TEST(Loops, NothingIsWrittenBehindTheLastNumber) {
  for (const double x : {-1, -730}) expect_nothing_written_behind<double>(x);
  for (const double x : {-1, -100}) expect_nothing_written_behind<float>(x);
  for (const double x : {-1, -90}) expect_nothing_written_behind<bfloat16>(x);
  for (const double x : {-1, -12}) expect_nothing_written_behind<half>(x);
}

TEST(Loops, ThreadsDoNotChangeResults) {
  const auto x = random_tensor<double, 3>({300, 701}, 1);
  const auto y = random_tensor<double, 3>({701}, 2);
  const int before = num_threads();
  set_num_threads(1);
  const auto one = tanh(x * y);
  for (const int threads : {2, 3, 7}) {
    set_num_threads(threads);
    EXPECT_TRUE(same(tanh(x * y), one));
  }
  set_num_threads(before);
  EXPECT_THROW(set_num_threads(0), DomainError);
}

TEST(Map, FusesAnyFunction) {
  const auto x = random_tensor<double, 2>({4, 5}, 1);
  const auto y = random_tensor<float, 3>({5}, 2);
  const auto r = map([](const f64x2& a, const f32x3& b) { return a * f64x2(b) + exp(a); }, x, y);
  EXPECT_EQ(r.shape(), (Shape{4, 5}));
  EXPECT_EQ(r.at({2, 3}), x.at({2, 3}) * f64x2(y.at({3})) + exp(x.at({2, 3})));
}

TEST(Convert, BetweenTypesAndLengths) {
  const auto x = random_tensor<double, 2>({50}, 1);
  const auto narrow = convert<float, 4>(x);
  EXPECT_TRUE(
      same(convert<double, 2>(narrow), map([](const f64x2& v) { return f64x2(f32x4(v)); }, x)));
  EXPECT_TRUE(same(convert<double, 1>(x), x.fc()));
  EXPECT_TRUE(same(with_components<3>(x.fc()).fc(), x.fc()));
}

TEST(Isa, UnknownOnesAreRefused) {
  // a build with MCT_KERNELS=NATIVE has one of them, others have all that the machine runs
  const auto available = available_isas();
  ASSERT_FALSE(available.empty());
  const Isa active = active_isa();
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    if (std::find(available.begin(), available.end(), isa) == available.end()) {
      EXPECT_THROW(set_active_isa(isa), DomainError);
    } else {
      set_active_isa(isa);
      EXPECT_EQ(active_isa(), isa);
    }
  }
  set_active_isa(active);
}

}  // namespace
}  // namespace mct::test::elementwise_cases
