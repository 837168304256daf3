// What C has beside the usual functions, by MPFR.
#include "validation/core/operations_c.hpp"
#include "validation/core/operations_c_math.hpp"

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

void exp10(mpfr_ptr r, mpfr_srcptr x) { mpfr_exp10(r, x, MPFR_RNDN); }

void tanpi(mpfr_ptr r, mpfr_srcptr x) {
  // x = n / 2 + f; of odd n it is -cot(pi f)
  Real n(mpfr_get_prec(x) + 8);
  Real f(mpfr_get_prec(x) + 8);
  mpfr_mul_2ui(n.get(), x, 1, MPFR_RNDN);
  mpfr_rint(n.get(), n.get(), MPFR_RNDN);
  mpfr_div_2ui(f.get(), n.get(), 1, MPFR_RNDN);
  mpfr_sub(f.get(), x, f.get(), MPFR_RNDN);
  Real four(8);
  mpfr_set_ui(four.get(), 4, MPFR_RNDN);
  mpfr_fmod(n.get(), n.get(), four.get(), MPFR_RNDN);
  const long quarter = (mpfr_get_si(n.get(), MPFR_RNDN) + 4) % 4;
  if (quarter % 2 == 1 && mpfr_zero_p(f.get())) {
    mpfr_set_inf(r, quarter == 1 ? 1 : -1);
    return;
  }
  Real angle(mpfr_get_prec(r) + 64);
  mpfr_const_pi(angle.get(), MPFR_RNDN);
  mpfr_mul(angle.get(), angle.get(), f.get(), MPFR_RNDN);
  if (quarter % 2 == 0) {
    mpfr_tan(r, angle.get(), MPFR_RNDN);
    return;
  }
  mpfr_cot(r, angle.get(), MPFR_RNDN);
  mpfr_neg(r, r, MPFR_RNDN);
}

void hypot3(mpfr_ptr r, const Reals& in) {
  Real sum(2 * mpfr_get_prec(r) + 64);
  Real square(2 * mpfr_get_prec(r) + 64);
  mpfr_set_zero(sum.get(), 1);
  for (const Real& side : in) {
    mpfr_sqr(square.get(), side.get(), MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), square.get(), MPFR_RNDN);
  }
  mpfr_sqrt(r, sum.get(), MPFR_RNDN);
}

}  // namespace mct::validation::oracle
