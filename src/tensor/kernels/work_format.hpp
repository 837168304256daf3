// The format in which long sums of products are accumulated, for each component type and count.
//
// Double components accumulate in their own type. Narrower ones use wider hardware arithmetic where
// it holds all their bits: two floats (48 bits) accumulate in one double, three or four floats in
// two doubles, several halfs or bfloat16s in one double; one half or bfloat16 in a float.
#pragma once

#include "mctensor/eft/half.hpp"

namespace mct::tensor_detail {

/// Result of N components of T: accumulated in `levels` values of Scalar; an operand of A
/// components is held in limbs<A> of them, rounded to a relative 2^-53 (one) or 2^-106 (two) where
/// its limbs lie far apart.
template <class T, int N>
struct WorkFormat {
  using Scalar = double;
  static constexpr int levels = 1;
  template <int A>
  static constexpr int limbs = 1;
};
template <int N>
struct WorkFormat<double, N> {
  using Scalar = double;
  static constexpr int levels = N;
  template <int A>
  static constexpr int limbs = A;
};
template <>
struct WorkFormat<float, 1> {
  using Scalar = float;
  static constexpr int levels = 1;
  template <int A>
  static constexpr int limbs = 1;
};
template <>
struct WorkFormat<half, 1> : WorkFormat<float, 1> {};
template <>
struct WorkFormat<bfloat16, 1> : WorkFormat<float, 1> {};
template <>
struct WorkFormat<float, 3> {
  using Scalar = double;
  static constexpr int levels = 2;
  template <int A>
  static constexpr int limbs = A == 1 ? 1 : 2;
};
template <>
struct WorkFormat<float, 4> : WorkFormat<float, 3> {};

}  // namespace mct::tensor_detail
