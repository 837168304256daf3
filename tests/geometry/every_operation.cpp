// Every operation of the table of docs/geometry.md, on every model that it names, for points of the
// number type MCT_VALUE: of a fixed number of coordinates, of one known at run time and, where
// MCT_LARGE is set, for tensors and variables; with MCT_LANES the type is that of SIMD lanes, of
// which the sphere and the stereographic model have no functions. Nothing runs: it must compile.
#include <vector>

#include "mctensor/geometry/all.hpp"
#ifdef MCT_LANES
#include "src/tensor/kernels/lanes.hpp"
#endif

namespace mct::geometry {
namespace {

using V = MCT_VALUE;
namespace op = operation;

constexpr bool is_scalar = is_component_v<detail::limb_t<V>>;

template <template <class> class M>
constexpr int extra = 0;
template <>
constexpr int extra<Lorentz> = 1;
template <>
constexpr int extra<Hemisphere> = 1;
template <>
constexpr int extra<Sphere> = 1;

/// The rows of the table that name some models.
template <template <class> class M, class... Ops>
constexpr bool has = (detail::has_operation<Ops, M<V>>() && ...);
template <template <class> class M>
constexpr bool has_common =
    has<M, op::dist, op::dist2, op::dist0, op::inner, op::norm, op::component_inner, op::expmap,
        op::expmap0, op::retr, op::logmap, op::logmap0, op::ptransp, op::ptransp0, op::ptransp0back,
        op::geodesic, op::geodesic_unit, op::projx, op::proju, op::egrad2rgrad>;
template <template <class> class M>
constexpr bool has_hyperbolic =
    has_common<M>&& has<M, op::dist2plane, op::busemann, op::normal_log_prob>;

static_assert(has_hyperbolic<PoincareBall> && has_hyperbolic<HalfSpace> &&
              has_hyperbolic<Lorentz> && has_hyperbolic<Klein> && has_hyperbolic<Hemisphere> &&
              has_hyperbolic<Euclidean>);
static_assert(has<PoincareBall, op::dist_gradient, op::lambda_x, op::horosphere_projection,
                  op::mobius_add, op::mobius_sub, op::mobius_coadd, op::mobius_cosub,
                  op::mobius_scalar_mul, op::mobius_pointwise_mul, op::gyration>);
static_assert(has<HalfSpace, op::dist_gradient, op::lambda_x> &&
              has<Hemisphere, op::dist_gradient, op::lambda_x> &&
              has<Euclidean, op::dist_gradient, op::lambda_x> && has<Lorentz, op::dist_gradient>);
#ifndef MCT_LANES
static_assert(has_common<Sphere> && has<Sphere, op::dist2plane, op::antipode>);
static_assert(has_common<Stereographic> && has<Stereographic, op::dist_gradient, op::lambda_x>);
#endif

template <class Op, class M, class X, class Number>
void call(const M& m, const X& x, const Number& number) {
  constexpr std::string_view kinds = Op::operands;
  if constexpr (kinds == "p") static_cast<void>(operate<Op>(m, x));
  if constexpr (kinds == "pp") static_cast<void>(operate<Op>(m, x, x));
  if constexpr (kinds == "ppp") static_cast<void>(operate<Op>(m, x, x, x));
  if constexpr (kinds == "npp") static_cast<void>(operate<Op>(m, number, x, x));
  if constexpr (kinds == "ppn") static_cast<void>(operate<Op>(m, x, x, number));
  if constexpr (kinds == "np") static_cast<void>(operate<Op>(m, number, x));
}
/// The list, on points, tensors or variables.
template <class M, class X, class Number>
void listed(const M& m, const X& x, const Number& number) {
#define MCT_CALL(name, kinds, gives) \
  if constexpr (detail::has_operation<op::name, M>()) call<op::name>(m, x, number);
  MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_CALL)
#undef MCT_CALL
}
template <template <class> class M, class X>
void converted(const M<V>& m, const X& x) {
  if constexpr (requires { convert<Lorentz>(m, x); }) {
    static_cast<void>(convert<PoincareBall>(m, x));
    static_cast<void>(convert<HalfSpace>(m, x));
    static_cast<void>(convert<Lorentz>(m, x));
    static_cast<void>(convert<Klein>(m, x));
    static_cast<void>(convert<Hemisphere>(m, x));
  }
}
/// And what is not in it.
template <template <class> class M, class X>
void others(const M<V>& m, const X& x) {
  static_cast<void>(expmap_transp(m, x, x, x));
  static_cast<void>(retr_transp(m, x, x, x));
  static_cast<void>(m.origin(x.size()));
  converted(m, x);
  if constexpr (is_scalar) {
    static_cast<void>(m.check_point(x));
    static_cast<void>(m.check_vector(x, x));
    static_cast<void>(m.random_normal(x.size(), 1, 0, 0.5));
    static_cast<void>(m.random_uniform(x.size(), 1, 0, 0.5));
    const std::vector<X> points{x};
    const std::vector<V> weights{V(1)};
    static_cast<void>(weighted_midpoint(m, points, weights));
    const X mean = frechet_mean(m, points, weights);
    static_cast<void>(frechet_mean_gradients(m, points, weights, mean, mean));
  }
}
template <template <class> class M>
void every(const M<V>& m, const Point<V, 2 + extra<M>>& x, const Point<V>& y, const V& number) {
  listed(m, x, number);
  listed(m, y, number);
  others(m, x);
  others(m, y);
}
#ifdef MCT_LARGE
template <template <class> class M>
void large(const M<V>& m) {
  using T = typename tensor_of<V>::Component;
  constexpr int N = tensor_of<V>::components;
  const Tensor<T, N> x({4, 3}), numbers({4});
  listed(m, x, numbers);
  converted(m, x);
  static_cast<void>(weighted_midpoint(m, x, numbers));
  static_cast<void>(frechet_mean(m, x, numbers));
  const Variable<T, N> variable(x, true), factors(numbers, true);
  listed(m, variable, factors);
  static_cast<void>(weighted_midpoint(m, variable, factors));
  static_cast<void>(frechet_mean(m, variable, factors));
}
#else
template <template <class> class M>
void large(const M<V>&) {}
#endif

}  // namespace

template <template <class> class M>
void all_of(const M<V>& m, const Point<V, 2 + extra<M>>& x, const Point<V>& y, const V& number) {
  every<M>(m, x, y, number);
  large<M>(m);
}
#define MCT_ALL_OF(M) \
  template void all_of<M>(const M<V>&, const Point<V, 2 + extra<M>>&, const Point<V>&, const V&);
MCT_ALL_OF(PoincareBall)
MCT_ALL_OF(HalfSpace)
MCT_ALL_OF(Lorentz)
MCT_ALL_OF(Klein)
MCT_ALL_OF(Hemisphere)
MCT_ALL_OF(Euclidean)
#ifndef MCT_LANES
MCT_ALL_OF(Sphere)
MCT_ALL_OF(Stereographic)
#endif

}  // namespace mct::geometry
