// The two forms of the published algorithms (as printed, corrected), and their operands.
#pragma once

#include "mctensor/expansion/expansion.hpp"

namespace mct::published {

/// The printed form, which the published Python library computes. It has Alg. 24's split (2^26 + 1
/// for double) and combines results by Simple-Renorm (Alg. 26).
struct AsPrinted {
  static constexpr bool corrected = false;
};

/// The form with the errata applied. It has the right split and combines results by Renormalize
/// (Alg. 6).
struct Corrected {
  static constexpr bool corrected = true;
};

/// K components, decreasing in magnitude unless a function says otherwise.
template <class T, int K>
struct Components {
  T value[K];

  MCT_HD constexpr T& operator[](int i) { return value[i]; }
  MCT_HD constexpr const T& operator[](int i) const { return value[i]; }
};

}  // namespace mct::published
