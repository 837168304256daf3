// Manifold operations on tensors: check shapes, bring blocks of points into lanes, call the kernel.
#include "mctensor/geometry/tensors/kernels.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "mctensor/geometry/tensors/points.hpp"
#include "src/geometry/kernels/registry.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::geometry_detail {
namespace {

/// The kernels of the instruction set in use.
template <int N>
const ManifoldTable& active_table() {
  return MCT_SELECT_KERNELS(manifold_table<N>());
}

}  // namespace
}  // namespace mct::geometry_detail

namespace mct::geometry::tensor_detail {

namespace {

using detail::PointReader;
using detail::PointWriter;
using geometry_detail::block;
using geometry_detail::ManifoldKernel;
using geometry_detail::ManifoldTable;

/// Lanes of the widest register: rows are filled up to a multiple of it.
constexpr std::size_t widest = 8;
static_assert(block % widest == 0);
/// Memory for one of them that does not straddle cache lines.
struct alignas(64) Line {
  double number[widest];
};

const char* name_of(TensorOperation operation) {
  constexpr const char* names[] = {"dist",    "dist_gradient", "expmap",    "logmap",
                                   "ptransp", "egrad2rgrad",   "mobius_add"};
  return names[int(operation)];
}

/// Points first ... first + count - 1 as rows of lanes, the lanes behind them filled with the
/// last.
template <class T, int N>
void gather(const PointReader<T, N>& points, std::int64_t first, std::size_t count, double* rows) {
  const std::size_t filled = (count + widest - 1) / widest * widest;
  for (std::size_t lane = 0; lane < filled; ++lane) {
    const T* begin = points.at(first + std::int64_t(std::min(lane, count - 1)));
    double* at = rows + lane;
    for (int i = 0; i < points.coordinates(); ++i) {
      const auto value = detail::to_work(points.coordinate(begin, i));
      if constexpr (N == 1) {
        *at = value;
        at += block;
      } else {
        for (int k = 0; k < N; ++k, at += block) *at = value.limb[k];
      }
    }
  }
}

/// The same by blocks where points of doubles lie evenly in memory.
template <class T, int N>
void gather_evenly(const ManifoldTable& table, const PointReader<T, N>& points, std::int64_t first,
                   std::size_t count, double* rows) {
  std::size_t done = 0;
  if constexpr (std::is_same_v<T, double>) {
    if (const auto step = points.even_step(first, std::int64_t(count))) {
      done = count / widest * widest;
      for (int k = 0; done > 0 && k < N; ++k)
        table.to_lanes(done, points.coordinates(), points.at(first) + k * points.plane_stride(),
                       *step, rows + std::size_t(k) * block, std::int64_t(N * block));
    }
  }
  if (done < count) gather(points, first + std::int64_t(done), count - done, rows + done);
}

/// Writes rows of lanes, from lane `begin` on, to points of a contiguous tensor; `rounded` makes
/// their type of the kernels' numbers.
template <class T, int N, class F>
void scatter(const PointWriter<T, N>& out, int coordinates, std::int64_t first, std::size_t begin,
             std::size_t count, const double* rows, const F& rounded) {
  using W = work_t<Value<T, N>>;
  for (std::size_t lane = begin; lane < count; ++lane) {
    const double* at = rows + lane;
    Point<W> point(coordinates);
    for (int i = 0; i < coordinates; ++i) {
      if constexpr (N == 1) {
        point[i] = *at;
        at += block;
      } else {
        for (int k = 0; k < N; ++k, at += block) point[i].limb[k] = *at;
      }
    }
    const auto result = rounded(point);
    for (int i = 0; i < coordinates; ++i) out.set(first + std::int64_t(lane), i, result[i]);
  }
}

/// Points of V from results of a model in double: see rounded_point.
template <class V>
auto rounding(TensorModel model, const V& radius) {
  return [=](const Point<work_t<V>>& z) {
    switch (model) {
      case TensorModel::ball:
        return detail::rounded_point<V>(PoincareBall<V>(radius).formulas(), z);
      case TensorModel::half_space:
        return detail::rounded_point<V>(HalfSpace<V>(radius).formulas(), z);
      default:
        return detail::from_work<V>(z);
    }
  };
}

/// out = kernel of the operands, block by block.
template <class T, int N, class F>
void run_kernel(const ManifoldTable& table, ManifoldKernel kernel, const Value<T, N>& radius,
                const std::vector<PointReader<T, N>>& operands, const Tensor<T, N>& out,
                int coordinates_out, const F& rounded) {
  double limbs[N];
  const auto k = detail::to_work(radius);
  if constexpr (N == 1) {
    limbs[0] = k;
  } else {
    for (int i = 0; i < N; ++i) limbs[i] = k.limb[i];
  }
  const int n = operands[0].coordinates();
  const PointWriter<T, N> writer(out, coordinates_out);
  const std::int64_t points = out.numel() / coordinates_out;
  const std::int64_t blocks = (points + std::int64_t(block) - 1) / std::int64_t(block);
  const int threads = mct::tensor_detail::threads_for(double(points) * n * 100 * N * N);
  mct::tensor_detail::parallel_ranges(blocks, threads, [&](std::int64_t begin, std::int64_t end) {
    // rows of the operands, then those of the result; apart by no multiple of a page, where a load
    // would wait for a store that it does not need
    const std::size_t rows = std::size_t(std::max(n, coordinates_out) * N) * block + 3 * widest;
    std::vector<Line> lines((operands.size() + 1) * rows / widest);
    auto* const buffer = reinterpret_cast<double*>(lines.data());
    double* const result = buffer + operands.size() * rows;
    std::array<const double*, 3> pointers{};
    for (std::size_t i = 0; i < pointers.size(); ++i)
      pointers[i] = buffer + (i < operands.size() ? i * rows : 0);
    for (std::int64_t b = begin; b < end; ++b) {
      const std::int64_t first = b * std::int64_t(block);
      const auto count = std::size_t(std::min(std::int64_t(block), points - first));
      for (std::size_t i = 0; i < operands.size(); ++i)
        gather_evenly(table, operands[i], first, count, buffer + i * rows);
      kernel(n, count, limbs, pointers.data(), result);
      std::size_t done = 0;
      if constexpr (std::is_same_v<T, double>) {
        done = count / widest * widest;
        for (int limb = 0; done > 0 && limb < N; ++limb)
          table.from_lanes(done, coordinates_out, result + std::size_t(limb) * block,
                           std::int64_t(N * block), out.data(limb) + first * coordinates_out,
                           coordinates_out);
      }
      if (done < count) scatter(writer, coordinates_out, first, done, count, result, rounded);
    }
  });
}

/// Fewest coordinates of a point.
int least_coordinates(TensorModel model) { return model == TensorModel::lorentz ? 2 : 1; }

}  // namespace

template <class T, int N>
Tensor<T, N> run(TensorModel model, TensorOperation operation, const Value<T, N>& radius,
                 const std::vector<const Tensor<T, N>*>& operands) {
  const char* name = name_of(operation);
  std::vector<Shape> shapes, leading;
  for (const Tensor<T, N>* x : operands) {
    shapes.push_back(x->shape());
    leading.push_back(leading_shape(name, x->shape()));
  }
  require_same_coordinates(name, shapes);
  require_least_coordinates(name, shapes[0], least_coordinates(model));
  Shape shape = broadcast_leading(name, leading);
  std::vector<PointReader<T, N>> readers;
  readers.reserve(operands.size());
  for (const Tensor<T, N>* x : operands) readers.emplace_back(*x, shape);
  const bool scalar = operation == TensorOperation::dist;
  const int n = readers[0].coordinates();
  if (!scalar) shape.push_back(n);
  auto out = Tensor<T, N>::uninitialized(shape);
  const ManifoldTable& table = geometry_detail::active_table<N>();
  const bool is_point =
      operation == TensorOperation::expmap || operation == TensorOperation::mobius_add;
  run_kernel(table, table.operation[int(model)][int(operation)], radius, readers, out,
             scalar ? 1 : n,
             rounding<Value<T, N>>(is_point ? model : TensorModel::lorentz, radius));
  return out;
}

template <class T, int N>
Tensor<T, N> run_convert(TensorModel from, TensorModel to, const Value<T, N>& radius,
                         const Tensor<T, N>& x) {
  Shape shape = leading_shape("convert", x.shape());
  require_least_coordinates("convert", x.shape(), least_coordinates(from));
  const std::vector<PointReader<T, N>> operands{{x, shape}};
  const int result = operands[0].coordinates() + least_coordinates(to) - least_coordinates(from);
  shape.push_back(result);
  auto out = Tensor<T, N>::uninitialized(shape);
  const ManifoldTable& table = geometry_detail::active_table<N>();
  run_kernel(table, table.convert[int(from)][int(to)], radius, operands, out, result,
             rounding<Value<T, N>>(to, radius));
  return out;
}

#define MCT_INSTANTIATE(T, N)                                                     \
  template Tensor<T, N> run(TensorModel, TensorOperation, const Value<T, N>&,     \
                            const std::vector<const Tensor<T, N>*>&);             \
  template Tensor<T, N> run_convert(TensorModel, TensorModel, const Value<T, N>&, \
                                    const Tensor<T, N>&);
MCT_FOR_EACH_POINT_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::geometry::tensor_detail
