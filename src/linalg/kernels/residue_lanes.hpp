// Integers in lanes of doubles: what cutting to residues and putting residues together share.
//
// Every step of both is exact but two: the cut of an element to an integer, and the rounding of a
// result to N limbs. All instruction sets give the same bits, with fma or without.
#pragma once

#include "mctensor/expansion/mul.hpp"
#include "src/linalg/kernels/residue_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using DoubleLanes = widest_batch<double>;
inline constexpr auto double_lanes = std::int64_t(lanes<DoubleLanes>);

inline constexpr double digit_unit = 0x1p36;
static_assert(linalg_detail::digit_bits == 36);

/// x y + z where that is exact, or where the rounding of x y does not matter.
using detail::multiply_add;

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
