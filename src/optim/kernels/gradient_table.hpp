// The operations on arrays of gradients, and how their compiled kernels are found.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "mctensor/eft/half.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::optim_detail {

/// The bits of a T.
template <class T>
using bits_of =
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

/// The bits of the smallest positive T that is not finite: infinity.
template <class T>
inline constexpr auto infinity_bits = std::bit_cast<bits_of<T>>(FloatTraits<T>::infinity);

/// The kernels of one type.
template <class T>
struct GradientKernels {
  /// The sum of (factor x)^2, in double: 32 sums, each of every 32nd element, added pairwise. The
  /// same bits on every instruction set.
  double (*squares)(const T* x, std::size_t count, double factor);
  /// The number of magnitudes whose bits are at least `limit`; limit > 0.
  std::int64_t (*count_from)(const T* x, std::size_t count, bits_of<T> limit);
  /// x = factor x, rounded to T. Unless T is double the factor is rounded to float, if that holds
  /// it in all digits.
  void (*scale)(T* x, std::size_t count, double factor);
};

MCT_DECLARE_KERNELS(template <class T> GradientKernels<T> gradient_kernels();)

template <class T>
GradientKernels<T> find_gradient_kernels() {
  return MCT_SELECT_KERNELS(gradient_kernels<T>());
}

}  // namespace mct::optim_detail
