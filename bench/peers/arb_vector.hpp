// A vector of Arb's balls.
#pragma once

#include <arb.h>

#include <cmath>
#include <vector>

#include "mctensor/expansion/arithmetic.hpp"

namespace mct::bench {

/// Balls around expansions, exact, or of a radius that is a share of the number.
class ArbVector {
 public:
  template <int N>
  explicit ArbVector(const std::vector<Expansion<double, N>>& v, double relative_radius = 0)
      : size_(slong(v.size())), values_(_arb_vec_init(size_)) {
    arb_t term;
    arb_init(term);
    for (slong i = 0; i < size_; ++i) {
      const Expansion<double, N>& x = v[std::size_t(i)];
      for (int k = 0; k < N; ++k) {
        arb_set_d(term, x.limb[k]);
        arb_add(values_ + i, values_ + i, term, ARF_PREC_EXACT);
      }
      mag_set_d(arb_radref(values_ + i), std::fabs(x.limb[0]) * relative_radius);
    }
    arb_clear(term);
  }
  ~ArbVector() { _arb_vec_clear(values_, size_); }
  ArbVector(const ArbVector&) = delete;
  ArbVector& operator=(const ArbVector&) = delete;
  arb_ptr operator[](std::size_t i) { return values_ + i; }
  std::size_t size() const { return std::size_t(size_); }

 private:
  slong size_;
  arb_ptr values_;
};

}  // namespace mct::bench
