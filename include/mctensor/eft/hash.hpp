// std::hash of half and bfloat16: equal values have equal hashes. In no other header, because
// std::hash of a float costs every file that only calculates a thousand lines.
#pragma once

#include <cstddef>
#include <typeindex>  // the lightest header that defines std::hash

#include "mctensor/eft/half.hpp"

template <int P, int Emax>
struct std::hash<mct::ShortFloat<P, Emax>> {
  std::size_t operator()(mct::ShortFloat<P, Emax> x) const noexcept {
    return std::hash<float>{}(float(x));
  }
};
