// The library multifloats (Lee): two doubles in C++ with all functions and products of matrices.
#include <multifloats/float64x2.h>

#include "bench/today/today.hpp"

namespace mct::bench {
namespace {

namespace on = arithmetic;

using multifloats::float64x2;

struct DoubleDouble {
  using Value = float64x2;
  using Operations = on::Operators;
  static Value from(const Expansion<double, 2>& x) { return {x.limb[0], x.limb[1]}; }
  static void read(const Value& x, validation::Real& out) { out.set_exact(x.limbs, 2); }
};

/// With its own products. It renormalizes sums every 8 terms, as its arrays do.
struct Library : on::Values<2, DoubleDouble> {
  static constexpr int terms = 8;
  static void dot(const Vector& x, const Vector& y, Vector& r) {
    matmuldd_vm(&x[0], &y[0], &r[0], std::int64_t(x.size()), 1, terms);
  }
  /// Its matrices lie by columns: the transposed product.
  static void mm(const Vector& a, const Vector& b, Vector& c, std::size_t n) {
    const auto size = std::int64_t(n);
    matmuldd_mm(&b[0], &a[0], &c[0], size, size, size, terms);
  }
};

}  // namespace

void add_multifloats_library(std::vector<Case>& cases) {
  on::enter_all<2, Library>(cases, "multifloats of Lee");
}

}  // namespace mct::bench
