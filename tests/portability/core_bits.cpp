// Prints a fingerprint of each operation and function of expansions: processors with fma, compilers
// and standard libraries must print the same lines (docs/portability.md). Headers alone.
#include <array>

#include "mctensor/eft/all.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/math/all.hpp"
#include "tests/portability/fingerprint.hpp"

namespace mct::portability {
namespace {

template <class X>
constexpr int trials = X::components < 3 ? 400 : 100;

template <class X, class F>
void unary(const char* operation, const char* type, double scale, const F& f) {
  Numbers numbers;
  Fingerprint print;
  for (int i = 0; i < trials<X>; ++i) print.add(f(numbers.expansion<X>(scale)));
  print.print(operation, type);
}
template <class X, class F>
void binary(const char* operation, const char* type, const F& f) {
  Numbers numbers;
  Fingerprint print;
  for (int i = 0; i < 4 * trials<X>; ++i) {
    const X x = numbers.expansion<X>(1), y = numbers.expansion<X>(1);
    print.add(f(x, y));
  }
  print.print(operation, type);
}

template <class X>
void arithmetic(const char* type) {
  binary<X>("add", type, [](const X& x, const X& y) { return x + y; });
  binary<X>("sub", type, [](const X& x, const X& y) { return x - y; });
  binary<X>("mul", type, [](const X& x, const X& y) { return x * y; });
  binary<X>("div", type, [](const X& x, const X& y) { return x / y; });
  binary<X>("fma", type, [](const X& x, const X& y) { return fma(x, y, x - y); });
  binary<X>("hypot", type, [](const X& x, const X& y) { return hypot(x, y); });
  binary<X>("atan2", type, [](const X& x, const X& y) { return atan2(x, y); });
  binary<X>("pow", type, [](const X& x, const X& y) { return pow(abs(x), y); });
  unary<X>("sqrt", type, 9, [](const X& x) { return sqrt(abs(x)); });
  unary<X>("cbrt", type, 9, [](const X& x) { return cbrt(x); });
}

template <class X>
void functions(const char* type) {
#define MCT_PRINT(name, scale) unary<X>(#name, type, scale, [](const X& x) { return name(x); });
  MCT_PRINT(exp, 20)
  MCT_PRINT(expm1, 20)
  MCT_PRINT(exp2, 20)
  MCT_PRINT(sin, 30)
  MCT_PRINT(cos, 30)
  MCT_PRINT(tan, 30)
  MCT_PRINT(asin, 1)
  MCT_PRINT(acos, 1)
  MCT_PRINT(atan, 9)
  MCT_PRINT(sinh, 9)
  MCT_PRINT(cosh, 9)
  MCT_PRINT(tanh, 9)
  MCT_PRINT(asinh, 9)
  MCT_PRINT(atanh, 1)
  MCT_PRINT(erf, 5)
  MCT_PRINT(erfc, 5)
  MCT_PRINT(sigmoid, 20)
  MCT_PRINT(gelu, 5)
#undef MCT_PRINT
  unary<X>("log", type, 9, [](const X& x) { return log(abs(x)); });
  unary<X>("log1p", type, 9, [](const X& x) { return log1p(abs(x)); });
  unary<X>("log2", type, 9, [](const X& x) { return log2(abs(x)); });
  unary<X>("log10", type, 9, [](const X& x) { return log10(abs(x)); });
  unary<X>("acosh", type, 9, [](const X& x) { return acosh(X(1) + abs(x)); });
  unary<X>("lgamma", type, 9, [](const X& x) { return lgamma(abs(x)); });
}

/// Distances, steps and their inverse of one model, at points up to about 4 from the origin.
template <class V, class M>
void manifold(const char* type) {
  const M model(1);
  Numbers numbers;
  Fingerprint dist, expmap, logmap;
  for (int i = 0; i < 100; ++i) {
    const auto origin = model.origin(3);
    const auto vector = [&](const auto& at) {
      mct::geometry::Point<V> any(origin.size());
      for (int k = 0; k < origin.size(); ++k) any[k] = V(numbers.number(4));
      return model.proju(at, any);
    };
    const auto x = model.expmap(origin, vector(origin)), y = model.expmap(x, vector(x));
    const auto v = model.logmap(x, y);
    dist.add(model.dist(x, y));
    for (int k = 0; k < origin.size(); ++k) {
      expmap.add(y[k]);
      logmap.add(v[k]);
    }
  }
  dist.print("dist", type);
  expmap.print("expmap", type);
  logmap.print("logmap", type);
}

}  // namespace
}  // namespace mct::portability

int main() {
  using namespace mct;
  using namespace mct::portability;
#define MCT_TYPE(X)  \
  arithmetic<X>(#X); \
  functions<X>(#X);
  MCT_TYPE(f64x2)
  MCT_TYPE(f64x3)
  MCT_TYPE(f64x4)
  MCT_TYPE(f32x2)
  MCT_TYPE(f32x3)
  MCT_TYPE(f32x4)
#undef MCT_TYPE
  manifold<double, geometry::PoincareBall<double>>("PoincareBall<double>");
  manifold<f64x2, geometry::PoincareBall<f64x2>>("PoincareBall<f64x2>");
  manifold<f64x2, geometry::Lorentz<f64x2>>("Lorentz<f64x2>");
  manifold<f64x2, geometry::HalfSpace<f64x2>>("HalfSpace<f64x2>");
}
