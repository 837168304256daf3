// The loops of the steps of programs, in SIMD lanes.
//
// Nothing here may call a function that other code could have in common with a narrower
// instruction set.
#pragma once

#include "src/geometry/kernels/program_table.hpp"
#include "src/geometry/programs/steps.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using geometry_detail::as_mask;
using geometry_detail::as_number;
using geometry_detail::block;
using geometry_detail::operands_of;
using geometry_detail::Rows;
using geometry_detail::Step;
using geometry_detail::StepKernel;
using geometry_detail::stepped;
using geometry_detail::StepTable;
using StepLanes = widest_batch<double>;

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

/// out = end(collected), where add collects from the rows from `first` on, and begin() is the first
/// value.
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
      store_lanes(as_number<StepLanes>(index == StepLanes(double(row))),
                  r.out + std::size_t(row) * block + i);
  }
}
/// Unsets the mask of points where a step does not give 1 in all coordinates.
template <Step step>
void require_kernel(const Rows& r) {
  for (std::size_t i = 0; i < block; i += width) {
    auto all = load_lanes<StepLanes>(r.mask + i);
    for (int row = 0; row < r.rows; ++row) {
      StepLanes x[4] = {};
      for (int k = 0; k < operands_of(step); ++k) x[k] = load_row(r, k, row, i);
      all = all * stepped<step>(x[0], x[1], x[2], x[3]);
    }
    store_lanes(all, r.mask + i);
  }
}
/// Writes sums of products to a result, and unsets the mask where they are not finite.
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
    store_lanes(StepLanes(mask * as_number<StepLanes>(zero == StepLanes(0.0))), r.mask + i);
  }
}

constexpr StepTable make_step_table() {
  using enum Step;
  StepTable table{};
#define MCT_ENTER(step) table.kernel[int(Step::step)] = &step_kernel<Step::step>;
  MCT_FOR_EACH_NUMBERWISE_STEP(MCT_ENTER)
#undef MCT_ENTER
  table.kernel[int(dot)] = &dot_kernel;
  table.kernel[int(long_dot)] = &long_dot_kernel<true, false>;
  table.kernel[int(long_dot_low)] = &long_dot_kernel<false, true>;
  table.kernel[int(long_dots)] = &long_dot_kernel<true, true>;
  table.kernel[int(gap)] = &gap_kernel;
  table.kernel[int(pivot)] = &pivot_kernel;
  table.kernel[int(require)] = &require_kernel<constant>;  // the mask itself
#define MCT_ENTER(comparison, required) table.kernel[int(required)] = &require_kernel<comparison>;
  MCT_FOR_EACH_REQUIREMENT(MCT_ENTER)
#undef MCT_ENTER
  table.kernel[int(give)] = &give_kernel<1>;
  table.kernel[int(give_two)] = &give_kernel<2>;
  table.kernel[int(give_three)] = &give_kernel<3>;
  table.kernel[int(give_four)] = &give_kernel<4>;
  return table;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
