// The operands on which implementations are compared.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "validation/core/cases.hpp"
#include "validation/core/operations_convert.hpp"
#include "validation/core/recording_task.hpp"
#include "validation/peers/function.hpp"
#include "validation/peers/jobs.hpp"

namespace mct::validation {

/// A stream of operand pairs with contiguous limbs, so that a format of N p bits holds nearly the
/// same values. Every implementation of one function of one type gets the same stream.
template <class T, int N>
class PeerInputs {
  using X = Expansion<T, N>;

 public:
  PeerInputs(std::uint64_t seed, const std::string& name, const InputPlan& plan)
      : random_(seed, hash64("peers " + type_name<T, N>() + ' ' + name)),
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
  Random random_;
  CaseMaker<T, N> maker_;
  InputPlan plan_;
  std::uint64_t count_ = 0;
};

}  // namespace mct::validation
