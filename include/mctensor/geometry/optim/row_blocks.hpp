// Blocks of rows: the operations of an optimizer on many rows at once.
//
// A block is a copy of some rows, one after the other: points as Rows::Points, tangent vectors as
// Rows::VectorTensor. This file has, in this order:
// - copying rows from memory into a block and back (take_..., put_...),
// - finding bad rows (are_finite, each_is_point),
// - sums of vectors (sum, scaled),
// - RowByRow, which has the operations of a manifold for blocks. HalfSpaceRows and TilingRows take
//   these operations from RowByRow or from their own kernels, ManifoldRows from the operations on
//   tensors.
//
// The result for a row that is not a point, or has no finite vector, is undefined; `are_points` and
// `are_finite` find such rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "mctensor/geometry/optim/row_vectors.hpp"
#include "mctensor/geometry/tensors/row_groups.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry::optim_detail {

/// Roughly the least number of simple operations that a row takes.
inline constexpr double row_cost = 4000;

/// A factor for every row of a block, or one factor for all rows.
class RowFactors {
 public:
  RowFactors(double all) : all_(all) {}
  RowFactors(std::vector<double> each) : each_(std::move(each)) {}
  double operator[](std::size_t row) const { return each_.empty() ? all_ : each_[row]; }

 private:
  double all_ = 0;
  std::vector<double> each_;
};

/// Row numbers, distinct and increasing, as in RowGroups.
using RowNumbers = std::span<const std::int64_t>;
/// A flag for every row. Not vector<bool>, because threads write the elements separately.
using RowFlags = std::vector<char>;

/// True if the rows are consecutive.
inline bool is_run(RowNumbers rows) {
  return rows.empty() || rows.back() - rows.front() + 1 == std::int64_t(rows.size());
}
/// take_plane copies rows of `columns` columns into a block; put_plane copies good rows back.
template <class T>
void take_plane(RowNumbers rows, std::int64_t columns, const T* from, T* to) {
  if (is_run(rows)) {
    if (!rows.empty())
      std::copy_n(from + rows[0] * columns, std::int64_t(rows.size()) * columns, to);
    return;
  }
  for (const std::int64_t row : rows) {
    const T* first = from + row * columns;
    for (std::int64_t c = 0; c < columns; ++c) *to++ = first[c];
  }
}
template <class T>
void put_plane(RowNumbers rows, std::int64_t columns, const T* from, T* to, const RowFlags& good) {
  const bool all = std::find(good.begin(), good.end(), 0) == good.end();
  if (all && !rows.empty() && is_run(rows)) {
    std::copy_n(from, std::int64_t(rows.size()) * columns, to + rows[0] * columns);
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (good[i])
      for (std::int64_t c = 0; c < columns; ++c)
        to[rows[i] * columns + c] = from[std::int64_t(i) * columns + c];
}

/// Rows of a tensor [rows, n].
template <class T, int N>
Tensor<T, N> take_rows(const Tensor<T, N>& all, RowNumbers rows) {
  const std::int64_t n = all.size(1);
  auto block = Tensor<T, N>::uninitialized({std::int64_t(rows.size()), n});
  for (int k = 0; k < N; ++k) take_plane(rows, n, all.data(k), block.data(k));
  return block;
}
template <class T, int N>
void put_rows(const Tensor<T, N>& all, RowNumbers rows, const Tensor<T, N>& block,
              const RowFlags& good) {
  for (int k = 0; k < N; ++k) put_plane(rows, all.size(1), block.data(k), all.data(k), good);
}
/// Points of a space. They lie in planes of memory; points of tilings are one object each.
template <class Rows>
typename Rows::Points take_points(const Rows& space, const typename Rows::Points& all,
                                  RowNumbers rows) {
  if constexpr (requires { space.plane_of(all, 0); }) {
    const std::int64_t n = space.columns_of(all);
    auto block = space.uninitialized(std::int64_t(rows.size()), n);
    for (int k = 0; k < Rows::components; ++k)
      take_plane(rows, n, space.plane_of(all, k), space.plane_of(block, k));
    return block;
  } else {
    std::vector<typename Rows::RowPoint> block;
    block.reserve(rows.size());
    for (const std::int64_t row : rows) block.push_back(all[row]);
    return typename Rows::Points(std::move(block));
  }
}
template <class Rows>
void put_points(const Rows& space, const typename Rows::Points& all, RowNumbers rows,
                const typename Rows::Points& block, const RowFlags& good) {
  if constexpr (requires { space.plane_of(all, 0); }) {
    for (int k = 0; k < Rows::components; ++k)
      put_plane(rows, space.columns_of(all), space.plane_of(block, k), space.plane_of(all, k),
                good);
  } else {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (good[i]) all[rows[i]] = block[std::int64_t(i)];
  }
}

/// True if no element is an infinity or NaN. Both have an exponent field of ones only, so adding
/// one to it carries. This test of bits needs no order, so it runs in SIMD lanes.
template <class T>
bool all_finite(const T* x, std::int64_t count) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
  constexpr auto ones = std::bit_cast<Bits>(T(FloatTraits<T>::infinity));
  constexpr auto one = Bits(ones & (0 - ones));
  constexpr auto carry = Bits(ones + one);
  Bits all = 0;
  for (std::int64_t i = 0; i < count; ++i)
    all = Bits(all | ((std::bit_cast<Bits>(x[i]) & ones) + one));
  return (all & carry) == 0;
}
template <class T, int N>
RowFlags are_finite(const Tensor<T, N>& vectors) {
  const std::int64_t n = vectors.size(1);
  RowFlags flags(static_cast<std::size_t>(vectors.size(0)), 1);
  const T* at = vectors.data();
  if (all_finite(at, vectors.numel())) return flags;
  for (char& flag : flags) {
    flag = all_finite(at, n);
    at += n;
  }
  return flags;
}
/// Flags of the rows that are points, and from which steps can go on.
template <class Rows>
RowFlags each_is_point(const Rows& space, const typename Rows::Points& x) {
  RowFlags flags(static_cast<std::size_t>(space.rows_of(x)));
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const auto point = space.load(x, std::int64_t(i));
    if constexpr (requires { space.may_go_on(point); }) {
      flags[i] = space.may_go_on(point);
    } else {
      flags[i] = space.is_point(point);
    }
  }
  return flags;
}

/// A tensor of of_row(row)(i) for every element i of every row.
template <class T, int N, class F>
Tensor<T, N> each_element(const Tensor<T, N>& like, const F& of_row) {
  const std::int64_t n = like.size(1);
  auto out = Tensor<T, N>::uninitialized(like.shape());
  for (std::int64_t row = 0, i = 0; row < like.size(0); ++row) {
    const auto f = of_row(std::size_t(row));
    for (const std::int64_t end = i + n; i < end; ++i) {
      const Expansion<T, N> c = f(i);
      for (int k = 0; k < N; ++k) out.data(k)[i] = c.limb[k];
    }
  }
  return out;
}
template <class T, int N>
Expansion<T, N> element(const Tensor<T, N>& x, std::int64_t i) {
  Expansion<T, N> r;
  for (int k = 0; k < N; ++k) r.limb[k] = x.data(k)[i];
  return r;
}
/// a u + b v, row by row.
template <class T, int N>
Tensor<T, N> sum(const RowFactors& a, const Tensor<T, N>& u, const RowFactors& b,
                 const Tensor<T, N>& v) {
  using V = Expansion<T, N>;
  return each_element(u, [&](std::size_t row) {
    return [&, first = V(a[row]), second = V(b[row])](std::int64_t i) {
      return V(first * element(u, i) + second * element(v, i));
    };
  });
}
template <class T, int N>
Tensor<T, N> scaled(const RowFactors& a, const Tensor<T, N>& u) {
  using V = Expansion<T, N>;
  return each_element(u, [&](std::size_t row) {
    return [&, factor = V(a[row])](std::int64_t i) { return V(factor * element(u, i)); };
  });
}

/// The base of HalfSpaceRows and TilingRows, whose coordinates have no unit. Rows is the derived
/// class, and Rows::space() is the storage or tiling that has the formulas. RowByRow has, in this
/// order: the operations on one row, the changes of lengths and tangent vectors for a new radius,
/// and the operations on blocks and pairs, row by row.
template <class Rows>
class RowByRow : public RowVectors<Rows> {
 public:
  /// The number of parts with a radius of their own.
  static constexpr std::size_t parts = 1;

  /// The Riemannian gradient, from the partial derivatives by the coordinates.
  template <class P, class T>
  MCT_HD auto egrad2rgrad(const P& x, const T* partial) const {
    return space().egrad2rgrad(x, this->vector_from(partial, own().columns()));
  }
  template <class R = Rows>
  MCT_HD auto dist(const typename R::RowPoint& x, const typename R::RowPoint& y) const {
    return mct::detail::lead(space().dist(x, y));
  }
  /// Stores the partial derivatives of dist by the coordinates of x, as egrad2rgrad takes them.
  template <class P, class T>
  void dist_gradient(const P& x, const P& y, T* partial) const {
    auto g = space().dist_gradient(x, y);
    for (std::size_t i = 0; i < coordinates_in(g); ++i)
      partial[i] = T(mct::detail::lead(coordinate_of(g, i)));
  }
  template <class P, class Vector>
  MCT_HD double squared_norm(const P& x, const Vector& u) const {
    const double length(space().norm(x, u));
    return length * length;
  }
  template <class P, class Vector>
  MCT_HD std::array<double, 1> squared_norms(const P& x, const Vector& u) const {
    return {squared_norm(x, u)};
  }
  template <class R = Rows>
  MCT_HD auto ptransp(const typename R::RowPoint& x, const typename R::RowPoint& y,
                      const typename R::Vector& u) const {
    return space().ptransp(x, y, u);
  }
  template <class R = Rows>
  MCT_HD auto to_origin(const typename R::RowPoint& x) const {
    return space().logmap(x, own().origin());
  }

  /// The factor by which lengths change with the radius.
  std::array<double, 1> length_factors(const Rows& to, Rescaling how) const {
    return {how == Rescaling::keep_distances ? 1 : to.radius() / own().radius()};
  }
  template <class P, class Vector>
  Vector rescaled(const Rows& to, Rescaling how, const P& x, const P& y, const Vector& u) const {
    if (how == Rescaling::rescale_distances) return u;
    const auto origin = own().origin();
    return to.scaled(own().radius() / to.radius(),
                     to.ptransp(origin, y, own().ptransp(x, origin, u)));
  }

  template <class R = Rows>
  auto egrad2rgrad(const typename R::Points& x,
                   const Tensor<typename R::Component>& partial) const {
    return each_vector(x, [&](std::int64_t i) {
      return own().egrad2rgrad(own().load(x, i), partial.data() + i * partial.size(1));
    });
  }
  template <class R = Rows>
  typename R::Points expmap(const typename R::Points& x, const typename R::VectorTensor& u) const {
    const auto y = x.clone();
    for (std::int64_t i = 0; i < own().rows_of(x); ++i) {
      const auto v = own().load_vector(u, i);
      if (own().is_finite(v)) own().store(y, i, own().expmap(own().load(x, i), v));
    }
    return y;
  }
  template <class R = Rows>
  auto ptransp(const typename R::Points& x, const typename R::Points& y,
               const typename R::VectorTensor& u) const {
    return each_vector(x, [&](std::int64_t i) {
      const auto end = own().load(y, i);
      const auto v = own().load_vector(u, i);
      return own().is_point(end) && own().is_finite(v) ? own().ptransp(own().load(x, i), end, v)
                                                       : v;
    });
  }
  template <class R = Rows>
  auto to_origin(const typename R::Points& x) const {
    return each_vector(x, [&](std::int64_t i) {
      const auto p = own().load(x, i);
      return own().is_point(p) ? own().to_origin(p) : own().vector_of(own().columns_of(x));
    });
  }
  template <class R = Rows>
  RowFlags are_points(const typename R::Points& x) const {
    return each_is_point(own(), x);
  }
  /// The distances of pairs, with one component.
  template <class R = Rows>
  auto dist(const typename R::Points& points, const RowPairs& pairs) const {
    const auto out = Tensor<typename R::Component>::uninitialized({pairs.count()});
    for_each_pair(points, pairs, [&](std::int64_t i, const auto& x, const auto& y) {
      out.data()[i] = typename R::Component(own().dist(x, y));
    });
    return out;
  }
  /// The partial derivatives of the distances by the first point of each pair, [pairs, n].
  template <class R = Rows>
  auto dist_gradient(const typename R::Points& points, const RowPairs& pairs) const {
    const std::int64_t n = own().columns_of(points);
    const auto out = Tensor<typename R::Component>::uninitialized({pairs.count(), n});
    for_each_pair(points, pairs, [&](std::int64_t i, const auto& x, const auto& y) {
      own().dist_gradient(x, y, out.data() + i * n);
    });
    return out;
  }

 private:
  MCT_HD const Rows& own() const { return static_cast<const Rows&>(*this); }
  MCT_HD const auto& space() const { return own().space(); }
  /// A tensor of the vectors f(row) for all rows.
  template <class Points, class F>
  auto each_vector(const Points& x, const F& f) const {
    const std::int64_t count = own().rows_of(x);
    auto u = Rows::VectorTensor::uninitialized({count, own().columns_of(x)});
    for (std::int64_t i = 0; i < count; ++i) own().store_vector(u, i, f(i));
    return u;
  }
  /// Calls f(i, points[a[i]], points[b[i]]) for every pair i, on all threads.
  template <class Points, class F>
  void for_each_pair(const Points& points, const RowPairs& pairs, const F& f) const {
    parallel_for(pairs.count(), row_cost * double(pairs.count()),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i)
                     f(i, own().load(points, pairs.a[std::size_t(i)]),
                       own().load(points, pairs.b[std::size_t(i)]));
                 });
  }
};

}  // namespace mct::geometry::optim_detail
