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

/// The points of a block: point p begins p step numbers behind the first.
struct PointRows {
  const double* begin;
  std::ptrdiff_t step;
};
/// A whole block of the points from `first` on, those behind `count` copies of the last: in place
/// where they are doubles that fill registers, else in `own`.
template <class T>
PointRows rows_of_points(const StepTable& table, const PointReader<T, 1>& points,
                         std::int64_t first, std::size_t count, double* own) {
  const auto n = std::size_t(points.coordinates());
  const std::size_t width = Layout::width(points.coordinates());
  const auto step = points.even_step(first, std::int64_t(count));
  if constexpr (std::is_same_v<T, double>)
    if (step && count == block && n == width) return {points.at(first), std::ptrdiff_t(*step)};
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    if (step) {
      moves_of<T>(table).to_rows(count, n, points.at(first), std::ptrdiff_t(*step), own, width);
      return {own, std::ptrdiff_t(width)};
    }
  }
  for (std::size_t p = 0; p < block; ++p) {
    const T* const begin = points.at(first + std::int64_t(std::min(p, count - 1)));
    double* const row = own + p * width;
    for (std::size_t i = 0; i < n; ++i) row[i] = detail::to_work(points.coordinate(begin, int(i)));
    std::fill(row + n, row + width, 0.0);
  }
  return {own, std::ptrdiff_t(width)};
}

/// A result of a program: rows of Layout::width become points of a contiguous tensor.
template <class T>
struct PointResult {
  Tensor<T, 1> to;
  int coordinates;
  Rounding<T> rounded;

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
  void run_left(std::uint64_t left, const std::array<const double*, 4>& in,
                const std::array<std::ptrdiff_t, 4>& steps,
                const std::array<double*, 4>& out) const {
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
        const double* const point = in[i] + std::ptrdiff_t(p) * steps[i];
        for (int c = 0; c < coordinates[i]; ++c) lanes[i][std::size_t(c) * block + lane] = point[c];
      }
    }
    std::array<double*, 4> to{};
    for (std::size_t i = 0; i < coordinates_out.size(); ++i)
      if (out[i] != nullptr) to[i] = lanes[coordinates.size() + i];
    if (vjp != nullptr) {
      vjp(n, count, radius, from.data(), from[operands], to.data());
    } else {
      kernel(n, count, radius, from.data(), to[0]);
    }
    for (std::size_t i = 0; i < coordinates_out.size(); ++i)
      for (std::size_t lane = 0; out[i] != nullptr && lane < count; ++lane)
        for (int c = 0; c < coordinates_out[i]; ++c)
          out[i][points[lane] * Layout::width(coordinates_out[i]) + std::size_t(c)] =
              to[i][std::size_t(c) * block + lane];
  }
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
  call.for_each_block(cost, of.sets(), [&](std::int64_t first, std::size_t count, LaneRows& rows) {
    std::array<const double*, 4> in{};
    std::array<std::ptrdiff_t, 4> steps{};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto [begin, step] = rows_of_points(table, *inputs[i], first, count, rows[i]);
      in[i] = begin;
      steps[i] = step;
    }
    std::array<double*, 4> out{};
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i]) out[i] = rows[inputs.size() + i];
    const double* const seed = of.vjp != nullptr ? in[of.operands] : nullptr;
    const std::uint64_t left =
        of.program.run(count, of.radius, {in.data(), seed, nullptr, steps.data()}, out.data(),
                       scratch_of_thread(of.program));
    if (left != 0) of.run_left(left, in, steps, out);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i]) results[i]->write(table, first, count, out[i]);
  });
}

}  // namespace mct::geometry::tensor_detail
