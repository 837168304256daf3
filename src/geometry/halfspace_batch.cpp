#include "mctensor/geometry/halfspace/batch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "mctensor/error.hpp"
#include "src/geometry/kernels/halfspace_table.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::geometry {

namespace {

using geometry_detail::HalfSpaceRows;
using geometry_detail::HalfSpaceTable;

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
  HalfSpaceRows<P> from(const std::int64_t* index, std::int64_t begin) const {
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
    throw DomainError(std::string(name) + ": radius " + std::to_string(radius) +
                      " is not a positive number");
}

/// The indices as contiguous memory, all of them inside.
Tensor<std::int64_t> checked(const char* name, const Tensor<std::int64_t>& index,
                             std::int64_t rows) {
  if (index.dim() != 1)
    throw ShapeError(std::string(name) + ": indices of shape " + to_string(index.shape()) +
                     ", expected one dimension");
  auto dense = index.contiguous();
  for (std::int64_t i = 0; i < dense.numel(); ++i)
    if (dense.data()[i] < 0 || dense.data()[i] >= rows)
      throw ShapeError(std::string(name) + ": index " + std::to_string(dense.data()[i]) +
                       " is not one of " + std::to_string(rows) + " rows");
  return dense;
}

/// Calls f for ranges of rows; all kernels cost about 100 operations a row, and some for each
/// component.
template <class T>
void over_rows(std::int64_t count, const PointRows<T>& points,
               const std::function<void(std::int64_t, std::int64_t)>& f) {
  constexpr std::int64_t block = 64;  // whole registers of every instruction set
  const std::int64_t blocks = (count + block - 1) / block;
  tensor_detail::parallel_ranges(
      blocks, tensor_detail::threads_for(double(count) * points.n * (30 + 10 * points.components)),
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

/// The different rows in increasing order and the sum of the vectors of each, in the order given.
template <class T>
struct RowSums {
  std::vector<std::int64_t> rows;
  std::vector<T> vectors;
};
template <class T>
RowSums<T> summed(const Tensor<std::int64_t>& rows, const Tensor<T>& vectors, int n) {
  std::vector<std::int64_t> order(std::size_t(rows.numel()));
  std::iota(order.begin(), order.end(), 0);
  const std::int64_t* row = rows.data();
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t i, std::int64_t j) { return row[i] < row[j]; });
  RowSums<T> sums;
  for (const std::int64_t i : order) {
    if (sums.rows.empty() || sums.rows.back() != row[i]) {
      sums.rows.push_back(row[i]);
      sums.vectors.resize(sums.vectors.size() + std::size_t(n), T(0));
    }
    T* sum = &sums.vectors[sums.vectors.size() - std::size_t(n)];
    for (int c = 0; c < n; ++c) sum[c] += vectors.data()[i * n + c];
  }
  return sums;
}

/// Leaves out the rows whose vector is not finite; returns how many.
template <class T>
std::int64_t drop_nonfinite(RowSums<T>& sums, int n) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sums.rows.size(); ++i) {
    const T* vector = &sums.vectors[i * std::size_t(n)];
    if (!std::all_of(vector, vector + n, [](T x) { return std::isfinite(x); })) continue;
    sums.rows[kept] = sums.rows[i];
    std::copy(vector, vector + n, &sums.vectors[kept * std::size_t(n)]);
    ++kept;
  }
  const auto dropped = std::int64_t(sums.rows.size() - kept);
  sums.rows.resize(kept);
  return dropped;
}

/// Adds up the vectors of each row, turns them into frame vectors and moves the rows.
template <class T, int M, class ToFrame>
RowsOutcome update_rows(const char* name, HeightKind kind, const Tensor<T, M>& points,
                        const Tensor<std::int64_t>& rows, const Tensor<T>& vectors,
                        const ToFrame& to_frame) {
  const PointRows<T> to = rows_of(name, points);
  if (!points.is_contiguous())
    throw ShapeError(std::string(name) + ": the points must be contiguous, strides are " +
                     to_string(points.strides()));
  if (points.dim() == 3 && kind != HeightKind::plain)
    throw DomainError(std::string(name) +
                      ": heights of several components are those of Tensor<T, M> only");
  const int n = to.n;
  const auto index = checked(name, rows, to.rows);
  if (vectors.shape() != Shape{index.numel(), std::int64_t(n)})
    throw ShapeError(std::string(name) + ": vectors of shape " + to_string(vectors.shape()) +
                     ", expected " + to_string(Shape{index.numel(), std::int64_t(n)}));
  RowSums<T> sums = summed(index, vectors.contiguous(), n);
  for (std::size_t i = 0; i < sums.rows.size(); ++i)
    to_frame(to.data[(sums.rows[i] + 1) * n - 1], &sums.vectors[i * std::size_t(n)]);
  RowsOutcome outcome;
  outcome.nonfinite = drop_nonfinite(sums, n);
  outcome.updated = std::int64_t(sums.rows.size());
  over_rows(outcome.updated, to, [&](std::int64_t begin, std::int64_t end) {
    to.kernels->step(kind == HeightKind::components, n, end - begin,
                     to.from(sums.rows.data(), begin), sums.vectors.data() + begin * n);
  });
  return outcome;
}

}  // namespace

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
  const auto from = checked("half_space_dist", a, all.rows);
  const auto to = checked("half_space_dist", b, all.rows);
  if (from.numel() != to.numel())
    throw ShapeError("half_space_dist: " + std::to_string(from.numel()) + " and " +
                     std::to_string(to.numel()) + " indices");
  return distances(all, all, from.data(), to.data(), from.numel(), radius);
}

template <class T, int M>
Tensor<T> half_space_direction(const Tensor<T, M>& points, const Tensor<std::int64_t>& a,
                               const Tensor<std::int64_t>& b) {
  const auto dense = points.contiguous();
  const PointRows<T> all = rows_of("half_space_direction", dense);
  const auto from = checked("half_space_direction", a, all.rows);
  const auto to = checked("half_space_direction", b, all.rows);
  if (from.numel() != to.numel())
    throw ShapeError("half_space_direction: " + std::to_string(from.numel()) + " and " +
                     std::to_string(to.numel()) + " indices");
  auto out = Tensor<T>::uninitialized({from.numel(), std::int64_t(all.n)});
  over_rows(from.numel(), all, [&](std::int64_t begin, std::int64_t end) {
    all.kernels->direction(all.n, end - begin, all.template from<const T>(from.data(), begin),
                           all.template from<const T>(to.data(), begin),
                           out.data() + begin * all.n);
  });
  return out;
}

template <class T, int M>
RowsOutcome half_space_step_(HeightKind kind, const Tensor<T, M>& points,
                             const Tensor<std::int64_t>& rows, const Tensor<T>& frame) {
  return update_rows("half_space_step_", kind, points, rows, frame, [](T, T*) {});
}

template <class T, int M>
RowsOutcome half_space_rsgd_(HeightKind kind, const Tensor<T, M>& points,
                             const Tensor<std::int64_t>& rows, const Tensor<T>& gradient, double lr,
                             double radius) {
  check_radius("half_space_rsgd_", radius);
  if (!std::isfinite(lr))
    throw DomainError("half_space_rsgd_: lr " + std::to_string(lr) + " is no learning rate");
  const std::int64_t n = points.dim() > 0 ? points.size(-1) : 0;
  const T scale = T(lr / radius / radius);
  return update_rows("half_space_rsgd_", kind, points, rows, gradient, [&](T height, T* vector) {
    for (std::int64_t c = 0; c < n; ++c) vector[c] = -scale * (height * vector[c]);
  });
}

#define MCT_INSTANTIATE(T, M)                                                                  \
  template Tensor<T> half_space_dist(const Tensor<T, M>&, const Tensor<T, M>&, double);        \
  template Tensor<T> half_space_dist(const Tensor<T, M>&, const Tensor<std::int64_t>&,         \
                                     const Tensor<std::int64_t>&, double);                     \
  template Tensor<T> half_space_direction(const Tensor<T, M>&, const Tensor<std::int64_t>&,    \
                                          const Tensor<std::int64_t>&);                        \
  template RowsOutcome half_space_step_(HeightKind, const Tensor<T, M>&,                       \
                                        const Tensor<std::int64_t>&, const Tensor<T>&);        \
  template RowsOutcome half_space_rsgd_(HeightKind, const Tensor<T, M>&,                       \
                                        const Tensor<std::int64_t>&, const Tensor<T>&, double, \
                                        double);
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
