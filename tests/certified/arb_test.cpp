// Enclosures beside the balls of Arb: both hold the truth, so that they meet, and ours are not much
// wider.
#include <arb.h>

#include "tests/certified/enclosures.hpp"

namespace mct::certified_test {
namespace {

using Number = Certified<double, 2>;
constexpr slong bits = 106;

/// A ball of Arb.
class Ball {
 public:
  Ball() { arb_init(ball_); }
  explicit Ball(const Number& x) : Ball() {
    arb_set_d(ball_, x.value().limb[0]);
    Ball limb;
    arb_set_d(limb.ball_, x.value().limb[1]);
    arb_add(ball_, ball_, limb.ball_, ARF_PREC_EXACT);
    mag_set_d(arb_radref(ball_), x.radius());
  }
  ~Ball() { arb_clear(ball_); }
  Ball(const Ball&) = delete;
  Ball& operator=(const Ball&) = delete;
  arb_ptr get() { return ball_; }
  double radius() const { return mag_get_d(arb_radref(ball_)); }

 private:
  arb_t ball_;
};

using ArbFunction = void (*)(arb_t, const arb_t, const arb_t);

/// Calls see(name, function of ours, function of Arb, least and largest log2 of a first operand).
template <class See>
void for_each_operation(const See& see) {
  using X = const Number&;
#define MCT_SEE_OPERATION(name, expression, arb, low, high) \
  see(                                                      \
      name, [](X x, X y) { return expression; },            \
      ArbFunction([](arb_t r, const arb_t x, const arb_t y) { arb(r, x, y, bits); }), low, high);
#define MCT_SEE_FUNCTION(name, low, high)                                                    \
  see(                                                                                       \
      #name, [](X x, X) { return name(x); },                                                 \
      ArbFunction([](arb_t r, const arb_t x, const arb_t) { arb_##name(r, x, bits); }), low, \
      high);
  MCT_SEE_OPERATION("+", x + y, arb_add, -60, 60)
  MCT_SEE_OPERATION("-", x - y, arb_sub, -60, 60)
  MCT_SEE_OPERATION("x", x * y, arb_mul, -60, 60)
  MCT_SEE_OPERATION("/", x / y, arb_div, -60, 60)
  MCT_SEE_FUNCTION(sqrt, -60, 60)
  MCT_SEE_FUNCTION(exp, -8, 8)
  MCT_SEE_FUNCTION(log, -60, 60)
  MCT_SEE_FUNCTION(expm1, -60, 8)
  MCT_SEE_FUNCTION(log1p, -60, 60)
  MCT_SEE_FUNCTION(sin, -20, 12)
  MCT_SEE_FUNCTION(cos, -20, 12)
  MCT_SEE_FUNCTION(sinh, -60, 8)
  MCT_SEE_FUNCTION(cosh, -2, 8)
  MCT_SEE_FUNCTION(tanh, -60, 2)
  MCT_SEE_FUNCTION(asinh, -60, 60)
  MCT_SEE_FUNCTION(atan, -60, 60)
#undef MCT_SEE_FUNCTION
#undef MCT_SEE_OPERATION
}

/// Radii from nothing to a thousandth of the value: beyond, both say little.
Number drawn(Draw<double, 2>& draw, bool positive) {
  f64x2 value = draw.value();
  while (value.limb[0] == 0) value = draw.value();
  if (positive) value = abs(value);
  const double part = draw.uniform(0, 4) < 1 ? 0 : std::exp2(draw.uniform(-104, -10));
  return {value, std::fabs(value.limb[0]) * part};
}

TEST(CertifiedBesideArb, MeetsItsBallsAndIsAtMostFourTimesAsWide) {
  std::uint64_t seed = 100;
  for_each_operation(
      [&](const std::string& name, const auto& ours, ArbFunction arb, double low, double high) {
        Draw<double, 2> draw(++seed, low, high);
        const bool positive = name == "sqrt" || name == "log" || name == "log1p";
        double widest = 0;
        for (int i = 0; i < 2000; ++i) {
          const Number x = drawn(draw, positive), y = drawn(draw, false);
          const Number result = ours(x, y);
          Ball a(x), b(y), expected;
          arb(expected.get(), a.get(), b.get());
          if (!arb_is_finite(expected.get())) continue;
          ASSERT_TRUE(std::isfinite(result.radius())) << name << " of " << x.value().limb[0];
          Ball mine(result);
          EXPECT_TRUE(arb_overlaps(mine.get(), expected.get()))
              << name << " of " << x.value().limb[0] << " and " << y.value().limb[0];
          // where Arb's result is exact, ours has the stated error of the algorithm
          const double unit = std::fabs(result.value().limb[0]) * 0x1p-106;
          widest = std::max(widest, result.radius() / std::max(expected.radius(), unit));
        }
        // a product without fma has the bound 5 u^2 where Arb rounds once
        EXPECT_LE(widest, name == "x" ? 1.0001 * std::max(4.0, error_bounds<2>.mul) : 4.0) << name;
        RecordProperty(name, std::to_string(widest));
      });
}

}  // namespace
}  // namespace mct::certified_test
