#include "mctensor/geometry/storage/halfspace/batch.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "mctensor/base/functions.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/tensors/row_groups.hpp"
#include "src/geometry/kernels/halfspace_table.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::geometry {

namespace {

using geometry_detail::HalfSpaceTable;
using geometry_detail::RowPlanes;
using optim_detail::RowPairs;

template <class T, int M>
const HalfSpaceTable<T>& table() {
  using namespace geometry_detail;
  return MCT_SELECT_KERNELS(half_space_table<T, M>());
}

/// Rows of points in memory, and the kernels for their number of components.
template <class T>
struct PointRows {
  const HalfSpaceTable<T>* kernels;
  T* data;
  std::int64_t plane_stride;
  int components;
  std::int64_t rows;
  int n;

  /// The rows index[begin], ..., or begin, ... without an index.
  template <class P = T>
  RowPlanes<P> from(const std::int64_t* index, std::int64_t begin) const {
    if (index == nullptr) return {data + begin * n, plane_stride, nullptr, components};
    return {data, plane_stride, index + begin, components};
  }
};

/// The points [rows, n], or [components, rows, n], of a contiguous tensor.
template <class T, int M>
PointRows<T> rows_of(const char* name, const Tensor<T, M>& points) {
  const Shape& shape = points.shape();
  const bool planes = M == 1 && shape.size() == 3;
  if ((shape.size() != 2 && !planes) || shape.back() < 2 || (planes && shape[0] < 1))
    throw ShapeError(std::string(name) + ": points of shape " + to_string(shape) +
                     ", expected [rows, n]" + (M == 1 ? " or [components, rows, n]" : "") +
                     " with n >= 2");
  if (planes)
    return {&table<T, 0>(), points.data(), shape[1] * shape[2],
            int(shape[0]),  shape[1],      int(shape[2])};
  return {&table<T, M>(), points.data(), points.plane_stride(), M, shape[0], int(shape[1])};
}

void check_radius(const char* name, double radius) {
  if (!(radius > 0) || !std::isfinite(radius))
    throw DomainError(std::string(name) + ": radius " + number_text(radius) +
                      " is not a positive number");
}

/// Calls f for ranges of rows; all kernels cost about 100 operations a row, and some for each
/// component.
template <class T>
void over_rows(std::int64_t count, const PointRows<T>& points,
               FunctionRef<void(std::int64_t, std::int64_t)> f) {
  constexpr std::int64_t block = 64;  // whole registers of every instruction set
  const std::int64_t blocks = (count + block - 1) / block;
  mct::tensor_detail::parallel_ranges(
      blocks,
      mct::tensor_detail::threads_for(double(count) * points.n * (30 + 10 * points.components)),
      [&](std::int64_t begin, std::int64_t end) {
        f(begin * block, std::min(end * block, count));
      });
}

template <class T>
Tensor<T> distances(const PointRows<T>& p, const PointRows<T>& q, const std::int64_t* a,
                    const std::int64_t* b, std::int64_t count, double radius) {
  auto out = Tensor<T>::uninitialized({count});
  over_rows(count, p, [&](std::int64_t begin, std::int64_t end) {
    p.kernels->dist(p.n, end - begin, p.template from<const T>(a, begin),
                    q.template from<const T>(b, begin), out.data() + begin);
  });
  if (radius != 1)
    for (std::int64_t i = 0; i < count; ++i) out.data()[i] *= T(radius);
  return out;
}

}  // namespace

bool halfspace_rows::has_long_height(const char* function, PointStorage storage) {
  if (storage != PointStorage::xmc_half_space && storage != PointStorage::mc_half_space)
    throw DomainError(std::string(function) +
                      ": points are stored as xmc_half_space or mc_half_space");
  return storage == PointStorage::mc_half_space;
}

template <class T, int M>
Tensor<T> half_space_dist(const Tensor<T, M>& p, const Tensor<T, M>& q, double radius) {
  const auto x = p.contiguous();
  const auto y = q.contiguous();
  const PointRows<T> from = rows_of("half_space_dist", x);
  check_radius("half_space_dist", radius);
  if (p.shape() != q.shape())
    throw ShapeError("half_space_dist: shapes " + to_string(p.shape()) + " and " +
                     to_string(q.shape()) + " differ");
  return distances(from, rows_of("half_space_dist", y), nullptr, nullptr, from.rows, radius);
}

template <class T, int M>
Tensor<T> half_space_dist(const Tensor<T, M>& points, const Tensor<std::int64_t>& a,
                          const Tensor<std::int64_t>& b, double radius) {
  const auto dense = points.contiguous();
  const PointRows<T> all = rows_of("half_space_dist", dense);
  check_radius("half_space_dist", radius);
  const RowPairs pairs("half_space_dist", a, b, all.rows);
  return distances(all, all, pairs.a.data(), pairs.b.data(), pairs.count(), radius);
}

template <class T, int M>
Tensor<T> half_space_direction(const Tensor<T, M>& points, const Tensor<std::int64_t>& a,
                               const Tensor<std::int64_t>& b) {
  const auto dense = points.contiguous();
  const PointRows<T> all = rows_of("half_space_direction", dense);
  const RowPairs pairs("half_space_direction", a, b, all.rows);
  auto out = Tensor<T>::uninitialized({pairs.count(), std::int64_t(all.n)});
  over_rows(pairs.count(), all, [&](std::int64_t begin, std::int64_t end) {
    all.kernels->direction(all.n, end - begin, all.template from<const T>(pairs.a.data(), begin),
                           all.template from<const T>(pairs.b.data(), begin),
                           out.data() + begin * all.n);
  });
  return out;
}

template <class T, int M>
void half_space_expmap_(PointStorage storage, const Tensor<T, M>& points, const Tensor<T>& frame) {
  const char* name = "half_space_expmap_";
  const PointRows<T> to = rows_of(name, points);
  if (!points.is_contiguous())
    throw ShapeError(std::string(name) + ": the points must be contiguous, strides are " +
                     to_string(points.strides()));
  const bool long_height = halfspace_rows::has_long_height(name, storage);
  if (points.dim() == 3 && long_height)
    throw DomainError(std::string(name) +
                      ": heights of several components are those of Tensor<T, M> only");
  if (frame.shape() != Shape{to.rows, std::int64_t(to.n)})
    throw ShapeError(std::string(name) + ": vectors of shape " + to_string(frame.shape()) +
                     ", expected " + to_string(Shape{to.rows, std::int64_t(to.n)}));
  const auto dense = frame.contiguous();
  over_rows(to.rows, to, [&](std::int64_t begin, std::int64_t end) {
    to.kernels->expmap(long_height, to.n, end - begin, to.template from<T>(nullptr, begin),
                       dense.data() + begin * to.n);
  });
}

#define MCT_INSTANTIATE(T, M)                                                               \
  template Tensor<T> half_space_dist(const Tensor<T, M>&, const Tensor<T, M>&, double);     \
  template Tensor<T> half_space_dist(const Tensor<T, M>&, const Tensor<std::int64_t>&,      \
                                     const Tensor<std::int64_t>&, double);                  \
  template Tensor<T> half_space_direction(const Tensor<T, M>&, const Tensor<std::int64_t>&, \
                                          const Tensor<std::int64_t>&);                     \
  template void half_space_expmap_(PointStorage, const Tensor<T, M>&, const Tensor<T>&);
MCT_INSTANTIATE(double, 1)
MCT_INSTANTIATE(double, 2)
MCT_INSTANTIATE(double, 3)
MCT_INSTANTIATE(double, 4)
MCT_INSTANTIATE(float, 1)
MCT_INSTANTIATE(float, 2)
MCT_INSTANTIATE(float, 3)
MCT_INSTANTIATE(float, 4)
#undef MCT_INSTANTIATE

}  // namespace mct::geometry
