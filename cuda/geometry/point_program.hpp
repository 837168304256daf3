// A program of steps on points (src/geometry/programs) on a GPU: operations of manifolds and their
// derivatives for points of any dimension.
#pragma once

#include <cmath>
#include <cstdint>

#include "cuda/base/record.hpp"
#include "mctensor/math/plain/trig.hpp"
#include "src/geometry/programs/steps.hpp"

namespace mct::cuda {

/// A step as a device reads it (load_record): 16 bytes at a time.
struct PointStep {
  /// The place of a number or of the rows of a vector. Operands and results lie in rows of memory,
  /// all other values in scratch.
  struct Place {
    std::int32_t base, row;
  };
  std::int32_t step, rows;
  Place out;
  Place in[2 * mct::geometry_detail::most_terms];
  Place low;             ///< of a second result
  std::int32_t vectors;  ///< bit k: operand k has a row for each coordinate
  std::int32_t unused;   ///< fills 16 bytes
};
static_assert(sizeof(PointStep) % 16 == 0);
/// A constant for a row of scratch.
struct PointConstant {
  double value;
  std::int64_t row;
};

/// Rows of points in the memory of a device.
template <class T>
struct PointRows {
  T* data;
  int width;
};

/// Runs the steps for `count` points. A thread has a column of scratch and takes one point after
/// the other.
///
/// Error: the CPU's programs run the same steps in lanes, so the bits are the same.
///
/// Grid: (columns of scratch / threads).
struct PointProgram {
  static constexpr int threads = 128, blocks_per_sm = 1;
  static constexpr int scratch_base =
      mct::geometry_detail::cotangent_operand + 1 + mct::geometry_detail::most_operands;
  static constexpr int result_base = scratch_base + 1;
  static constexpr int results = mct::geometry_detail::most_results;

  const PointStep* steps;
  const PointConstant* constants;
  int step_count, constant_count;
  double radius;
  std::int64_t radius_row;
  PointRows<const double> in[scratch_base];
  PointRows<double> out[results];
  double* scratch;
  /// 1 for points for which the steps do not hold: their results are not valid. Else 0.
  std::uint8_t* left;
  std::int64_t count;

  template <class Team, class Shared>
  MCT_BLOCK void operator()(Team& team, Shared&) const {
    const std::int64_t columns = std::int64_t(team.blocks_x()) * threads;
    const std::int64_t column = std::int64_t(team.block_x()) * threads + team.rank();
    Thread<Team> thread{*this, team, columns, column, 0, 1};
    if (column < count) thread.fill();
    for (thread.point = column; thread.point < count; thread.point += columns) thread.run();
  }

 private:
  template <class Team>
  struct Thread {
    using Step = mct::geometry_detail::Step;

    const PointProgram& of;
    Team& team;
    std::int64_t columns, column, point;
    double mask;

    MCT_BLOCK double load(const double* p) const { return team.template load<1>(p)[0]; }
    MCT_BLOCK double* scratch(std::int64_t row) const {
      return of.scratch + row * columns + column;
    }
    MCT_BLOCK void fill() {
      MCT_ROLL for (int k = 0; k < of.constant_count; ++k) {
        const auto row = team.template load<1>(&of.constants[k].row)[0];
        team.store(scratch(row), Pack<double, 1>{{load(&of.constants[k].value)}});
      }
      team.store(scratch(of.radius_row), Pack<double, 1>{{of.radius}});
    }
    MCT_BLOCK double get(const PointStep& step, int k, int row) const {
      const PointStep::Place place = step.in[k];
      const std::int64_t at = place.row + ((step.vectors >> k & 1) != 0 ? row : 0);
      if (place.base == scratch_base) return load(scratch(at));
      const auto& rows = of.in[place.base];
      return load(rows.data + point * rows.width + at);
    }
    MCT_BLOCK void put(const PointStep::Place& place, int row, double x) const {
      const std::int64_t at = place.row + row;
      double* to = scratch(at);
      if (place.base != scratch_base) {
        const auto& rows = of.out[place.base - result_base];
        to = rows.data + point * rows.width + at;
      }
      team.store(to, Pack<double, 1>{{x}});
    }

    MCT_BLOCK void run() {
      mask = 1;
      MCT_ROLL for (int k = 0; k < of.step_count; ++k) take(load_record(team, of.steps + k));
      // masks are 1 or 0
      team.store(of.left + point, Pack<std::uint8_t, 1>{{std::uint8_t(mask == 1 ? 0 : 1)}});
    }
    MCT_BLOCK void take(const PointStep& step) {
      switch (Step(step.step)) {
        case Step::dot:
          return put(step.out, 0, dot(step));
        case Step::long_dot:
        case Step::long_dot_low:
        case Step::long_dots:
          return long_dots(step);
        case Step::gap:
          return put(step.out, 0, gap(step));
        case Step::pivot:
          return pivot(step);
        case Step::require:
        case Step::require_less:
        case Step::require_less_equal:
        case Step::require_equal:
        case Step::require_between:
          return require(step);
        case Step::give:
        case Step::give_two:
        case Step::give_three:
        case Step::give_four:
          return give(step);
        default:
          MCT_ROLL for (int row = 0; row < step.rows; ++row) {
            double x[4];
            read(step, mct::geometry_detail::operands_of(Step(step.step)), row, x);
            put(step.out, row, number(Step(step.step), x));
          }
      }
    }
    MCT_BLOCK void read(const PointStep& step, int operands, int row, double (&x)[4]) const {
      MCT_UNROLL
      for (int k = 0; k < 4; ++k) x[k] = k < operands ? get(step, k, row) : 0;
    }
    MCT_BLOCK static double number(Step step, const double (&x)[4]) {
      switch (step) {
#define MCT_TAKE(step) \
  case Step::step:     \
    return mct::geometry_detail::stepped<Step::step>(x[0], x[1], x[2], x[3]);
        MCT_FOR_EACH_NUMBERWISE_STEP(MCT_TAKE)
#undef MCT_TAKE
        case Step::angle:
          return std::atan2(x[0], x[1]);
        case Step::sine:
          return mct::detail::plain::sin<2, true>(x[0]);
        case Step::cosine:
          return mct::detail::plain::cos<2, true>(x[0]);
        default:
          return x[0];
      }
    }
    MCT_BLOCK double dot(const PointStep& step) const {
      double sum = 0;
      MCT_ROLL for (int row = 0; row < step.rows; ++row) sum =
          mct::detail::multiply_add(get(step, 0, row), get(step, 1, row), sum);
      return sum;
    }
    MCT_BLOCK void long_dots(const PointStep& step) const {
      mct::geometry::detail::LongSum<double> sum(get(step, 0, 0), get(step, 1, 0));
      MCT_ROLL for (int row = 1; row < step.rows; ++row)
          sum.add(get(step, 0, row), get(step, 1, row));
      const auto [rounded, rest] = two_sum(sum.high, sum.low);
      put(step.out, 0, Step(step.step) == Step::long_dot_low ? rest : rounded);
      if (Step(step.step) == Step::long_dots) put(step.low, 0, rest);
    }
    MCT_BLOCK double gap(const PointStep& step) const {
      mct::geometry::detail::LongGap<double> gap(get(step, 0, 0));
      MCT_ROLL for (int row = 0; row < step.rows; ++row) gap.subtract_square(get(step, 1, row));
      return gap.value();
    }
    MCT_BLOCK void pivot(const PointStep& step) const {
      using mct::detail::magnitude;
      int index = 0;
      double largest = magnitude(get(step, 0, 0));
      MCT_ROLL for (int row = 1; row < step.rows; ++row) {
        const double x = magnitude(get(step, 0, row));
        if (!(x > largest)) continue;
        index = row;
        largest = x;
      }
      MCT_ROLL for (int row = 0; row < step.rows; ++row) put(step.out, row, row == index ? 1 : 0);
    }
    MCT_BLOCK static Step condition(Step step) {
      using enum mct::geometry_detail::Step;
      return step == require_less         ? less
             : step == require_less_equal ? less_equal
             : step == require_equal      ? equal
             : step == require_between    ? between
                                          : constant;  // the operand itself is a mask
    }
    MCT_BLOCK void require(const PointStep& step) {
      const Step by = condition(Step(step.step));
      MCT_ROLL for (int row = 0; row < step.rows; ++row) {
        double x[4];
        read(step, mct::geometry_detail::operands_of(by), row, x);
        mask = mask * number(by, x);
      }
    }
    MCT_BLOCK void give(const PointStep& step) {
      const int terms = step.step - int(Step::give) + 1;
      double zero = 0;
      MCT_ROLL for (int row = 0; row < step.rows; ++row) {
        double sum = get(step, 0, 0) * get(step, 1, row);
        MCT_UNROLL
        for (int t = 1; t < int(mct::geometry_detail::most_terms); ++t)
          if (t < terms)
            sum = mct::detail::multiply_add(get(step, 2 * t, 0), get(step, 2 * t + 1, row), sum);
        zero = mct::detail::multiply_add(sum, 0.0, zero);
        put(step.out, row, sum);
      }
      if (!(zero == 0)) mask = 0;
    }
  };
};

}  // namespace mct::cuda
