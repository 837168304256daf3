// Peers that are value types: QD, __float128, Boost cpp_bin_float.
#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "bench/registry.hpp"
#include "validation/peers/numbers.hpp"
#include "validation/peers/quad.hpp"

namespace mct::bench {
namespace {

/// A peer's number type of the suite as a type to time: a * b + c in its own operators.
template <int N, class Number>
struct Peer {
  using Value = typename Number::Value;
  static Value from(const Expansion<double, N>& x) {
    validation::Real real;
    real.set_exact(x);
    return Number::from(real);
  }
  static void to(const Value& v, double* out, int count) {
    validation::Real real;
    Number::to(v, real);
    const auto x = from_mpfr<Expansion<double, 5>>(real.get());
    std::copy_n(x.limb, std::min(count, 5), out);
  }
  static Value multiply_add(const Value& a, const Value& b, const Value& c) { return a * b + c; }
};

#if MCT_HAVE_QUAD_PEER
/// __float128 needs a value that can be made from a double.
struct QuadNumber : validation::QuadFloat {
  struct Value : validation::QuadFloat::Value {
    Value() : validation::QuadFloat::Value{0} {}
    explicit Value(double x) : validation::QuadFloat::Value{x} {}
    Value(validation::QuadFloat::Value v)  // NOLINT(google-explicit-constructor)
        : validation::QuadFloat::Value(v) {}
  };
};
#endif

}  // namespace

void add_value_peers(std::vector<Case>& cases) {
  using namespace validation;
#if MCT_WITH_QD
  enter_type<double, 2, Peer<2, QdDouble2>>(cases, "f64x2", "QD dd_real", 100);
  enter_type<double, 4, Peer<4, QdDouble4>>(cases, "f64x4", "QD qd_real", 205);
#endif
#if MCT_HAVE_QUAD_PEER
  enter_type<double, 2, Peer<2, QuadNumber>>(cases, "f64x2", "__float128", 106);
#endif
  enter_type<double, 2, Peer<2, BoostFloat<106>>>(cases, "f64x2", "Boost 106", 106);
  enter_type<double, 3, Peer<3, BoostFloat<159>>>(cases, "f64x3", "Boost 159", 159);
  enter_type<double, 4, Peer<4, BoostFloat<212>>>(cases, "f64x4", "Boost 212", 212);
}

}  // namespace mct::bench
