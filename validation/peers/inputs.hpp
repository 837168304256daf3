// The operands on which implementations are compared.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "validation/core/cases.hpp"
#include "validation/core/operations_convert.hpp"
#include "validation/peers/function.hpp"
#include "validation/peers/jobs.hpp"

namespace mct::validation {

/// Which operands: leading limbs with exponents of y in [low, high], of x further away by gap.
struct InputPlan {
  int low = -8;
  int high = 8;
  int gap_low = 0;  // |exponent of x - exponent of y|, upwards or downwards
  int gap_high = 3;
  bool cancelling = false;  // every other case: x and y agree in magnitude to 1 ... N p bits
  bool positive = false;    // leading limbs
};

/// The operands that the table of peers uses. Their exponents are small enough that no peer and no
/// intermediate result of the published algorithms overflows or underflows.
inline InputPlan input_plan(Function function) {
  InputPlan plan;
  plan.cancelling = may_cancel(function);
  plan.positive = function == Function::sqrt;
  if (function == Function::exp) plan.high = 2;  // with the gap |x| < 2^6, and e^64 < 2^93
  return plan;
}

/// A stream of operand pairs with contiguous limbs, so that a format of N p bits holds nearly the
/// same values. Every implementation of one function of one type gets the same stream.
template <class T, int N>
class PeerInputs {
  using X = Expansion<T, N>;

 public:
  PeerInputs(std::uint64_t seed, const std::string& name, const InputPlan& plan)
      : random_(seed, stream_of("peers " + type_name<T, N>() + ' ' + name)),
        maker_(random_),
        plan_(plan) {}

  std::pair<X, X> next() {
    const int e = random_.between(plan_.low, plan_.high);
    const int gap = random_.between(plan_.gap_low, plan_.gap_high);
    X x = maker_.dense(e + (random_.one_in(2) ? gap : -gap));
    X y = maker_.dense(e);
    if (plan_.cancelling && count_++ % 2 == 0) {
      y = x + maker_.dense(std::ilogb(x.limb[0]) - random_.between(1, N * FloatTraits<T>::p));
      if (random_.one_in(2)) y = -y;
    }
    if (plan_.positive) {
      x = abs(x);
      y = abs(y);
    }
    return {x, y};
  }

 private:
  static std::uint64_t stream_of(const std::string& text) {
    std::uint64_t h = 14695981039346656037u;  // FNV-1a
    for (const char c : text) h = (h ^ std::uint8_t(c)) * 1099511628211u;
    return h;
  }

  Random random_;
  CaseMaker<T, N> maker_;
  InputPlan plan_;
  std::uint64_t count_ = 0;
};

}  // namespace mct::validation
