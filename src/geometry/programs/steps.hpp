// The computations of the steps of programs, with a number or a register of numbers for each
// operand.
//
// Nothing here may call a function that other code could have in common with a narrower
// instruction set.
#pragma once

#include "mctensor/geometry/vectors.hpp"
#include "src/geometry/programs/recording.hpp"

namespace mct::geometry_detail::inline MCT_ISA_NAMESPACE {

/// Calls list(step) for those that compute each number of a result by itself.
// clang-format off
#define MCT_FOR_EACH_NUMBERWISE_STEP(list) \
  list(add) list(subtract) list(multiply) list(divide) list(root) list(absolute) list(log1p) \
  list(expm1) list(log) list(choose) list(less) list(less_equal) list(equal) list(both) \
  list(either) list(opposite) list(product_rest) list(sum_rest) list(pull) list(cross) \
  list(add_product) list(subtract_product) list(subtract_from_product) list(add_products) \
  list(subtract_products) list(between)
// clang-format on

/// Masks are 1 or 0.
template <class V, class M>
MCT_HD MCT_ALWAYS_INLINE inline V as_number(const M& mask) {
  return ::mct::detail::blend(mask, V(1.0), V(0.0));
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline auto as_mask(const V& x) {
  return x != V(0.0);
}

template <Step step, class V>
MCT_HD MCT_ALWAYS_INLINE inline V stepped(const V& a, const V& b, const V& c, const V& d) {
  using enum Step;
  using ::mct::detail::blend;
  using ::mct::detail::magnitude;
  using ::mct::detail::multiply_add;
  using std::sqrt;
  if constexpr (step == add) return a + b;
  if constexpr (step == subtract) return a - b;
  if constexpr (step == multiply) return a * b;
  if constexpr (step == divide) return a / b;
  if constexpr (step == root) return sqrt(a);
  if constexpr (step == Step::absolute) return magnitude(a);
  if constexpr (step == log1p) return ::mct::detail::plain_log1p(a);
  if constexpr (step == expm1) return ::mct::detail::plain_expm1(a);
  if constexpr (step == Step::log) return geometry::detail::log_of(a);
  if constexpr (step == choose) return blend(as_mask(a), b, c);
  if constexpr (step == less) return as_number<V>(a < b);
  if constexpr (step == less_equal) return as_number<V>(a <= b);
  if constexpr (step == equal) return as_number<V>(a == b);
  if constexpr (step == both) return a * b;
  if constexpr (step == either) return as_number<V>(as_mask(a) || as_mask(b));
  if constexpr (step == opposite) return V(1.0) - a;
  if constexpr (step == Step::add_product) return multiply_add(a, b, c);
  if constexpr (step == subtract_product) return multiply_add(V(-a), b, c);
  if constexpr (step == subtract_from_product) return multiply_add(a, b, V(-c));
  if constexpr (step == add_products) return a * b + c * d;
  if constexpr (step == subtract_products) return a * b - c * d;
  if constexpr (step == between) return as_number<V>(a < b && b < c);
  if constexpr (step == product_rest) return two_prod(a, b).lo;
  if constexpr (step == sum_rest) {
    const V second = c - a;
    return (a - (c - second)) + (b - second);
  }
  if constexpr (step == pull) {
    const auto [product, rest] = two_prod(a, c);
    return (product - d) + (rest + b * c);
  }
  if constexpr (step == cross) {
    const auto [p, p_low] = two_prod(a, b);
    const auto [q, q_low] = two_prod(c, d);
    return (p - q) + (p_low - q_low);
  }
  return a;
}
MCT_HD constexpr int operands_of(Step step) {
  using enum Step;
  if (step == cross || step == pull || step == add_products || step == subtract_products) return 4;
  if (step == choose || step == product_rest || step == sum_rest || step >= add_product) return 3;
  if (step == Step::add || step == subtract || step == multiply || step == divide ||
      step == angle || (step >= less && step <= either && step != opposite))
    return 2;
  return 1;
}

}  // namespace mct::geometry_detail::inline MCT_ISA_NAMESPACE
