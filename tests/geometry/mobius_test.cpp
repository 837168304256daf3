// Gyrovector operations: their laws, and their values against MPFR.
#include <gtest/gtest.h>

#include "tests/geometry/manifold_cases.hpp"

namespace mct::geometry_test::mobius_cases {
namespace {

using namespace mct::validation;

using geometry::mobius_add;
using validation::norm;

template <class V>
class MobiusTest : public ::testing::Test {
 public:
  static constexpr int n = 3;
  using P = geometry::Point<V, n>;
  using Ball = geometry::PoincareBall<V>;
  static constexpr double k = geometry::manifold_bound<V>(n);

  MobiusTest() : cases(0.75), ball(cases.manifold), radius(Big(ball.radius())) {}

  static BigVector big(const P& x) { return validation::big_vector(x); }

  /// The textbook form of the sum, Geometric Foundations with K.
  BigVector sum(const BigVector& x, const BigVector& y) const {
    const Big k2 = radius * radius;
    const Big xy = validation::dot(x, y) / k2;
    const Big x2 = validation::dot(x, x) / k2;
    const Big y2 = validation::dot(y, y) / k2;
    const Big divisor = Big(1) + Big(2) * xy + x2 * y2;
    return x * ((Big(1) + Big(2) * xy + y2) / divisor) + y * ((Big(1) - x2) / divisor);
  }
  BigVector multiple(const Big& r, const BigVector& x) const {
    const Big size = norm(x);
    if (size.is_zero()) return x;
    return x * (radius * tanh(r * atanh(size / radius)) / size);
  }
  /// Distance between two results in the plain sense, in u^N K.
  double apart(const P& x, const P& y) const {
    return double(norm(big(x) - big(y)) / (unit<V>() * radius));
  }
  P point(double farthest) { return cases.point(cases.uniform(0, farthest)); }

  Cases<geometry::PoincareBall, V> cases;
  Ball ball;
  Big radius;
};

using Types = ::testing::Types<double, float, f64x2, bf16x2>;
TYPED_TEST_SUITE(MobiusTest, Types);

TYPED_TEST(MobiusTest, ValuesAgainstMpfr) {
  using Fixture = MobiusTest<TypeParam>;
  const double far = ModelInfo<geometry::PoincareBall>::template farthest<TypeParam>();
  for (int i = 0; i < 60; ++i) {
    const auto x = this->point(i % 2 == 0 ? 2 : far);
    const auto y = this->point(i % 3 == 0 ? 2 : far);
    const auto f = [&](const std::vector<BigVector>& in) { return this->sum(in[0], in[1]); };
    const std::vector<BigVector> in{this->big(x), this->big(y)};
    const BigVector exact = f(in);
    const Big scale = norm(exact) + norm(validation::condition(in, f));
    const Big error = norm(this->big(mobius_add(this->ball, x, y)) - exact);
    EXPECT_LE(double(error / (scale * unit<TypeParam>())), Fixture::k) << i;

    const double r = this->cases.uniform(-3, 3);
    const TypeParam factor = from_big<TypeParam>(Big(r));
    const BigVector product = this->multiple(Big(factor), in[0]);
    const Big distance = abs(Big(factor)) * atanh(norm(in[0]) / this->radius);
    const auto scaled = geometry::mobius_scalar_mul(this->ball, factor, x);
    EXPECT_LE(double(norm(this->big(scaled) - product) /
                     (norm(product) * (Big(1) + distance) * unit<TypeParam>())),
              Fixture::k)
        << i;
  }
}

TYPED_TEST(MobiusTest, GyrogroupLaws) {
  using Fixture = MobiusTest<TypeParam>;
  const auto& space = this->ball;
  const auto add = [&](const auto& x, const auto& y) { return mobius_add(space, x, y); };
  // points to distance 2: the laws hold to e^2 and a few times the bound of each operation
  const double tolerance = 40 * Fixture::k;
  for (int i = 0; i < 40; ++i) {
    const auto x = this->point(2), y = this->point(2), z = this->point(2);
    const auto zero = x - x;
    EXPECT_LE(this->apart(add(zero, x), x), Fixture::k);
    EXPECT_LE(this->apart(add(x, zero), x), Fixture::k);
    EXPECT_TRUE(add(x, -x) == zero) << i;
    EXPECT_LE(this->apart(add(-x, add(x, y)), y), tolerance) << "left cancellation";
    const auto gyr = [&](const auto& a, const auto& b, const auto& v) {
      return geometry::gyration(space, a, b, v);
    };
    EXPECT_LE(this->apart(add(x, add(y, z)), add(add(x, y), gyr(x, y, z))), tolerance)
        << "left gyroassociative";
    EXPECT_LE(this->apart(add(x, y), gyr(x, y, add(y, x))), tolerance) << "gyrocommutative";
    EXPECT_LE(this->apart(gyr(add(x, y), y, z), gyr(x, y, z)), tolerance) << "left loop";
    EXPECT_LE(std::fabs(double(geometry::norm(gyr(x, y, z))) / double(geometry::norm(z)) - 1),
              std::max(double(unit<TypeParam>()), 0x1p-52) * tolerance)
        << "rotation";
    const auto times = [&](double r, const auto& v) {
      return geometry::mobius_scalar_mul(space, TypeParam(Limb<TypeParam>(r)), v);
    };
    EXPECT_LE(this->apart(times(3, x), add(x, add(x, x))), tolerance) << "multiples";
    EXPECT_LE(this->apart(times(1.5, x), add(times(0.5, x), x)), tolerance) << "(r + s) x";
    EXPECT_LE(this->apart(times(0.5, times(3, x)), times(1.5, x)), tolerance) << "r (s x)";
    EXPECT_LE(this->apart(geometry::mobius_sub(space, y, y), zero), 0);
    // the translation of the transport: logmap is that of the difference
    EXPECT_LE(std::fabs(double(space.dist(x, y)) / double(space.dist0(add(-x, y))) - 1),
              std::max(double(unit<TypeParam>()), 0x1p-52) * tolerance * 10);
  }
}

TYPED_TEST(MobiusTest, MatrixProduct) {
  using Fixture = MobiusTest<TypeParam>;
  using V = TypeParam;
  using Row = typename Fixture::P;
  const auto number = [](double a) { return V(Limb<V>(a)); };
  const std::array<Row, 2> flat{Row(number(1), number(-2), number(0.5)),
                                Row(number(0.25), number(0), number(3))};
  const std::vector<Row> rows(flat.begin(), flat.end());
  for (int i = 0; i < 20; ++i) {
    const Row x = this->point(2);
    const auto z = geometry::mobius_matvec(this->ball, flat, x);
    static_assert(decltype(z)::dimension == 2);
    BigVector image;
    for (const Row& row : flat) image.push_back(validation::dot(this->big(row), this->big(x)));
    const Big size = norm(image);
    const Big s = size / norm(this->big(x)) * atanh(norm(this->big(x)) / this->radius);
    const BigVector exact = image * (this->radius * tanh(s) / size);
    // the product cancels by up to |M| |x| / |M x|
    const Big cancels = Big(5) * norm(this->big(x)) / size;
    EXPECT_LE(double(norm(validation::big_vector(z) - exact) /
                     (unit<V>() * norm(exact) * (Big(1) + s) * (Big(1) + cancels))),
              geometry::manifold_bound<V>(5));
    EXPECT_TRUE(geometry::mobius_matvec(this->ball, rows, x) == geometry::Point<V>(z));
    EXPECT_TRUE(geometry::mobius_matvec(this->ball, flat, Row(x - x)) == (z - z));
  }
}

}  // namespace
}  // namespace mct::geometry_test::mobius_cases
