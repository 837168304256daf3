// Boost.Multiprecision's cpp_double_fp_backend: two doubles. In a library of its own, because the
// suite's peer is of the Boost that is installed.
#include <boost/multiprecision/cpp_double_fp.hpp>

#include "bench/today/today.hpp"

namespace mct::bench {
namespace {

namespace on = arithmetic;

struct DoubleDouble {
  using Backend = boost::multiprecision::cpp_double_fp_backend<double>;
  using Value = boost::multiprecision::number<Backend, boost::multiprecision::et_off>;
  using Operations = on::Operators;
  static Value from(const Expansion<double, 2>& x) { return Value(Backend(x.limb[0], x.limb[1])); }
  static void read(const Value& x, validation::Real& out) {
    const double limbs[2] = {x.backend().crep().first, x.backend().crep().second};
    out.set_exact(limbs, 2);
  }
};

}  // namespace

void add_boost_double_fp(std::vector<Case>& cases) {
  on::enter_all<2, on::Values<2, DoubleDouble>>(cases, "Boost cpp_double_double");
}

}  // namespace mct::bench
