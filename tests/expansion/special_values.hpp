// What functions of expansions give where only the leading limb says something.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mct::test {

template <class X>
class SpecialValues : public ::testing::Test {
 public:
  using Limb = typename X::Scalar;
  static constexpr Limb inf = std::numeric_limits<Limb>::infinity();
  static constexpr Limb nan = std::numeric_limits<Limb>::quiet_NaN();
  static constexpr Limb max = std::numeric_limits<Limb>::max();
  static constexpr Limb tiny = std::numeric_limits<Limb>::denorm_min();

  /// The leading limb as expected, sign of zero included, and nothing after it.
  static void expect_alone(const X& x, Limb lead) {
    if (std::isnan(lead)) {
      EXPECT_TRUE(std::isnan(x.limb[0])) << x.limb[0];
    } else {
      EXPECT_EQ(x.limb[0], lead);
      EXPECT_EQ(std::signbit(x.limb[0]), std::signbit(lead));
    }
    for (int i = 1; i < X::components; ++i) EXPECT_EQ(x.limb[i], 0);
  }
  /// The leading limb as expected, and nothing after a special value.
  static void expect_lead(const X& x, Limb lead) {
    expect_alone(lead == 0 || !std::isfinite(lead) ? x : X(x.limb[0]), lead);
  }
};

}  // namespace mct::test
