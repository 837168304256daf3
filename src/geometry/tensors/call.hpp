// A call of an operation on tensors: shapes checked, blocks of points brought into lanes and back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/tensors/kernels.hpp"
#include "mctensor/geometry/tensors/points.hpp"
#include "src/geometry/kernels/registry.hpp"
#include "src/geometry/programs/program.hpp"
#include "src/geometry/registry/formula_table.hpp"
#include "src/geometry/tensors/blocks.hpp"

namespace mct::geometry_detail {

/// The kernels of the instruction set in use.
template <int N>
const ManifoldTable& active_table() {
  return MCT_SELECT_KERNELS(manifold_table<N>());
}

}  // namespace mct::geometry_detail

namespace mct::geometry::tensor_detail {

using detail::PointReader;
using detail::PointWriter;
using geometry_detail::block;
using geometry_detail::FormulaTable;
using geometry_detail::ManifoldKernel;
using geometry_detail::ManifoldTable;
using geometry_detail::Program;

/// Lanes of the widest register: rows are filled up to a multiple of it.
constexpr std::size_t widest = 8;
static_assert(block % widest == 0);
/// Memory for one of them that does not straddle cache lines.
struct alignas(64) Line {
  double number[widest];
};

/// Fewest coordinates of a point.
inline int least_coordinates(Model model) {
#define MCT_LIST(model, Class, name) \
  std::remove_cvref_t<decltype(Class<double>().formulas())>::least_coordinates,
  constexpr int all[] = {MCT_FOR_EACH_MODEL(MCT_LIST)};
#undef MCT_LIST
  return all[int(model)];
}

/// Points first ... first + count - 1 as rows of lanes, the lanes after them filled with the last.
/// A coordinate has `limbs` rows, more than a gradient of fewer components has: those are zero.
template <class T, int N>
void gather(const PointReader<T, N>& points, std::int64_t first, std::size_t count, int limbs,
            double* rows) {
  const std::size_t filled = (count + widest - 1) / widest * widest;
  for (std::size_t lane = 0; lane < filled; ++lane) {
    const T* begin = points.at(first + std::int64_t(std::min(lane, count - 1)));
    double* at = rows + lane;
    for (int i = 0; i < points.coordinates(); ++i) {
      const auto value = detail::to_work(points.coordinate(begin, i));
      for (int k = 0; k < limbs; ++k, at += block) {
        if constexpr (N == 1) {
          *at = k == 0 ? value : 0;
        } else {
          *at = k < N ? value.limb[k] : 0;
        }
      }
    }
  }
}

/// Tensors whose limbs are the limbs of rows, or become them one by one: two floats become one
/// double.
template <class T, int N>
constexpr bool is_turned_in_lanes = std::is_same_v<T, double> ||
                                    (std::is_same_v<T, float> && N == 1);
template <class T>
auto to_lanes_of(const ManifoldTable& table) {
  if constexpr (std::is_same_v<T, float>) {
    return table.floats_to_lanes;
  } else {
    return table.to_lanes;
  }
}
template <class T>
auto from_lanes_of(const ManifoldTable& table, bool streams) {
  if constexpr (std::is_same_v<T, float>) {
    return streams ? table.floats_streamed : table.floats_from_lanes;
  } else {
    return streams ? table.streamed : table.from_lanes;
  }
}
/// Results of at least so many bytes are written past the caches, which do not hold them beside
/// the operands: there a line would be read from memory before it is overwritten.
constexpr std::int64_t streamed_bytes = std::int64_t(2) << 20;

/// Whether points of a contiguous tensor are whole lines of such a result.
template <class T, int N>
bool is_streamed(const Tensor<T, N>& out, int coordinates, int limb) {
  using geometry_detail::cache_line;
  const auto begin = reinterpret_cast<std::uintptr_t>(out.data(limb));
  return numel(out.shape()) * std::int64_t(sizeof(T)) >= streamed_bytes &&
         std::size_t(coordinates) * sizeof(T) % cache_line == 0 && begin % cache_line == 0;
}

/// The same by blocks where points of doubles or floats lie evenly in memory.
template <class T, int N>
void gather_evenly(const ManifoldTable& table, const PointReader<T, N>& points, std::int64_t first,
                   std::size_t count, int limbs, double* rows) {
  std::size_t done = 0;
  if constexpr (is_turned_in_lanes<T, N>) {
    const auto step = points.even_step(first, std::int64_t(count));
    if (step && limbs == N) {
      done = count / widest * widest;
      for (int k = 0; done > 0 && k < N; ++k)
        to_lanes_of<T>(table)(done, points.coordinates(),
                              points.at(first) + k * points.plane_stride(), *step,
                              rows + std::size_t(k) * block, std::int64_t(N * block));
    }
  }
  if (done < count) gather(points, first + std::int64_t(done), count - done, limbs, rows + done);
}

/// Converts results to numbers of a tensor: as points of a model, or without change.
template <class V>
struct Rounding {
  Model model = Model::count;
  V radius = V();

  Point<V> operator()(const Point<work_t<V>>& z) const {
    switch (model) {
#define MCT_ROUND(model, Class, name) \
  case Model::model:                  \
    return detail::rounded_point<V>(Class<V>(radius).formulas(), z);
      MCT_FOR_EACH_MODEL(MCT_ROUND)
#undef MCT_ROUND
      default:
        return detail::from_work<V>(z);
    }
  }
  /// Whether all results of a program can be rounded one by one: those on the hyperboloid are
  /// within the range of float.
  bool always_one_by_one() const {
    return model != Model::ball && model != Model::klein && model != Model::stereographic &&
           model != Model::half_space && model != Model::hemisphere;
  }
  /// Whether coordinates of a block can be rounded one by one: points of one limb are then far from
  /// the boundary, and no coordinate is near the ends of the range. are_within: as PointsWithin.
  template <class Within>
  bool one_by_one(const Within& are_within) const {
    if (model == Model::lorentz) return are_within(1e30, -1e30);
    if (always_one_by_one()) return true;
    const bool is_ball = model == Model::ball || model == Model::klein;
    if (model == Model::stereographic) return false;
    if (!is_ball) return are_within(1e30, 1e-30);
    const double largest = radius > 1e-30F ? 0.999 * (double(radius) * double(radius)) : 0;
    return are_within(largest, -largest - 1);
  }
};

/// Writes rows of lanes to points of a contiguous tensor; `rounded` makes their type of the
/// kernels' numbers, which have `limbs` rows: those beyond the tensor's are left out.
template <class T, int N>
void scatter(const ManifoldTable& table, const Tensor<T, N>& out, int coordinates,
             std::int64_t first, std::size_t count, int limbs, const double* rows,
             const Rounding<Value<T, N>>& rounded) {
  using W = work_t<Value<T, N>>;
  std::size_t done = 0;
  bool turns = std::is_same_v<T, double>;
  if constexpr (std::is_same_v<T, float> && N == 1)
    turns = rounded.one_by_one([&](double largest, double least) {
      return table.are_within(count, coordinates, rows, largest, least);
    });
  if constexpr (is_turned_in_lanes<T, N>) {
    done = turns ? count / widest * widest : 0;
    for (int k = 0; done > 0 && k < N; ++k)
      from_lanes_of<T>(table, is_streamed(out, coordinates, k))(
          done, coordinates, rows + std::size_t(k) * block,
          std::int64_t(limbs) * std::int64_t(block), out.data(k) + first * coordinates,
          coordinates);
  }
  const PointWriter<T, N> writer(out, coordinates);
  for (std::size_t lane = done; lane < count; ++lane) {
    const double* at = rows + lane;
    Point<W> point(coordinates);
    for (int i = 0; i < coordinates; ++i, at += std::size_t(limbs) * block) {
      if constexpr (N == 1) {
        point[i] = *at;
      } else {
        for (int k = 0; k < N; ++k) point[i].limb[k] = at[std::size_t(k) * block];
      }
    }
    const auto result = rounded(point);
    for (int i = 0; i < coordinates; ++i) writer.set(first + std::int64_t(lane), i, result[i]);
  }
}

/// Rows of lanes for so many operands and results: apart by no multiple of a page, where a load
/// would wait for a store that it does not need.
class LaneRows {
 public:
  LaneRows(std::size_t count, int coordinates, int limbs)
      : step_(std::size_t(coordinates) * std::size_t(limbs) * block + 3 * widest),
        lines_(count * step_ / widest) {}
  double* operator[](std::size_t i) { return reinterpret_cast<double*>(lines_.data()) + i * step_; }

 private:
  std::size_t step_;
  std::vector<Line> lines_;
};

/// An operation on operands that fit it and each other.
template <class T, int N>
class Call {
 public:
  Call(const CompiledOperation& of, const Value<T, N>& radius,
       const std::vector<Tensor<T, N>>& operands)
      : of_(of), name(described(of.operation).name), kinds(described(of.operation).operands) {
    if (kinds.size() != operands.size())
      throw ShapeError(std::string(name) + ": " + std::to_string(operands.size()) +
                       " operands, expected " + std::to_string(kinds.size()));
    std::vector<Shape> points, all;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Shape& shape = operands[i].shape();
      if (kinds[i] == 'p') points.push_back(shape);
      all.push_back(kinds[i] == 'p' ? leading_shape(name, shape) : shape);
    }
    require_same_coordinates(name, points);
    require_least_coordinates(name, points[0], least_coordinates(of.model));
    leading = broadcast_leading(name, all);
    if (points[0].back() > std::numeric_limits<int>::max())
      throw ShapeError(std::string(name) + ": points of " + std::to_string(points[0].back()) +
                       " coordinates");
    n = int(points[0].back());
    readers.reserve(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i)
      readers.emplace_back(kinds[i] == 'p' ? operands[i] : operands[i].unsqueeze(-1), leading);
    const auto k = detail::to_work(radius);
    if constexpr (N == 1) {
      limbs[0] = k;
    } else {
      std::copy_n(k.limb, N, limbs);
    }
  }
  bool gives_number() const { return described(of_.operation).result == OperationResult::number; }
  int coordinates_out() const {
    if (of_.operation == TensorOperation::count)
      return n + least_coordinates(of_.to) - least_coordinates(of_.model);
    return gives_number() ? 1 : n;
  }
  /// Throws ShapeError unless the gradient of the result has its shape.
  void require_gradient(const Shape& shape) const {
    const Shape result = shape_of(coordinates_out(), gives_number());
    if (shape != result)
      throw ShapeError(std::string(name) + ": a gradient of shape " + to_string(shape) +
                       " for a result of shape " + to_string(result));
  }
  /// The shape of points of so many coordinates, or of numbers.
  Shape shape_of(int coordinates, bool number) const {
    Shape shape(leading);
    if (!number) shape.push_back(coordinates);
    return shape;
  }
  /// The rows of lanes of the points of a block.
  void gather_operands(std::int64_t first, std::size_t count, LaneRows& rows,
                       std::array<const double*, 3>& in) const {
    in.fill(rows[0]);
    for (std::size_t i = 0; i < readers.size(); ++i) {
      gather_evenly(lanes, readers[i], first, count, N, rows[i]);
      in[i] = rows[i];
    }
  }
  /// work(first, count, so many rows of a thread) for each block of points.
  template <class Memory = LaneRows, class Work>
  void for_each_block(double cost, std::size_t sets, const Work& work) const {
    const auto longest = int(geometry_detail::Layout::width(std::max(n, coordinates_out())));
    tensor_detail::for_each_block(
        numel(leading), n * cost * N * N, [&] { return Memory(sets, longest, N); }, work);
  }
  [[noreturn]] void throw_none() const {
    throw DomainError(std::string(name) + ": this model has no such operation");
  }

 private:
  const CompiledOperation of_;

 public:
  const char* const name;
  const std::string_view kinds;
  const ManifoldTable& lanes = geometry_detail::active_table<N>();
  const FormulaTable& formulas = geometry_detail::formulas_of<Value<T, N>>(of_.model);
  std::vector<PointReader<T, N>> readers;
  Shape leading;
  int n;
  double limbs[N];
};

inline unsigned bits_of(const std::vector<bool>& flags) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) bits |= unsigned(flags[i]) << i;
  return bits;
}
/// The memory in which a program runs.
inline double* scratch_of_thread(const Program& program) {
  thread_local std::vector<Line> lines;
  if (lines.size() * widest < program.scratch())
    lines.assign(std::bit_ceil(program.scratch() / widest), {});
  return lines[0].number;
}

}  // namespace mct::geometry::tensor_detail
