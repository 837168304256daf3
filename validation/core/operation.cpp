// The parts that the entry and the check of every operation share, for any type.
#include "validation/core/operation.hpp"

#include <fmt/format.h>

namespace mct::validation {

std::string bound_in_words(double bound, int n, const std::string& of, double eta) {
  std::string text = fmt::format("{:g} u^{} |{}|", bound, n, of);
  if (eta > 0) text += fmt::format(" + {:g} eta", eta);
  return text;
}

mpfr_srcptr ask_oracle(const OperationFacts& operation, Workspace& w, mpfr_prec_t exponent_range,
                       mpfr_prec_t oracle_bits) {
  mpfr_prec_t exact_bits = exponent_range + 64;
  for (std::size_t i = 0; i < std::size_t(operation.arity); ++i)
    exact_bits += mpfr_get_prec(w.in[i].get());
  mpfr_set_prec(w.exact.get(), operation.promise.bound == 0 ? exact_bits : oracle_bits);
  mpfr_clear_inexflag();
  if (operation.unary_oracle != nullptr) {
    operation.unary_oracle(w.exact.get(), w.in[0].get());
  } else {
    operation.oracle(w.exact.get(), w.in);
  }
  w.rounded = mpfr_inexflag_p() != 0;
  if (operation.reference == nullptr) return w.exact.get();
  mpfr_set_prec(w.reference.get(), 64);
  operation.reference(w.reference.get(), w.in);
  return w.reference.get();
}

bool must_be_exact(const OperationFacts& operation, const Workspace& w, long lowest_exponent) {
  if (operation.exact_bits == 0 || w.rounded || mpfr_regular_p(w.exact.get()) == 0) return false;
  const mpfr_prec_t bits = mpfr_min_prec(w.exact.get());
  return bits <= operation.exact_bits && mpfr_get_exp(w.exact.get()) - bits >= lowest_exponent;
}

}  // namespace mct::validation
