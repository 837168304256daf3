// The loops of the steps of programs, in SIMD lanes.
//
// Nothing here may call a function that other code could have in common with a narrower
// instruction set.
#pragma once

#include "mctensor/geometry/vectors.hpp"
#include "src/geometry/kernels/program_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using geometry_detail::block;
using geometry_detail::Rows;
using geometry_detail::Step;
using geometry_detail::StepKernel;
using geometry_detail::StepTable;
using StepLanes = widest_batch<double>;

/// Masks are 1 or 0.
template <class M>
MCT_ALWAYS_INLINE inline StepLanes as_number(const M& mask) {
  return ::mct::detail::blend(mask, StepLanes(1.0), StepLanes(0.0));
}
MCT_ALWAYS_INLINE inline auto as_mask(const StepLanes& x) { return x != StepLanes(0.0); }

template <Step step>
MCT_ALWAYS_INLINE inline StepLanes stepped(const StepLanes& a, const StepLanes& b,
                                           const StepLanes& c, const StepLanes& d) {
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
  if constexpr (step == less) return as_number(a < b);
  if constexpr (step == less_equal) return as_number(a <= b);
  if constexpr (step == equal) return as_number(a == b);
  if constexpr (step == both) return a * b;
  if constexpr (step == either) return as_number(as_mask(a) || as_mask(b));
  if constexpr (step == opposite) return StepLanes(1.0) - a;
  if constexpr (step == Step::add_product) return multiply_add(a, b, c);
  if constexpr (step == subtract_product) return multiply_add(StepLanes(-a), b, c);
  if constexpr (step == subtract_from_product) return multiply_add(a, b, StepLanes(-c));
  if constexpr (step == add_products) return a * b + c * d;
  if constexpr (step == subtract_products) return a * b - c * d;
  if constexpr (step == between) return as_number(a < b && b < c);
  if constexpr (step == product_rest) return two_prod(a, b).lo;
  if constexpr (step == sum_rest) {
    const StepLanes second = c - a;
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
constexpr int operands_of(Step step) {
  using enum Step;
  if (step == cross || step == pull || step == add_products || step == subtract_products) return 4;
  if (step == choose || step == product_rest || step == sum_rest || step >= add_product) return 3;
  if (step == Step::add || step == subtract || step == multiply || step == divide ||
      (step >= less && step <= either && step != opposite))
    return 2;
  return 1;
}

/// Numbers in a register.
inline constexpr std::size_t width = lanes<StepLanes>;

MCT_ALWAYS_INLINE inline StepLanes load_row(const Rows& r, int operand, int row, std::size_t at) {
  return load_lanes<StepLanes>(r.in[operand] + row * r.step[operand] + at);
}

template <Step step>
void step_kernel(const Rows& r) {
  constexpr int count = operands_of(step);
  const auto load = [&](int k, int row, std::size_t at) {
    return k < count ? load_row(r, k, row, at) : StepLanes(0.0);
  };
  for (int row = 0; row < r.rows; ++row) {
    double* const out = r.out + std::size_t(row) * block;
    for (std::size_t i = 0; i < block; i += width)
      store_lanes(StepLanes(stepped<step>(load(0, row, i), load(1, row, i), load(2, row, i),
                                          load(3, row, i))),
                  out + i);
  }
}

/// Registers at a time, whose sums do not wait for one another.
inline constexpr std::size_t together = 4;

/// out = end of what add collects of the rows from `first` on in what begin gives.
template <class Sum, class Begin, class Add, class End>
MCT_ALWAYS_INLINE inline void sum_rows(const Rows& r, int first, const Begin& begin, const Add& add,
                                       const End& end) {
  static_assert(block % (together * width) == 0);
  for (std::size_t i = 0; i < block; i += together * width) {
    Sum sums[together] = {begin(i), begin(i + width), begin(i + 2 * width), begin(i + 3 * width)};
    for (int row = first; row < r.rows; ++row)
      for (std::size_t k = 0; k < together; ++k) add(sums[k], row, i + k * width);
    for (std::size_t k = 0; k < together; ++k)
      store_lanes(StepLanes(end(sums[k], i + k * width)), r.out + i + k * width);
  }
}
inline void dot_kernel(const Rows& r) {
  using ::mct::detail::multiply_add;
  sum_rows<StepLanes>(
      r, 0, [](std::size_t) { return StepLanes(0.0); },
      [&](StepLanes& sum, int row, std::size_t at) {
        sum = multiply_add(load_row(r, 0, row, at), load_row(r, 1, row, at), sum);
      },
      [](const StepLanes& sum, std::size_t) { return sum; });
}
template <bool high, bool low>
void long_dot_kernel(const Rows& r) {
  using Sum = geometry::detail::LongSum<StepLanes>;
  sum_rows<Sum>(
      r, 1, [&](std::size_t at) { return Sum(load_row(r, 0, 0, at), load_row(r, 1, 0, at)); },
      [&](Sum& sum, int row, std::size_t at) {
        sum.add(load_row(r, 0, row, at), load_row(r, 1, row, at));
      },
      [&](const Sum& sum, std::size_t at) {
        const auto [rounded, rest] = two_sum(sum.high, sum.low);
        if constexpr (high && low) store_lanes(StepLanes(rest), r.low + at);
        return high ? rounded : rest;
      });
}
inline void gap_kernel(const Rows& r) {
  using Gap = geometry::detail::LongGap<StepLanes>;
  sum_rows<Gap>(
      r, 0, [&](std::size_t at) { return Gap(load_row(r, 0, 0, at)); },
      [&](Gap& gap, int row, std::size_t at) { gap.subtract_square(load_row(r, 1, row, at)); },
      [](const Gap& gap, std::size_t) { return gap.value(); });
}
inline void pivot_kernel(const Rows& r) {
  using ::mct::detail::blend;
  using ::mct::detail::magnitude;
  for (std::size_t i = 0; i < block; i += width) {
    const auto at = [&](int row) { return StepLanes(magnitude(load_row(r, 0, row, i))); };
    StepLanes largest = at(0);
    StepLanes index(0.0);
    for (int row = 1; row < r.rows; ++row) {
      const auto larger = at(row) > largest;
      index = blend(larger, StepLanes(double(row)), index);
      largest = blend(larger, at(row), largest);
    }
    for (int row = 0; row < r.rows; ++row)
      store_lanes(as_number(index == StepLanes(double(row))), r.out + std::size_t(row) * block + i);
  }
}
/// Unsets the mask of points where a step does not give 1 in all coordinates.
template <Step step, int operands>
void require_kernel(const Rows& r) {
  for (std::size_t i = 0; i < block; i += width) {
    auto all = load_lanes<StepLanes>(r.mask + i);
    for (int row = 0; row < r.rows; ++row) {
      StepLanes x[4] = {};
      for (int k = 0; k < operands; ++k) x[k] = load_row(r, k, row, i);
      all = all * stepped<step>(x[0], x[1], x[2], x[3]);
    }
    store_lanes(all, r.mask + i);
  }
}
/// Sums of products into a result, and the mask unset where they are no numbers.
template <std::size_t terms>
void give_kernel(const Rows& r) {
  using ::mct::detail::multiply_add;
  for (std::size_t i = 0; i < block; i += width) {
    StepLanes factor[terms];
    for (std::size_t t = 0; t < terms; ++t) factor[t] = load_lanes<StepLanes>(r.in[2 * t] + i);
    StepLanes zero(0.0);
    for (int row = 0; row < r.rows; ++row) {
      StepLanes sum = factor[0] * load_row(r, 1, row, i);
      for (std::size_t t = 1; t < terms; ++t)
        sum = multiply_add(factor[t], load_row(r, int(2 * t + 1), row, i), sum);
      zero = multiply_add(sum, StepLanes(0.0), zero);
      store_lanes(sum, r.out + std::size_t(row) * block + i);
    }
    const auto mask = load_lanes<StepLanes>(r.mask + i);
    store_lanes(StepLanes(mask * as_number(zero == StepLanes(0.0))), r.mask + i);
  }
}

template <Step... step>
constexpr void fill_steps(StepTable& table) {
  ((table.kernel[int(step)] = &step_kernel<step>), ...);
}
constexpr StepTable make_step_table() {
  using enum Step;
  StepTable table{};
  fill_steps<add, subtract, multiply, divide, root, absolute, log1p, expm1, log, choose, less,
             less_equal, equal, both, either, opposite, product_rest, sum_rest, pull, cross,
             add_product, subtract_product, subtract_from_product, add_products, subtract_products,
             between>(table);
  table.kernel[int(dot)] = &dot_kernel;
  table.kernel[int(long_dot)] = &long_dot_kernel<true, false>;
  table.kernel[int(long_dot_low)] = &long_dot_kernel<false, true>;
  table.kernel[int(long_dots)] = &long_dot_kernel<true, true>;
  table.kernel[int(gap)] = &gap_kernel;
  table.kernel[int(pivot)] = &pivot_kernel;
  table.kernel[int(require)] = &require_kernel<constant, 1>;  // the mask itself
  table.kernel[int(require_less)] = &require_kernel<less, 2>;
  table.kernel[int(require_less_equal)] = &require_kernel<less_equal, 2>;
  table.kernel[int(require_equal)] = &require_kernel<equal, 2>;
  table.kernel[int(require_between)] = &require_kernel<between, 3>;
  table.kernel[int(give)] = &give_kernel<1>;
  table.kernel[int(give_two)] = &give_kernel<2>;
  table.kernel[int(give_three)] = &give_kernel<3>;
  table.kernel[int(give_four)] = &give_kernel<4>;
  return table;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
