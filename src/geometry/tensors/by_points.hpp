// Blocks of points through a program by points: operands are read where they lie, or copied.
#pragma once

#include <array>
#include <vector>

#include "src/geometry/tensors/call.hpp"

namespace mct::geometry::tensor_detail {

using geometry_detail::Layout;
using geometry_detail::PointMoves;
using geometry_detail::StepTable;

template <class T>
const PointMoves<T>& moves_of(const StepTable& table) {
  if constexpr (std::is_same_v<T, float>) {
    return table.floats;
  } else {
    return table.doubles;
  }
}

/// Numbers that steps read and write where they lie.
template <class T>
Program::Points points_in_place(T* begin, std::ptrdiff_t step, bool streams = false) {
  if constexpr (std::is_same_v<T, float>) {
    return {.floats = begin, .step = step, .streams = streams};
  } else {
    return {.doubles = begin, .step = step, .streams = streams};
  }
}
/// Asks for the points of the next block: they are often on another page of memory, and what the
/// processor fetches by itself ends with a page.
template <class T>
void prefetch(const T* begin, std::size_t numbers) {
  constexpr std::size_t line = geometry_detail::cache_line / sizeof(T);
  for (std::size_t i = 0; i < numbers; i += line) __builtin_prefetch(begin + i, 0, 2);
}
/// A whole block of the points from `first` on, those after `count` copies of the last: in place
/// where they are doubles or, if wished, floats that fill registers, else in `own`.
template <class T>
Program::Points rows_of_points(const StepTable& table, const PointReader<T, 1>& points,
                               std::int64_t first, std::size_t count, bool floats_in_place,
                               double* own) {
  const auto n = std::size_t(points.coordinates());
  const std::size_t width = Layout::width(points.coordinates());
  const Program::Points rows{.doubles = own, .step = std::ptrdiff_t(width)};
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    if (const auto step = points.even_step(first, std::int64_t(count))) {
      const T* const begin = points.at(first);
      if (count == block && n == width && (floats_in_place || std::is_same_v<T, double>)) {
        prefetch(begin + *step * std::ptrdiff_t(block), *step == std::ptrdiff_t(n) ? n * block : 0);
        return points_in_place(const_cast<T*>(begin), std::ptrdiff_t(*step));  // only read
      }
      moves_of<T>(table).to_rows(count, n, begin, std::ptrdiff_t(*step), own, width);
      return rows;
    }
  }
  for (std::size_t p = 0; p < block; ++p) {
    const T* const begin = points.at(first + std::int64_t(std::min(p, count - 1)));
    double* const row = own + p * width;
    for (std::size_t i = 0; i < n; ++i) row[i] = detail::to_work(points.coordinate(begin, int(i)));
    std::fill(row + n, row + width, 0.0);
  }
  return rows;
}

/// A result of a program: rows of Layout::width become points of a contiguous tensor.
template <class T>
struct PointResult {
  Tensor<T, 1> to;
  int coordinates;
  Rounding<T> rounded;

  /// Where a block can be written by steps, coordinates rounded one by one; else null.
  Program::Points in_place(std::int64_t first, std::size_t count) const {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      const bool streams = is_streamed(to, coordinates, 0);
      const bool pays = std::is_same_v<T, double> ? streams : rounded.always_one_by_one();
      if (pays && count == block && coordinates > 1 &&
          std::size_t(coordinates) == Layout::width(coordinates))
        return points_in_place(to.data() + first * coordinates, coordinates, streams);
    }
    return {};
  }
  void write(const StepTable& table, std::int64_t first, std::size_t count,
             const double* rows) const {
    const auto n = std::size_t(coordinates);
    const std::size_t width = Layout::width(coordinates);
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      const bool turns =
          std::is_same_v<T, double> || rounded.one_by_one([&](double largest, double least) {
            return table.are_within(count, n, rows, width, largest, least);
          });
      if (turns)
        return moves_of<T>(table).from_rows(count, n, rows, width, to.data() + first * coordinates,
                                            is_streamed(to, coordinates, 0));
    }
    const PointWriter<T, 1> writer(to, coordinates);
    Point<double> point(coordinates);
    for (std::size_t p = 0; p < count; ++p, rows += width) {
      for (int i = 0; i < coordinates; ++i) point[i] = rows[i];
      const auto result = rounded(point);
      for (int i = 0; i < coordinates; ++i) writer.set(first + std::int64_t(p), i, result[i]);
    }
  }
};

/// A call of a program by points, but for the types of its tensors.
struct PointProgram {
  const Program& program;
  const double* radius;
  int n;
  std::size_t operands;
  /// The kernel or the vjp that computes in lanes the points that the program leaves. One of the
  /// two is set.
  ManifoldKernel kernel;
  geometry_detail::ManifoldVjp vjp;
  /// The numbers of coordinates of the inputs (operands and the gradient of a result), and of the
  /// results (by the radius and operands); 0 where nothing is wanted.
  std::vector<int> coordinates, coordinates_out;

  std::size_t sets() const { return coordinates.size() + coordinates_out.size(); }
  void run_left(std::uint64_t left, const std::array<Program::Points, 4>& in,
                const std::array<Program::Points, 4>& out) const {
    std::array<std::size_t, block> points{};
    std::size_t count = 0;
    for (std::size_t p = 0; p < block; ++p)
      if ((left >> p & 1) != 0) points[count++] = p;
    LaneRows lanes(sets() + 1, n + 1, 1);
    std::array<const double*, 4> from{};
    from.fill(lanes[sets()]);
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      from[i] = lanes[i];
      for (std::size_t lane = 0; lane < (count + widest - 1) / widest * widest; ++lane) {
        const std::size_t p = points[std::min(lane, count - 1)];
        const double* const point = in[i].doubles + std::ptrdiff_t(p) * in[i].step;
        for (int c = 0; c < coordinates[i]; ++c) lanes[i][std::size_t(c) * block + lane] = point[c];
      }
    }
    std::array<double*, 4> to{};
    for (std::size_t i = 0; i < coordinates_out.size(); ++i)
      if (out[i].doubles != nullptr) to[i] = lanes[coordinates.size() + i];
    if (vjp != nullptr) {
      vjp(n, count, radius, from.data(), from[operands], to.data());
    } else {
      kernel(n, count, radius, from.data(), to[0]);
    }
    for (std::size_t i = 0; i < coordinates_out.size(); ++i)
      for (std::size_t lane = 0; to[i] != nullptr && lane < count; ++lane)
        for (int c = 0; c < coordinates_out[i]; ++c)
          out[i].doubles[points[lane] * Layout::width(coordinates_out[i]) + std::size_t(c)] =
              to[i][std::size_t(c) * block + lane];
  }
};

struct BlockMemory : LaneRows {
  using LaneRows::LaneRows;
  bool in_place = true;
};
/// A call on tensors. A kernel or, if there is a gradient, a vjp computes the points that are left.
/// Results are null where they are not wanted.
template <class T>
void run_by_points(const Call<T, 1>& call, const Program& program, ManifoldKernel kernel,
                   geometry_detail::ManifoldVjp vjp, const PointReader<T, 1>* gradient,
                   const std::vector<std::optional<PointResult<T>>>& results) {
  std::vector<const PointReader<T, 1>*> inputs;
  for (const auto& reader : call.readers) inputs.push_back(&reader);
  if (gradient != nullptr) inputs.push_back(gradient);
  PointProgram of{program, call.limbs, call.n, call.readers.size(), kernel, vjp, {}, {}};
  for (const auto* input : inputs) of.coordinates.push_back(input->coordinates());
  for (const auto& result : results) of.coordinates_out.push_back(result ? result->coordinates : 0);
  const StepTable& table = geometry_detail::active_steps();
  const double cost = vjp != nullptr ? 1000 : 100;
  bool may_be_in_place = std::is_same_v<T, float>;
  for (const auto& result : results)
    may_be_in_place = may_be_in_place || (result && result->in_place(0, block).is_in_place());
  // whether the program computes all points; floats may stay where they lie
  const auto run_block = [&](std::int64_t first, std::size_t count, LaneRows& rows, bool in_place) {
    std::array<Program::Points, 4> in, out;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      in[i] = rows_of_points(table, *inputs[i], first, count, in_place, rows[i]);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i]) continue;
      if (in_place && program.writes_whole_points()) out[i] = results[i]->in_place(first, count);
      if (!out[i].is_in_place())
        out[i] = {.doubles = rows[inputs.size() + i],
                  .step = std::ptrdiff_t(Layout::width(results[i]->coordinates))};
    }
    const std::uint64_t left = program.run(count, of.radius, in.data(), of.vjp != nullptr,
                                           out.data(), scratch_of_thread(program));
    if (left != 0) {
      if (in_place) return false;
      of.run_left(left, in, out);
    }
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i] && !out[i].is_in_place())
        results[i]->write(table, first, count, out[i].doubles);
    return left == 0;
  };
  // a block after one that has points left probably has some, too
  const auto work = [&](std::int64_t first, std::size_t count, BlockMemory& own) {
    const bool in_place = own.in_place && may_be_in_place && count == block;
    own.in_place = run_block(first, count, own, in_place);
    if (in_place && !own.in_place) run_block(first, count, own, false);
  };
  call.template for_each_block<BlockMemory>(cost, of.sets(), work);
}

}  // namespace mct::geometry::tensor_detail
