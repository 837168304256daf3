// exp10, tanpi and hypot of three at the edges of their domains, and where a result is known
// exactly. Accuracy against MPFR is the precision suite's task.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/exp10.hpp"
#include "mctensor/math/hypot3.hpp"
#include "mctensor/math/inverse_trig.hpp"
#include "mctensor/math/tanpi.hpp"
#include "tests/expansion/special_values.hpp"

namespace mct::math_c_functions_test {

template <class X>
class MathC : public test::SpecialValues<X> {};
using Types = ::testing::Types<f64x1, f64x2, f64x4, f32x2, f32x3>;
TYPED_TEST_SUITE(MathC, Types);

TYPED_TEST(MathC, PowersOfTen) {
  using X = TypeParam;
  using M = MathC<X>;
  M::expect_alone(exp10(X(M::inf)), M::inf);
  M::expect_alone(exp10(X(-M::inf)), 0);
  M::expect_alone(exp10(X(M::nan)), M::nan);
  M::expect_alone(exp10(X(M::max)), M::inf);
  M::expect_alone(exp10(X(-M::max)), 0);
  EXPECT_EQ(exp10(X(0)), 1);
  EXPECT_EQ(exp10(-X(0)), 1);
  // 5^n is a number of N p bits
  X power = 1;
  for (int n = 0; n * 2.33 < std::numeric_limits<X>::digits; ++n, power = power * 10) {
    if (!isfinite(power)) break;
    EXPECT_EQ(exp10(X(n)), power) << n;
  }
  EXPECT_LE(abs(exp10(X(-3)) * 1000 - 1), 4 * std::numeric_limits<X>::epsilon());
}

TYPED_TEST(MathC, TangentsOfHalfTurns) {
  using X = TypeParam;
  using M = MathC<X>;
  using T = typename M::Limb;
  for (const T bad : {M::inf, -M::inf, M::nan}) M::expect_alone(tanpi(X(bad)), M::nan);
  for (const T sign : {T(1), T(-1)}) {
    M::expect_alone(tanpi(X(sign * T(0))), sign * T(0));
    M::expect_alone(tanpi(X(sign * T(0.25))), sign);
    M::expect_alone(tanpi(X(sign * T(0.5))), sign * M::inf);
    M::expect_alone(tanpi(X(sign * T(0.75))), -sign);
    M::expect_alone(tanpi(X(sign)), -sign * T(0));
    M::expect_alone(tanpi(X(sign * T(1.25))), sign);
    M::expect_alone(tanpi(X(sign * T(1.5))), -sign * M::inf);
    M::expect_alone(tanpi(X(sign * 2)), sign * T(0));
  }
  if constexpr (X::components > 1) {
    // as near to a pole as a second limb can be
    X x(T(0.5));
    x.limb[1] = sizeof(T) == 8 ? T(0x1p-1022) : T(0x1p-126F);
    const X scaled = tanpi(x) * x.limb[1];
    EXPECT_LE(abs(scaled * acos(X(-1)) + 1), 4 * std::numeric_limits<X>::epsilon());
  }
}

TYPED_TEST(MathC, LengthsOfThree) {
  using X = TypeParam;
  using M = MathC<X>;
  using T = typename M::Limb;
  M::expect_alone(hypot(X(M::nan), X(M::nan), X(-M::inf)), M::inf);
  M::expect_alone(hypot(X(1), X(M::nan), X(2)), M::nan);
  M::expect_alone(hypot(-X(0), -X(0), -X(0)), 0);
  M::expect_alone(hypot(X(M::max), X(M::max), X(1)), M::inf);
  M::expect_alone(hypot(X(2), X(-3), X(6)), 7);
  M::expect_alone(hypot(X(0), X(3), X(-4)), 5);
  EXPECT_EQ(hypot(X(1), 2, 2.0F), 3);
  const int top = std::numeric_limits<T>::max_exponent - 4;
  M::expect_alone(hypot(ldexp(X(2), top), ldexp(X(3), top), ldexp(X(6), top)),
                  std::ldexp(T(7), top));
}

}  // namespace mct::math_c_functions_test
