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

void check_points(const char* name, const Shape& shape) {
  if (shape.size() != 2 || shape[1] < 2)
    throw ShapeError(std::string(name) + ": points of shape " + to_string(shape) +
                     ", expected [rows, n] with n >= 2");
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

/// Registers that one thread should have at least; all kernels cost about 100 operations a row.
void over_rows(std::int64_t count, int n,
               const std::function<void(std::int64_t, std::int64_t)>& f) {
  constexpr std::int64_t block = 64;  // whole registers of every instruction set
  const std::int64_t blocks = (count + block - 1) / block;
  tensor_detail::parallel_ranges(blocks, tensor_detail::threads_for(double(count) * 40 * n),
                                 [&](std::int64_t begin, std::int64_t end) {
                                   f(begin * block, std::min(end * block, count));
                                 });
}

template <class T, int M>
HalfSpaceRows<const T> rows_from(const Tensor<T, M>& x, const std::int64_t* rows,
                                 std::int64_t begin) {
  if (rows == nullptr) return {x.data() + begin * x.size(1), x.plane_stride(), nullptr};
  return {x.data(), x.plane_stride(), rows + begin};
}

template <class T, int M>
Tensor<T> distances(const Tensor<T, M>& p, const Tensor<T, M>& q, const std::int64_t* a,
                    const std::int64_t* b, std::int64_t count, double radius) {
  auto out = Tensor<T>::uninitialized({count});
  const int n = int(p.size(1));
  over_rows(count, n, [&](std::int64_t begin, std::int64_t end) {
    table<T, M>().dist(n, end - begin, rows_from(p, a, begin), rows_from(q, b, begin),
                       out.data() + begin);
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
  check_points(name, points.shape());
  if (!points.is_contiguous())
    throw ShapeError(std::string(name) + ": the points must be contiguous, strides are " +
                     to_string(points.strides()));
  const int n = int(points.size(1));
  const auto index = checked(name, rows, points.size(0));
  if (vectors.shape() != Shape{index.numel(), points.size(1)})
    throw ShapeError(std::string(name) + ": vectors of shape " + to_string(vectors.shape()) +
                     ", expected " + to_string(Shape{index.numel(), points.size(1)}));
  RowSums<T> sums = summed(index, vectors.contiguous(), n);
  for (std::size_t i = 0; i < sums.rows.size(); ++i)
    to_frame(points.data()[(sums.rows[i] + 1) * n - 1], &sums.vectors[i * std::size_t(n)]);
  RowsOutcome outcome;
  outcome.nonfinite = drop_nonfinite(sums, n);
  outcome.updated = std::int64_t(sums.rows.size());
  over_rows(outcome.updated, n, [&](std::int64_t begin, std::int64_t end) {
    table<T, M>().step(kind == HeightKind::components, n, end - begin,
                       {points.data(), points.plane_stride(), sums.rows.data() + begin},
                       sums.vectors.data() + begin * n);
  });
  return outcome;
}

}  // namespace

template <class T, int M>
Tensor<T> half_space_dist(const Tensor<T, M>& p, const Tensor<T, M>& q, double radius) {
  check_points("half_space_dist", p.shape());
  check_radius("half_space_dist", radius);
  if (p.shape() != q.shape())
    throw ShapeError("half_space_dist: shapes " + to_string(p.shape()) + " and " +
                     to_string(q.shape()) + " differ");
  return distances(p.contiguous(), q.contiguous(), nullptr, nullptr, p.size(0), radius);
}

template <class T, int M>
Tensor<T> half_space_dist(const Tensor<T, M>& points, const Tensor<std::int64_t>& a,
                          const Tensor<std::int64_t>& b, double radius) {
  check_points("half_space_dist", points.shape());
  check_radius("half_space_dist", radius);
  const auto from = checked("half_space_dist", a, points.size(0));
  const auto to = checked("half_space_dist", b, points.size(0));
  if (from.numel() != to.numel())
    throw ShapeError("half_space_dist: " + std::to_string(from.numel()) + " and " +
                     std::to_string(to.numel()) + " indices");
  const auto dense = points.contiguous();
  return distances(dense, dense, from.data(), to.data(), from.numel(), radius);
}

template <class T, int M>
Tensor<T> half_space_direction(const Tensor<T, M>& points, const Tensor<std::int64_t>& a,
                               const Tensor<std::int64_t>& b) {
  check_points("half_space_direction", points.shape());
  const auto from = checked("half_space_direction", a, points.size(0));
  const auto to = checked("half_space_direction", b, points.size(0));
  if (from.numel() != to.numel())
    throw ShapeError("half_space_direction: " + std::to_string(from.numel()) + " and " +
                     std::to_string(to.numel()) + " indices");
  const auto dense = points.contiguous();
  const int n = int(points.size(1));
  auto out = Tensor<T>::uninitialized({from.numel(), points.size(1)});
  over_rows(from.numel(), n, [&](std::int64_t begin, std::int64_t end) {
    table<T, M>().direction(n, end - begin, rows_from(dense, from.data(), begin),
                            rows_from(dense, to.data(), begin), out.data() + begin * n);
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
  const std::int64_t n = points.dim() == 2 ? points.size(1) : 0;
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
