// std::hash of half and bfloat16: equal values have equal hashes. This is a header of its own,
// because <functional> takes longer to compile than all of eft and expansion.
#pragma once

#include <cstddef>
#include <functional>

#include "mctensor/eft/half.hpp"

template <int P, int Emax>
struct std::hash<mct::ShortFloat<P, Emax>> {
  std::size_t operator()(mct::ShortFloat<P, Emax> x) const noexcept {
    return std::hash<float>{}(float(x));
  }
};
