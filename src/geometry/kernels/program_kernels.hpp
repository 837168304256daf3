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
  if constexpr (step == cross) {
    const auto [p, p_low] = two_prod(a, b);
    const auto [q, q_low] = two_prod(c, d);
    return (p - q) + (p_low - q_low);
  }
  return a;
}
constexpr int operands_of(Step step) {
  using enum Step;
  if (step == cross) return 4;
  if (step == choose || step >= add_product) return 3;
  if (step == Step::add || step == subtract || step == multiply || step == divide ||
      (step >= less && step <= either && step != opposite))
    return 2;
  return 1;
}

template <Step step>
void step_kernel(const Rows& r) {
  constexpr int count = operands_of(step);
  const auto load = [&](int k, int row, std::size_t at) {
    return k < count ? load_lanes<StepLanes>(r.in[k] + row * r.step[k] + at) : StepLanes(0.0);
  };
  for (int row = 0; row < r.rows; ++row) {
    double* const out = r.out + std::size_t(row) * block;
    for (std::size_t i = 0; i < block; i += lanes<StepLanes>)
      store_lanes(StepLanes(stepped<step>(load(0, row, i), load(1, row, i), load(2, row, i),
                                          load(3, row, i))),
                  out + i);
  }
}

/// Some registers at a time, whose sums do not wait for one another.
template <Step step>
void sum_kernel(const Rows& r) {
  using ::mct::detail::multiply_add;
  constexpr std::size_t width = lanes<StepLanes>;
  constexpr std::size_t together = step == Step::dot ? 4 : 2;
  static_assert(block % (together * width) == 0);
  for (std::size_t i = 0; i < block; i += together * width) {
    StepLanes sum[together], low[together];
    for (auto& s : sum) s = StepLanes(0.0);
    for (auto& s : low) s = StepLanes(0.0);
    for (int row = 0; row < r.rows; ++row)
      for (std::size_t k = 0; k < together; ++k) {
        const auto a = load_lanes<StepLanes>(r.in[0] + row * r.step[0] + i + k * width);
        const auto b = load_lanes<StepLanes>(r.in[1] + row * r.step[1] + i + k * width);
        if constexpr (step == Step::dot) {
          sum[k] = multiply_add(a, b, sum[k]);
        } else {
          const auto [product, product_low] = two_prod(a, b);
          const auto [next, rest] = two_sum(sum[k], product);
          sum[k] = next;
          low[k] = low[k] + (product_low + rest);
        }
      }
    for (std::size_t k = 0; k < together; ++k)
      store_lanes(StepLanes(sum[k] + low[k]), r.out + i + k * width);
  }
}
/// a^2 - |b|^2 as gap_of.
inline void gap_kernel(const Rows& r) {
  for (std::size_t i = 0; i < block; i += lanes<StepLanes>) {
    const auto x = geometry::detail::generate<geometry::Point<StepLanes>>(
        r.rows, [&](int row) { return load_lanes<StepLanes>(r.in[1] + row * r.step[1] + i); });
    store_lanes(geometry::detail::gap_of(load_lanes<StepLanes>(r.in[0] + i), x), r.out + i);
  }
}
inline void pivot_kernel(const Rows& r) {
  using ::mct::detail::blend;
  using ::mct::detail::magnitude;
  for (std::size_t i = 0; i < block; i += lanes<StepLanes>) {
    const auto at = [&](int row) {
      return StepLanes(magnitude(load_lanes<StepLanes>(r.in[0] + row * r.step[0] + i)));
    };
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
/// Multiplies the mask of the result by those of all coordinates.
inline void require_kernel(const Rows& r) {
  for (std::size_t i = 0; i < block; i += lanes<StepLanes>) {
    auto all = load_lanes<StepLanes>(r.out + i);
    for (int row = 0; row < r.rows; ++row)
      all = all * load_lanes<StepLanes>(r.in[0] + row * r.step[0] + i);
    store_lanes(all, r.out + i);
  }
}
/// Copies rows to a result, and unsets the mask, operand 1, of points that are no numbers there.
inline void give_kernel(const Rows& r) {
  double* const mask = const_cast<double*>(r.in[1]);
  for (std::size_t i = 0; i < block; i += lanes<StepLanes>) {
    StepLanes zero(0.0);
    for (int row = 0; row < r.rows; ++row) {
      const auto x = load_lanes<StepLanes>(r.in[0] + row * r.step[0] + i);
      zero = zero + x * StepLanes(0.0);
      store_lanes(x, r.out + std::size_t(row) * block + i);
    }
    store_lanes(StepLanes(load_lanes<StepLanes>(mask + i) * as_number(zero == StepLanes(0.0))),
                mask + i);
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
             less_equal, equal, both, either, opposite, cross, add_product, subtract_product,
             subtract_from_product>(table);
  table.kernel[int(dot)] = &sum_kernel<dot>;
  table.kernel[int(long_dot)] = &sum_kernel<long_dot>;
  table.kernel[int(gap)] = &gap_kernel;
  table.kernel[int(pivot)] = &pivot_kernel;
  table.kernel[int(require)] = &require_kernel;
  table.kernel[int(give)] = &give_kernel;
  return table;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
