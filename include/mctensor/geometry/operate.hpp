// The operations of manifolds on single points, as methods and functions.
//
// An operation has the error and the domain of the model's formula; docs/geometry.md lists them in
// one table. Outside the domain the result is NaN. Source: the model's header.
#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include "mctensor/geometry/domain.hpp"
#include "mctensor/geometry/operations.hpp"

namespace mct::geometry {

/// True for a single point. This `operate` is for single points and numbers; tensors and variables
/// have other overloads.
template <class X>
inline constexpr bool is_point_v = false;
template <class V, int n>
inline constexpr bool is_point_v<Point<V, n>> = true;

/// A manifold with points Point<Value> and with formulas of this library: a model or a product.
template <class M>
concept FormulaManifold = requires(const M& m) {
  typename M::Value;
  m.formulas();
};

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

template <class V, int n>
MCT_HD MCT_ALWAYS_INLINE constexpr Point<work_t<V>, n> argument(const Point<V, n>& x) {
  return to_work(x);
}
template <class V, class X>
requires(!is_point_v<X>) MCT_HD MCT_ALWAYS_INLINE constexpr work_t<V> argument(const X& number) {
  static_assert(std::is_constructible_v<V, X>,
                "an operand is neither a point nor a number of the manifold's number type");
  return to_work(static_cast<V>(number));
}

template <class M, class X>
MCT_HD MCT_ALWAYS_INLINE constexpr void require_operand(const M& m, const X& x) {
  if constexpr (is_point_v<X>) {
    static_assert(std::is_same_v<typename X::Value, typename M::Value>,
                  "a point and its manifold have different number types");
    m.require(x);
  }
}
template <class Op, class X, class Y>
MCT_HD MCT_ALWAYS_INLINE constexpr void require_same_as(std::size_t k, const X& x, const Y& y) {
  if constexpr (is_point_v<Y>)
    if (Op::operands[k] == 'p') require_same_size(x, y);
}
/// Throws ShapeError unless all operands of the kind p have the same number of coordinates.
template <class Op, std::size_t i = 0, class X, class... More>
MCT_HD MCT_ALWAYS_INLINE constexpr void require_alike(const X& x, const More&... more) {
  if constexpr (Op::operands[i] == 'p') {
    std::size_t k = i;
    (require_same_as<Op>(++k, x, more), ...);
  } else if constexpr (sizeof...(More) > 0) {
    require_alike<Op, i + 1>(more...);
  }
}

/// True if all operands are points or numbers, and the manifold has a formula of the operation for
/// them.
template <class Op, class M, class... X>
concept HasFormula = FormulaManifold<M> &&
                     ((is_point_v<X> || std::is_convertible_v<X, typename M::Value> ||
                       std::is_arithmetic_v<X>)&&...) &&
                     requires(const M& m, const X&... x) {
  Op::template on<typename M::Value>(m.formulas(), argument<typename M::Value>(x)...);
};

/// The formulas of the manifold in which the result of an operation lies: the manifold of the
/// operands, unless the operation has a target.
template <class Op, class F>
MCT_HD MCT_ALWAYS_INLINE constexpr auto target_of(const F& f) {
  if constexpr (requires { Op::target(f); }) {
    return Op::target(f);
  } else {
    return f;
  }
}

/// The number of operands of an operation.
template <class Op>
inline constexpr std::size_t operand_count = std::string_view(Op::operands).size();

/// True if a manifold has a formula for an operation; tensors and variables check this.
template <class Op, class M>
consteval bool has_operation() {
  using V = typename M::Value;
  using P = Point<V>;
  constexpr std::string_view kinds = Op::operands;
  if constexpr (kinds == "p") return HasFormula<Op, M, P>;
  if constexpr (kinds == "pp") return HasFormula<Op, M, P, P>;
  if constexpr (kinds == "ppp") return HasFormula<Op, M, P, P, P>;
  if constexpr (kinds == "qp") return HasFormula<Op, M, P, P>;
  if constexpr (kinds == "ppn") return HasFormula<Op, M, P, P, V>;
  if constexpr (kinds == "npp") return HasFormula<Op, M, V, P, P>;
  if constexpr (kinds == "np") return HasFormula<Op, M, V, P>;
  return false;
}

}  // namespace detail

/// The operation on points and numbers. Throws ShapeError for points of different sizes, and for
/// points with fewer coordinates than the manifold has. Fixed sizes are checked at compile time.
template <class Op, class M, class... X>
requires detail::HasFormula<Op, M, X...> MCT_HD MCT_ALWAYS_INLINE constexpr auto operate(
    const M& m, const X&... x) {
  using V = typename M::Value;
  (detail::require_operand(m, x), ...);
  detail::require_alike<Op>(x...);
  const auto f = m.formulas();
  const auto result = Op::template on<V>(f, detail::argument<V>(x)...);
  if constexpr (Op::result == OperationResult::point) {
    return detail::rounded_point<V>(detail::target_of<Op>(f), result);
  } else {
    return detail::from_work<V>(result);
  }
}

/// Functions that move a point along a geodesic of a manifold Self and transport a vector with the
/// point. They use expmap, retr and ptransp, and take points, tensors and variables.
template <class Self>
struct TransportedMoves {
  /// The end y of the geodesic from x along u, and v transported to y.
  template <class X, class U, class V>
  MCT_HD constexpr auto expmap_transp(const X& x, const U& u, const V& v) const {
    const auto y = self().expmap(x, u);
    return std::pair(y, self().ptransp(x, y, v));
  }
  /// The same with retr instead of expmap.
  template <class X, class U, class V>
  MCT_HD constexpr auto retr_transp(const X& x, const U& u, const V& v) const {
    const auto y = self().retr(x, u);
    return std::pair(y, self().ptransp(x, y, v));
  }

 private:
  MCT_HD constexpr const Self& self() const { return static_cast<const Self&>(*this); }
};
template <class M, class X, class U, class V>
MCT_HD constexpr auto expmap_transp(const M& m, const X& x, const U& u, const V& v) {
  return m.expmap_transp(x, u, v);
}
template <class M, class X, class U, class V>
MCT_HD constexpr auto retr_transp(const M& m, const X& x, const U& u, const V& v) {
  return m.retr_transp(x, u, v);
}

/// The operations as methods of a manifold Self.
template <class Self>
struct Operations : TransportedMoves<Self> {
#define MCT_DEFINE_METHOD(op, kinds, gives)                                        \
  template <class... X>                                                            \
  MCT_HD MCT_ALWAYS_INLINE constexpr auto op(const X&... x)                        \
      const->decltype(operate<operation::op>(std::declval<const Self&>(), x...)) { \
    return operate<operation::op>(static_cast<const Self&>(*this), x...);          \
  }
  MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_DEFINE_METHOD)
#undef MCT_DEFINE_METHOD
};

/// The operations as functions; the first argument is any manifold that has the method.
#define MCT_DEFINE_FUNCTION(op, kinds, gives)                                                   \
  template <class M, class... X>                                                                \
  MCT_HD MCT_ALWAYS_INLINE constexpr auto op(const M& m, const X&... x)->decltype(m.op(x...)) { \
    return m.op(x...);                                                                          \
  }
MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_DEFINE_FUNCTION)
#undef MCT_DEFINE_FUNCTION

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
