// The operations of manifolds. All functions with these names are made from one list.
//
// A model (poincare_ball.hpp ...) has a formula once, for a number type W. From it an operation of
// the list becomes a method and a function, ball.dist(x, y) and dist(ball, x, y). Both take
// - points (point.hpp) of any number type, one at a time or in SIMD lanes;
// - tensors of points (tensors.hpp), whose leading dimensions broadcast;
// - variables (autograd.hpp), with derivatives by every operand and by the radius.
//
// A model without the formula (such as antipode in hyperbolic space) does not have the operation.
// To add your own operation, write a type like the types below, with the formula in its function
// `on`. operate<Op>(m, x...) then takes points, tensors and variables (docs/geometry_use.md has an
// example). Names and order of arguments are geoopt's. Formulas, bounds and domains:
// docs/geometry.md and the models' headers.
#pragma once

#include <type_traits>

#include "mctensor/geometry/point.hpp"
#include "mctensor/geometry/tensors/operation.hpp"

namespace mct::geometry {

/// The operations as types, for `operate`.
namespace operation {

#define MCT_DEFINE_OPERATION(op, kinds, gives)                                                   \
  struct op {                                                                                    \
    static constexpr const char* name = #op;                                                     \
    static constexpr const char* operands = #kinds;                                              \
    static constexpr OperationResult result = OperationResult::gives;                            \
    static constexpr TensorOperation number = TensorOperation::op;                               \
    /** Whether F has the formula for these operands, whatever the result will be rounded to. */ \
    template <class F, class... X>                                                               \
    static constexpr bool has = requires(const F& f, const X&... x) {                            \
      f.op(x...);                                                                                \
    };                                                                                           \
    /** The formula of a model for values W; V is what the result will be rounded to. */         \
    template <class V, class F, class... X>                                                      \
    requires(has<F, X...>) MCT_HD MCT_ALWAYS_INLINE                                              \
        static constexpr auto on(const F& f, const X&... x) -> decltype(f.op(x...)) {            \
      return f.op(x...);                                                                         \
    }                                                                                            \
    /* No constraint: clang before version 16 forms the type of the result first, and fails. */  \
    template <class V, class F, class... X, std::enable_if_t<!has<F, X...>, int> = 0>            \
    MCT_HD MCT_ALWAYS_INLINE static constexpr auto on(const F& f, const X&... x)                 \
        -> decltype(f.template op<V>(x...)) {                                                    \
      return f.template op<V>(x...);                                                             \
    }                                                                                            \
  };
MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_DEFINE_OPERATION)
#undef MCT_DEFINE_OPERATION

}  // namespace operation
}  // namespace mct::geometry
