// The loops of the manifold kernels: the formulas of geometry/, one point in every SIMD lane.
//
// Nothing here may call a function that other code could have in common with a narrower
// instruction set.
#pragma once

#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/operations.hpp"
#include "src/geometry/kernels/manifold_table.hpp"
#include "src/geometry/kernels/transpose.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using geometry::Model;
using geometry::TensorOperation;
using geometry_detail::ManifoldKernel;
using geometry_detail::ManifoldTable;
namespace formulas = geometry::detail;

using PointLanes = widest_batch<double>;

/// The work type of N limbs in lanes.
template <int N>
using PointValue = geometry::value_of<PointLanes, N>;

/// limb(k) is limb k.
template <int N, class F>
MCT_ALWAYS_INLINE inline PointValue<N> from_limbs(const F& limb) {
  if constexpr (N == 1) {
    return limb(0);
  } else {
    PointValue<N> x;
    for (int k = 0; k < N; ++k) x.limb[k] = limb(k);
    return x;
  }
}
template <int N>
MCT_ALWAYS_INLINE inline void store_coordinate(const PointValue<N>& x, double* rows) {
  if constexpr (N == 1) {
    store_lanes(x, rows);
  } else {
    for (int k = 0; k < N; ++k)
      store_lanes(x.limb[k], rows + std::size_t(k) * geometry_detail::block);
  }
}

/// A point of n coordinates, which is m unless that is dynamic.
template <int N, int m>
MCT_ALWAYS_INLINE inline geometry::Point<PointValue<N>, m> load_point(int n, const double* rows,
                                                                      std::size_t at) {
  return formulas::generate<geometry::Point<PointValue<N>, m>>(
      m == geometry::dynamic ? n : m, [&](int i) {
        return from_limbs<N>([&](int k) {
          return load_lanes<PointLanes>(rows + std::size_t(i * N + k) * geometry_detail::block +
                                        at);
        });
      });
}
/// A point, or a number as one coordinate.
template <int N, class X>
MCT_ALWAYS_INLINE inline void store_result(const X& x, double* rows, std::size_t at) {
  if constexpr (requires {
                  x.size();
                  X::dimension;
                }) {
    for (int i = 0; i < x.size(); ++i)
      store_coordinate<N>(x[i], rows + std::size_t(i * N) * geometry_detail::block + at);
  } else {
    store_coordinate<N>(x, rows + at);
  }
}

template <Model M, class W>
using FormulasOf =
    std::conditional_t<M == Model::ball, formulas::BallFormulas<W>,
                       std::conditional_t<M == Model::half_space, formulas::HalfSpaceFormulas<W>,
                                          formulas::LorentzFormulas<W>>>;
template <Model M, int N>
MCT_ALWAYS_INLINE inline auto make_formulas(const double* radius) {
  FormulasOf<M, PointValue<N>> f;
  f.radius = from_limbs<N>([&](int k) { return PointLanes(radius[k]); });
  return f;
}

/// The operation on points of n coordinates, which is m unless that is dynamic.
template <Model M, class Op, int N, int m>
MCT_ALWAYS_INLINE inline void manifold_loop(int n, std::size_t points, const double* radius,
                                            const double* const* in, double* out) {
  const auto f = make_formulas<M, N>(radius);
  for (std::size_t i = 0; i < points; i += lanes<PointLanes>) {
    const auto x = load_point<N, m>(n, in[0], i);
    const auto y = load_point<N, m>(n, in[1], i);
    if constexpr (Op::number == TensorOperation::ptransp) {
      store_result<N>(f.ptransp(x, y, load_point<N, m>(n, in[2], i)), out, i);
    } else if constexpr (Op::number == TensorOperation::mobius_add) {
      store_result<N>(formulas::mobius_quotient(f.radius, x, f.gap(x), y, f.gap(y)), out, i);
    } else {
      store_result<N>(Op::template on<PointValue<N>>(f, x, y), out, i);
    }
  }
}
template <Model M, class Op, int N, int m>
void manifold_calls(int n, std::size_t points, const double* radius, const double* const* in,
                    double* out) {
  manifold_loop<M, Op, N, m>(n, points, radius, in, out);
}
/// The same as one function, without calls but the rare ones: a third faster, and it takes twice
/// the time to compile.
template <Model M, class Op, int N, int m>
[[gnu::flatten]] void manifold_inlined(int n, std::size_t points, const double* radius,
                                       const double* const* in, double* out) {
  manifold_loop<M, Op, N, m>(n, points, radius, in, out);
}
template <Model M, class Op, int N, int m>
constexpr ManifoldKernel manifold_kernel_of() {
  using enum TensorOperation;
  constexpr TensorOperation number = Op::number;
  constexpr bool pays = N == 1 || (N == 2 && (number == dist || number == dist_gradient ||
                                              number == expmap || number == logmap));
  if constexpr (pays && MCT_KERNELS_INLINED) {
    return &manifold_inlined<M, Op, N, m>;
  } else {
    return &manifold_calls<M, Op, N, m>;
  }
}
/// In plain doubles the common dimensions are compiled apart: a number of coordinates that the
/// compiler knows halves the time.
template <Model M, class Op, int N>
void manifold_kernel(int n, std::size_t points, const double* radius, const double* const* in,
                     double* out) {
  ManifoldKernel loop = manifold_kernel_of<M, Op, N, geometry::dynamic>();
  if constexpr (N == 1) {
    constexpr int more = M == Model::lorentz ? 1 : 0;
    if (n == 2 + more) loop = manifold_kernel_of<M, Op, N, 2 + more>();
    if (n == 3 + more) loop = manifold_kernel_of<M, Op, N, 3 + more>();
    if (n == 4 + more) loop = manifold_kernel_of<M, Op, N, 4 + more>();
    if (n == 8 + more) loop = manifold_kernel_of<M, Op, N, 8 + more>();
  }
  loop(n, points, radius, in, out);
}
template <Model From, Model To, int N>
void convert_kernel(int n, std::size_t points, const double* radius, const double* const* in,
                    double* out) {
  const auto from = make_formulas<From, N>(radius);
  const auto to = make_formulas<To, N>(radius);
  for (std::size_t i = 0; i < points; i += lanes<PointLanes>) {
    const auto X = formulas::to_space(from, load_point<N, geometry::dynamic>(n, in[0], i));
    store_result<N>(formulas::from_space(to, X), out, i);
  }
}

template <int N, Model M, class... Ops>
constexpr void fill_operations(ManifoldTable& table) {
  ((table.operation[int(M)][int(Ops::number)] = &manifold_kernel<M, Ops, N>), ...);
}

inline bool are_within(std::size_t points, int coordinates, const double* rows, double largest,
                       double least) {
  for (std::size_t i = 0; i < points; i += lanes<PointLanes>) {
    PointLanes square(0.0), last(0.0);
    for (int c = 0; c < coordinates; ++c) {
      last = load_lanes<PointLanes>(rows + std::size_t(c) * geometry_detail::block + i);
      square = ::mct::detail::multiply_add(last, last, square);
    }
    const auto inside = square < PointLanes(largest) && last > PointLanes(least);
    if (formulas::somewhere(!inside)) return false;
  }
  return true;
}

template <int N, Model M>
constexpr void fill_model(ManifoldTable& table) {
  using namespace geometry::operation;
  fill_operations<N, M, dist, expmap, logmap, ptransp, egrad2rgrad, dist_gradient>(table);
  if constexpr (M == Model::ball) fill_operations<N, M, mobius_add>(table);
}
template <int N, Model From, Model To>
constexpr void fill_conversion(ManifoldTable& table) {
  table.convert[int(From)][int(To)] = &convert_kernel<From, To, N>;
}

template <int N>
constexpr ManifoldTable make_manifold_table() {
  using enum Model;
  ManifoldTable table{};
  table.to_lanes = &transpose_points<true, double, double>;
  table.from_lanes = &transpose_points<false, double, double>;
  table.floats_to_lanes = &transpose_points<true, float, double>;
  table.floats_from_lanes = &transpose_points<false, double, float>;
  table.streamed = &stream_points<double, double>;
  table.floats_streamed = &stream_points<double, float>;
  table.are_within = &are_within;
  fill_model<N, ball>(table);
  fill_model<N, half_space>(table);
  fill_model<N, lorentz>(table);
  fill_conversion<N, ball, half_space>(table);
  fill_conversion<N, ball, lorentz>(table);
  fill_conversion<N, half_space, ball>(table);
  fill_conversion<N, half_space, lorentz>(table);
  fill_conversion<N, lorentz, ball>(table);
  fill_conversion<N, lorentz, half_space>(table);
  return table;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
