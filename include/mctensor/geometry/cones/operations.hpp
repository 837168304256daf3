// The list of operations of cones, like the list of operations of manifolds
// (geometry/operations.hpp).
//
// Error and domain: cones.hpp states them for each operation. A point outside the domain gives NaN.
// Source: cones.hpp.
#pragma once

#include "mctensor/geometry/operate.hpp"

namespace mct::geometry {

/// Calls list(name, operands, result) for every operation; u is the apex, v the other point.
/// cones.hpp explains them.
// clang-format off
#define MCT_FOR_EACH_CONE_OPERATION(list) \
  /* angles at u: of the boundary, and of v; max(0, cone_angle - half_aperture) */ \
  list(half_aperture, p, number) list(cone_angle, pp, number) list(angle_energy, pp, number) \
  /* lengths: to the boundary, negative in the cone; of v's foot toward the light */ \
  list(boundary_distance, pp, number) list(altitude, pp, number) \
  /* (u, v, gamma): from v to the cone, to its apex moved by gamma where that is nearest */ \
  list(cone_distance, ppn, number) \
  /* the point whose penumbral cone u's antumbral cone is */ \
  list(surrogate, p, point)
// clang-format on

namespace operation {

#define MCT_DEFINE_CONE_OPERATION(op, kinds, gives)                                \
  struct op {                                                                      \
    static constexpr const char* name = #op;                                       \
    static constexpr const char* operands = #kinds;                                \
    static constexpr OperationResult result = OperationResult::gives;              \
    /** The formula of a system of cones. */                                       \
    template <class V, class F, class... X>                                        \
    requires requires(const F& f, const X&... x) { f.op(x...); }                   \
    MCT_HD MCT_ALWAYS_INLINE static constexpr auto on(const F& f, const X&... x) { \
      return f.op(x...);                                                           \
    }                                                                              \
  };
MCT_FOR_EACH_CONE_OPERATION(MCT_DEFINE_CONE_OPERATION)
#undef MCT_DEFINE_CONE_OPERATION

/// The name of `contains` in errors.
struct contains {
  static constexpr const char* name = "contains";
  static constexpr const char* operands = "pp";
};

}  // namespace operation

inline namespace MCT_ISA_NAMESPACE {

/// The operations as methods of a system of cones.
template <class Self>
struct ConeOperations {
#define MCT_DEFINE_CONE_METHOD(op, kinds, gives)                                   \
  template <class... X>                                                            \
  MCT_HD MCT_ALWAYS_INLINE constexpr auto op(const X&... x)                        \
      const->decltype(operate<operation::op>(std::declval<const Self&>(), x...)) { \
    return operate<operation::op>(static_cast<const Self&>(*this), x...);          \
  }
  MCT_FOR_EACH_CONE_OPERATION(MCT_DEFINE_CONE_METHOD)
  MCT_DEFINE_CONE_METHOD(projx, p, point)
#undef MCT_DEFINE_CONE_METHOD
};

/// The operations as functions, also of Learnable cones (autograd.hpp), whose radii are variables.
#define MCT_DEFINE_CONE_FUNCTION(op, kinds, gives)                      \
  template <class C, class... X>                                        \
  MCT_HD MCT_ALWAYS_INLINE constexpr auto op(const C& c, const X&... x) \
      ->decltype(operate<operation::op>(c, x...)) {                     \
    return operate<operation::op>(c, x...);                             \
  }
MCT_FOR_EACH_CONE_OPERATION(MCT_DEFINE_CONE_FUNCTION)
#undef MCT_DEFINE_CONE_FUNCTION

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
