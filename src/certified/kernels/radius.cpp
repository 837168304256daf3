// The loops over the radii of tensors, compiled once per instruction set.
#include "mctensor/certified/functions.hpp"
#include "src/certified/radius_table.hpp"
#include "src/tensor/kernels/map_lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {
namespace {

using namespace certified_detail;
using tensor_detail::RadiusErrors;

using V = widest_batch<double>;

template <class T>
Ball<V> ball(const V& lead, const V& radius) {
  return {lead, checked_radius(lead, radius), component_of<T>()};
}

/// The radius of a result with what those of its operands have become.
V radius_of(const V& lead, const V& carried, const RadiusErrors& errors) {
  return radius_of_result(lead, carried, {errors.relative, errors.absolute});
}

template <class T, class Carried>
void unary_loop(std::size_t n, double* const* out, const T* const* x, const double* const* r,
                const T* const* result, const RadiusErrors& errors) {
  const auto radius = [&](const V& lead, const V& own, const V& value) {
    const Ball<V> operand = ball<T>(lead, own);
    return radius_of(value, blend_zero(operand.radius, Carried::of(operand, value, errors)),
                     errors);
  };
  map_lanes(n, out[0], radius, x[0], r[0], result[0]);
}

template <class T, class Carried>
void binary_loop(std::size_t n, double* const* out, const T* const* x, const double* const* r,
                 const T* const* y, const double* const* s, const T* const* result,
                 const RadiusErrors& errors) {
  const auto radius = [&](const V& lead, const V& own, const V& other_lead, const V& other,
                          const V& value) {
    const Ball<V> a = ball<T>(lead, own), b = ball<T>(other_lead, other);
    const V carried = Carried::of(a, b, value);
    return radius_of(value, blend_zero(V(a.radius + b.radius), carried), errors);
  };
  map_lanes(n, out[0], radius, x[0], r[0], y[0], s[0], result[0]);
}

#define MCT_CARRIED_BY_FUNCTION(name, ...)                               \
  struct carried_by_##name {                                             \
    static V of(const Ball<V>& x, const V& value, const RadiusErrors&) { \
      return spread::name(x, value);                                     \
    }                                                                    \
  };
MCT_FOR_EACH_SPREAD(MCT_CARRIED_BY_FUNCTION)
#undef MCT_CARRIED_BY_FUNCTION
struct carried_by_log1p {
  static V of(const Ball<V>& shifted, const V&, const RadiusErrors& errors) {
    return spread::log1p(shifted, {errors.of_sum, 0});
  }
};
struct carried_by_sqrt {
  static V of(const Ball<V>& x, const V&, const RadiusErrors&) { return carried_by_root(x); }
};
#define MCT_CARRIED_BY_TWO(name, formula)                                              \
  struct carried_by_##name {                                                           \
    static V of(const Ball<V>& x, const Ball<V>& y, [[maybe_unused]] const V& value) { \
      return formula;                                                                  \
    }                                                                                  \
  };
MCT_CARRIED_BY_TWO(add, carried_by_sum(x, y))
MCT_CARRIED_BY_TWO(sub, carried_by_sum(x, y))
MCT_CARRIED_BY_TWO(mul, carried_by_product(x, y))
MCT_CARRIED_BY_TWO(div, carried_by_quotient(x, y, value))
MCT_CARRIED_BY_TWO(pow, spread::pow(x, y, value))
MCT_CARRIED_BY_TWO(hypot, spread::hypot(x, y))
#undef MCT_CARRIED_BY_TWO

template <class T>
void lowest_loop(std::size_t n, double* const* out, const T* const* x, const double* const* r) {
  const auto low = [](const V& lead, const V& radius) {
    return lowest_known(ball<T>(lead, radius));
  };
  map_lanes(n, out[0], low, x[0], r[0]);
}

// The stated bounds of this instruction set.

template <class T>
RadiusErrors errors_of(int components, double bound, double eta) {
  const AlgorithmError own = algorithm_error(component_of<T>(), components, bound, eta);
  return {own.relative, own.absolute};
}
template <class T>
RadiusErrors errors_of_function(int components) {
  return errors_of<T>(components, function_bound, double(1 << components));  // function_eta
}
template <class T>
RadiusErrors unary_errors(Unary op, int components) {
  const ErrorBounds& bounds = detail::bounds_of_length[components];
  if (op == Unary::sqrt) return errors_of<T>(components, bounds.sqrt, bounds.div_eta);
  RadiusErrors errors = errors_of_function<T>(components);
  if (op == Unary::log1p)
    errors.of_sum = algorithm_error(component_of<T>(), components, bounds.add, 0).relative;
  return errors;
}
template <class T>
RadiusErrors binary_errors(Binary op, int components) {
  const ErrorBounds& bounds = detail::bounds_of_length[components];
  switch (op) {
    case Binary::add:
    case Binary::sub:
      return errors_of<T>(components, bounds.add, 0);
    case Binary::mul:
      return errors_of<T>(components, bounds.mul, bounds.mul_eta);
    case Binary::div:
      return errors_of<T>(components, bounds.div, bounds.div_eta);
    default:
      return errors_of_function<T>(components);
  }
}

template <class T>
constexpr tensor_detail::RadiusTable<T> make_table() {
  tensor_detail::RadiusTable<T> table{};
#define MCT_ENTER(name, ...) table.unary[int(Unary::name)] = &unary_loop<T, carried_by_##name>;
  MCT_FOR_EACH_SPREAD(MCT_ENTER)
  MCT_ENTER(log1p)
  MCT_ENTER(sqrt)
#undef MCT_ENTER
#define MCT_ENTER(name) table.binary[int(Binary::name)] = &binary_loop<T, carried_by_##name>;
  MCT_ENTER(add)
  MCT_ENTER(sub)
  MCT_ENTER(mul)
  MCT_ENTER(div)
  MCT_ENTER(pow)
  MCT_ENTER(hypot)
#undef MCT_ENTER
  table.lowest = &lowest_loop<T>;
  table.unary_errors = &unary_errors<T>;
  table.binary_errors = &binary_errors<T>;
  return table;
}

}  // namespace
}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct::tensor_detail::MCT_KERNELS {

#define MCT_DEFINE_RADII(T)                                           \
  template <>                                                         \
  const RadiusTable<T>& radius_table<T>() {                           \
    static constexpr RadiusTable<T> table = kernels::make_table<T>(); \
    return table;                                                     \
  }
MCT_DEFINE_RADII(double)
MCT_DEFINE_RADII(float)

}  // namespace mct::tensor_detail::MCT_KERNELS
