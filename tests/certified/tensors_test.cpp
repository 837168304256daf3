// Tensors that carry their error are what their elements are as Certified numbers, and hold what
// MPFR says of every number within the radius.
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/isa.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/certified/enclosures.hpp"

namespace mct::certified_test {
namespace {

template <class X>
class CertifiedTensorsTest : public ::testing::Test {};
using TensorTypes = ::testing::Types<CertifiedTensor<double, 1>, CertifiedTensor<double, 2>,
                                     CertifiedTensor<double, 3>, CertifiedTensor<double, 4>,
                                     CertifiedTensor<float, 1>, CertifiedTensor<float, 2>,
                                     CertifiedTensor<float, 4>>;
TYPED_TEST_SUITE(CertifiedTensorsTest, TensorTypes);

template <class T, int N>
std::type_identity<T> component(const CertifiedTensor<T, N>&);
template <class X>
using component_t = typename decltype(component(X()))::type;
template <class X>
inline constexpr int components = decltype(X::value)::nc();

/// A tensor of given numbers.
template <class T, int N>
CertifiedTensor<T, N> tensor_of(const std::vector<Certified<T, N>>& numbers, const Shape& shape) {
  CertifiedTensor<T, N> x(Tensor<T, N>::uninitialized({std::int64_t(numbers.size())}),
                          Tensor<double>::uninitialized({std::int64_t(numbers.size())}));
  for (std::int64_t i = 0; i < x.value.numel(); ++i) {
    const Certified<T, N>& number = numbers[std::size_t(i)];
    for (int k = 0; k < N; ++k) x.value.plane(k).set({i}, number.value().limb[k]);
    x.radius.set({i}, double(number.radius()));
  }
  return {x.value.reshape(shape), x.radius.reshape(shape)};
}

template <class T, int N>
std::vector<Certified<T, N>> drawn(Draw<T, N>& draw, int count) {
  std::vector<Certified<T, N>> all;
  for (int i = 0; i < count; ++i) all.push_back(draw());
  return all;
}

/// Numbers of every kind, zeros, infinities, NaN and the ends of the range among them.
template <class T, int N>
std::vector<Certified<T, N>> every_kind(std::uint64_t seed) {
  using C = Certified<T, N>;
  using E = Expansion<T, N>;
  Draw<T, N> near(seed, -3, 3),
      far(seed + 1, -1.1 * FloatTraits<T>::emax, FloatTraits<T>::emax - 1);
  std::vector<C> all = drawn(near, 61), others = drawn(far, 40);
  all.insert(all.end(), others.begin(), others.end());
  for (const T value : {T(0), T(-0.0), T(1), T(-1), FloatTraits<T>::infinity, FloatTraits<T>::nan,
                        FloatTraits<T>::max, FloatTraits<T>::eta, T(-FloatTraits<T>::max)})
    for (const T radius :
         {T(0), FloatTraits<T>::eta, T(1), FloatTraits<T>::infinity, FloatTraits<T>::nan, T(-1)})
      all.push_back(C(E(value), radius));
  return all;
}

/// Whether this program and the library's kernels have the same bits.
bool has_bits_of_kernels() {
#if defined(__aarch64__)
  return MCT_HAS_FMA != 0;
#else
  return (active_isa() != Isa::baseline) == (MCT_HAS_FMA != 0);
#endif
}

/// The enclosures, a of a tensor, hold each other's value, and one is about as wide as the other.
template <class T, int N>
void expect_alike(const std::string& name, const Certified<T, N>& a, const Certified<T, N>& b) {
  const auto text = [&] {
    return name + ": " + std::to_string(double(a.value().limb[0])) + " +- " +
           std::to_string(double(a.radius())) + " and " +
           std::to_string(double(b.value().limb[0])) + " +- " + std::to_string(double(b.radius()));
  };
  constexpr bool is_float = std::is_same_v<T, float>;
  if (std::isinf(a.radius()) || std::isinf(b.radius())) {
    // one may overflow a little earlier; tensors of floats have formulas in double, which do not
    const double other = double(std::isinf(a.radius()) ? b.radius() : a.radius());
    if (!is_float || std::isinf(a.radius())) {
      EXPECT_GT(other, 0.4 * double(FloatTraits<T>::max)) << text();
    }
    return;
  }
  if (has_bits_of_kernels())
    for (int k = 0; k < N; ++k) EXPECT_EQ(a.value().limb[k], b.value().limb[k]) << text();
  EXPECT_LE(double(abs(Truth(a.value()) - Truth(b.value()))),
            double(a.radius()) + double(b.radius()))
      << text();
  const double least = 64 * double(FloatTraits<T>::eta);
  EXPECT_LE(double(a.radius()), 1.3 * double(b.radius()) + least) << text();
  // formulas in float lose more near a pole and underflow; OperationsHoldTheTruth looks there
  if (!is_float) EXPECT_LE(double(b.radius()), 1.3 * double(a.radius()) + least) << text();
}

TYPED_TEST(CertifiedTensorsTest, FunctionsAreThoseOfNumbers) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  using C = Certified<T, N>;
  const std::vector<C> numbers = every_kind<T, N>(1);
  const auto n = std::int64_t(numbers.size());
  const auto x = tensor_of(numbers, {n});
  const auto see = [&](const char* name, const auto& f) {
    const TypeParam y = f(x);
    for (std::int64_t i = 0; i < n; ++i)
      expect_alike(name, y.at({i}), C(f(numbers[std::size_t(i)])));
  };
#define MCT_SEE(name, ...) see(#name, [](const auto& a) { return name(a); });
  MCT_FOR_EACH_ORACLE(MCT_SEE, T)
  MCT_SEE(sqrt)
  MCT_SEE(abs)
  MCT_SEE(operator-)
#undef MCT_SEE
}

TYPED_TEST(CertifiedTensorsTest, OperationsAreThoseOfNumbers) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  using C = Certified<T, N>;
  const std::vector<C> a = every_kind<T, N>(2), b = every_kind<T, N>(3);
  const auto n = std::int64_t(a.size());
  const auto x = tensor_of(a, {n, 1}), y = tensor_of(b, {n});
  const auto see = [&](const char* name, const auto& f) {
    const TypeParam z = f(x, y);
    ASSERT_EQ(z.radius.shape(), (Shape{n, n}));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; j += 1 + i % 3)
        expect_alike(name, z.at({i, j}), C(f(a[std::size_t(i)], b[std::size_t(j)])));
  };
  see("+", [](const auto& p, const auto& q) { return p + q; });
  see("-", [](const auto& p, const auto& q) { return p - q; });
  see("*", [](const auto& p, const auto& q) { return p * q; });
  see("/", [](const auto& p, const auto& q) { return p / q; });
  see("pow", [](const auto& p, const auto& q) { return pow(p, q); });
  see("hypot", [](const auto& p, const auto& q) { return hypot(p, q); });
}

TYPED_TEST(CertifiedTensorsTest, HoldTheTruth) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  constexpr int count = 101;
  std::uint64_t seed = 10;
  const auto see = [&](const char* name, const auto& f, Oracle oracle, double low, double high) {
    Draw<T, N> draw(++seed, low, high);
    const auto numbers = drawn(draw, count);
    const TypeParam y = f(tensor_of(numbers, {count}));
    int known = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      known += std::isfinite(y.radius(i)) ? 1 : 0;
      for (const double p : {-1.0, 0.0, 0.75, 1.0})
        EXPECT_TRUE(holds(y.at({i}), of(oracle, at(numbers[std::size_t(i)], p))) &&
                    (std::isinf(y.radius(i)) || abs(of(oracle, at(numbers[std::size_t(i)], p)) -
                                                    Truth(y.value.at({i}))) <= Truth(y.radius(i))))
            << name << " of " << numbers[std::size_t(i)].value().limb[0] << " at " << p;
    }
    EXPECT_GT(known, count / 6) << name;
  };
#define MCT_SEE(name, low, high, ...) \
  see(                                \
      #name, [](const TypeParam& x) { return name(x); }, Oracle(mpfr_##name), low, high);
  MCT_FOR_EACH_ORACLE(MCT_SEE, T)
  MCT_SEE(sqrt, -60, 60)
#undef MCT_SEE
}

/// Whether the exact radius of an element, before it is rounded to a float, holds the number.
template <class T, int N>
bool holds(const CertifiedTensor<T, N>& x, std::int64_t i, const Truth& truth) {
  const double radius = x.radius(i);
  return std::isinf(radius) || abs(truth - Truth(x.value.at({i}))) <= Truth(radius);
}

/// Numbers up to both ends of the range, and radii up to next to the number itself.
template <class T, int N>
std::vector<Certified<T, N>> up_to_the_ends(std::uint64_t seed, int count) {
  const double emax = FloatTraits<T>::emax;
  Draw<T, N> near(seed, -20, 20), far(seed + 1, -1.15 * emax, emax - 1),
      half(seed + 2, -0.55 * emax, emax / 2);
  std::vector<Certified<T, N>> all;
  for (int i = 0; i < count; ++i) {
    Draw<T, N>& draw = i % 3 == 0 ? near : i % 3 == 1 ? far : half;
    const Expansion<T, N> x = draw.value();
    const T wide = std::fabs(x.limb[0]) *
                   T(1 - std::exp2(std::floor(draw.uniform(-FloatTraits<T>::p + 1.0, 0))));
    all.emplace_back(x, i % 4 == 0 ? wide : draw.radius_for(x));
  }
  return all;
}

TYPED_TEST(CertifiedTensorsTest, OperationsHoldTheTruth) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  constexpr std::int64_t count = 1201;
  const auto a = up_to_the_ends<T, N>(90, count), b = up_to_the_ends<T, N>(95, count);
  const auto x = tensor_of(a, {count}), y = tensor_of(b, {count});
  const TypeParam sum = x + y, difference = x - y, product = x * y, quotient = x / y,
                  power = pow(abs(x), y), length = hypot(x, y);
  for (std::int64_t i = 0; i < count; ++i)
    for (const double p : {-1.0, 1.0})
      for (const double q : {-1.0, 0.5, 1.0}) {
        const Truth left = at(a[std::size_t(i)], p), right = at(b[std::size_t(i)], q);
        EXPECT_TRUE(holds(sum, i, left + right)) << i;
        EXPECT_TRUE(holds(difference, i, left - right)) << i;
        EXPECT_TRUE(holds(product, i, left * right)) << i;
        if (double(right) != 0) EXPECT_TRUE(holds(quotient, i, left / right)) << i;
        Truth truth;
        mpfr_hypot(truth.get(), left.get(), right.get(), MPFR_RNDN);
        EXPECT_TRUE(holds(length, i, truth)) << i;
        mpfr_pow(truth.get(), at(abs(a[std::size_t(i)]), p).get(), right.get(), MPFR_RNDN);
        if (mpfr_number_p(truth.get()) != 0) EXPECT_TRUE(holds(power, i, truth)) << i;
      }
}

/// The quotient underflows, and the divisor may be next to zero.
TEST(CertifiedTensors, QuotientsThatUnderflow) {
  const Tensor<float> x = Tensor<float>::scalar(0x1p-146F), y = Tensor<float>::scalar(1024);
  const CertifiedTensor<float, 1> divisor(y, Tensor<double>::scalar(1024 - 0x1p-10));
  const auto q = CertifiedTensor<float, 1>(x) / divisor;
  EXPECT_GE(q.radius.item(), 0x1p-136 - double(q.value.item()));
}

/// The value underflows to 0, and what is known of it are the smallest subnormals of its bound.
TYPED_TEST(CertifiedTensorsTest, FunctionsThatUnderflow) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  using C = Certified<T, N>;
  const C low(T(-2000)), half(T(0.5)), high(T(2000));
  const double most = double(exp(low).radius());
  EXPECT_LE(most, (function_eta<N> + 16) * double(FloatTraits<T>::eta));
  EXPECT_LE(exp(tensor_of<T, N>({low}, {1})).radius(0), most);
  EXPECT_LE(pow(tensor_of<T, N>({half}, {1}), tensor_of<T, N>({high}, {1})).radius(0), most);
}

/// Radii and values that say that nothing is known.
TYPED_TEST(CertifiedTensorsTest, NothingIsKnown) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double radii[] = {std::nan(""), -1, -1e-60, infinity, 0, 0};
  const T values[] = {1, 1, 1, 1, FloatTraits<T>::infinity, FloatTraits<T>::nan};
  TypeParam x(Tensor<T, N>::uninitialized({6}), Tensor<double>::uninitialized({6}));
  for (std::int64_t i = 0; i < 6; ++i) {
    for (int k = 0; k < N; ++k) x.value.plane(k).set({i}, k == 0 ? values[i] : T(0));
    x.radius.set({i}, radii[i]);
  }
  const TypeParam one(T(1)),
      results[] = {x, -x, abs(x), x + one, x * one, one / x, exp(x), pow(one, x)};
  for (const TypeParam& y : results) {
    const auto positive = is_positive(y);
    for (std::int64_t i = 0; i < 6; ++i) {
      EXPECT_FALSE(positive(i)) << i;
      EXPECT_TRUE(std::isinf(y.at({i}).radius())) << i;
    }
  }
  const auto within = contains(x, one.value.expand({6}));
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_TRUE(within(i)) << i;
}

TYPED_TEST(CertifiedTensorsTest, QuestionsAreThoseOfNumbers) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  const auto a = every_kind<T, N>(5), b = every_kind<T, N>(6);
  const auto n = std::int64_t(a.size());
  const auto x = tensor_of(a, {n}), y = tensor_of(b, {n});
  const auto positive = is_positive(x), less = is_less(x, y), within = contains(x, y.value);
  int certain = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto& p = a[std::size_t(i)];
    const auto& q = b[std::size_t(i)];
    EXPECT_EQ(positive.at({i}), is_positive(p)) << i;
    if (!has_bits_of_kernels()) continue;
    EXPECT_EQ(less.at({i}), is_less(p, q)) << i;
    EXPECT_EQ(within.at({i}), contains(p, q.value())) << i;
    certain += less.at({i}) ? 1 : 0;
  }
  if (has_bits_of_kernels()) EXPECT_GT(certain, 5);
}

TYPED_TEST(CertifiedTensorsTest, ExactOperandsViewsAndThreads) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  Draw<T, N> draw(7, -2, 2);
  const auto numbers = drawn(draw, 12);
  const TypeParam x = tensor_of(numbers, {3, 4});
  const TypeParam doubled = x * T(2), turned(x.value.t(), x.radius.t());
  const TypeParam exact(x.value);
  EXPECT_EQ(sum(exact.radius).item(), 0);
  const TypeParam of_view = exp(turned), of_sum = turned + exact.value.t(), nothing = -doubled;
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j < 4; ++j) {
      const Certified<T, N>& number = numbers[std::size_t(4 * i + j)];
      expect_alike("x 2", doubled.at({i, j}), number * Certified<T, N>(T(2)));
      expect_alike("-", nothing.at({i, j}), -(number * Certified<T, N>(T(2))));
      expect_alike("exp", of_view.at({j, i}), exp(number));
      expect_alike("+", of_sum.at({j, i}), number + Certified<T, N>(number.value()));
    }
  EXPECT_EQ(exp(TypeParam(Tensor<T, N>({0, 3}))).radius.shape(), (Shape{0, 3}));
  // the same bits on one thread and on several
  const auto many = drawn(draw, 20011);
  const TypeParam long_x = tensor_of(many, {20011});
  const int threads = num_threads();
  set_num_threads(1);
  const TypeParam alone = log(exp(long_x) * long_x);
  set_num_threads(3);
  const TypeParam together = log(exp(long_x) * long_x);
  set_num_threads(threads);
  for (std::int64_t i = 0; i < 20011; ++i) ASSERT_EQ(alone.radius(i), together.radius(i)) << i;
}

TYPED_TEST(CertifiedTensorsTest, RefuseRadiiOfAnotherShape) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  const Tensor<T, N> value({2, 3});
  const TypeParam right(value);
  try {
    const TypeParam wrong(value, Tensor<double>({3}));
    FAIL() << "no error";
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(),
                 "a radius of shape (3,) for a value of shape (2, 3); the shapes must be equal");
  }
  TypeParam changed = right;
  changed.radius = Tensor<double>({3});
  EXPECT_THROW(exp(changed), ShapeError);
  EXPECT_THROW(-changed, ShapeError);
  EXPECT_THROW(right + changed, ShapeError);
  EXPECT_THROW(changed * right, ShapeError);
  EXPECT_THROW(is_positive(changed), ShapeError);
  EXPECT_THROW(right + TypeParam(Tensor<T, N>({2, 4})), ShapeError);
}

/// What stands beside a tensor with radii.
TYPED_TEST(CertifiedTensorsTest, OtherOperands) {
  using T = component_t<TypeParam>;
  constexpr int N = components<TypeParam>;
  Draw<T, N> draw(8, -2, 2);
  const auto numbers = drawn(draw, 3);
  TypeParam x = tensor_of(numbers, {3});
  const Certified<T, N> number(Expansion<T, N>(T(3)), T(0.25));
  const Tensor<T> plain = full<T, 1>({3}, T(2));
  const TypeParam products[] = {x * number, x * plain, plain * x, x * T(2)};
  x += plain;
  for (std::int64_t i = 0; i < 3; ++i) {
    const Certified<T, N>& own = numbers[std::size_t(i)];
    const Certified<T, N> two(T(2));
    expect_alike("number", products[0].at({i}), own * number);
    expect_alike("plain", products[1].at({i}), own * two);
    expect_alike("plain", products[2].at({i}), two * own);
    expect_alike("T", products[3].at({i}), own * two);
    expect_alike("+=", x.at({i}), own + two);
  }
  EXPECT_TRUE(all(is_less(x, T(1e6))));
}

}  // namespace
}  // namespace mct::certified_test
