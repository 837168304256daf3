// What C has beside the usual functions, by MPFR.
#include "validation/core/operations_c.hpp"

namespace mct::validation::oracle {

void rint(mpfr_ptr r, mpfr_srcptr x) { mpfr_rint_roundeven(r, x, MPFR_RNDN); }
void remainder(mpfr_ptr r, const Reals& in) {
  mpfr_remainder(r, in[0].get(), in[1].get(), MPFR_RNDN);
}
void fmin(mpfr_ptr r, const Reals& in) { mpfr_min(r, in[0].get(), in[1].get(), MPFR_RNDN); }
void fmax(mpfr_ptr r, const Reals& in) { mpfr_max(r, in[0].get(), in[1].get(), MPFR_RNDN); }
void fdim(mpfr_ptr r, const Reals& in) { mpfr_dim(r, in[0].get(), in[1].get(), MPFR_RNDN); }

void lerp(mpfr_ptr r, const Reals& in) {
  // exactly: of three numbers the product and both sums
  constexpr mpfr_prec_t bits = 20000;
  Real difference(bits);
  Real product(bits);
  mpfr_sub(difference.get(), in[1].get(), in[0].get(), MPFR_RNDN);
  mpfr_mul(product.get(), difference.get(), in[2].get(), MPFR_RNDN);
  mpfr_add(r, product.get(), in[0].get(), MPFR_RNDN);
}
void lerp_size(mpfr_ptr r, const Reals& in) {
  Real a(64);
  Real b(64);
  mpfr_abs(a.get(), in[0].get(), MPFR_RNDD);
  mpfr_abs(b.get(), in[1].get(), MPFR_RNDD);
  mpfr_add(b.get(), b.get(), a.get(), MPFR_RNDD);
  mpfr_mul(b.get(), b.get(), in[2].get(), MPFR_RNDZ);
  mpfr_abs(b.get(), b.get(), MPFR_RNDD);
  mpfr_add(r, a.get(), b.get(), MPFR_RNDD);
}

}  // namespace mct::validation::oracle
