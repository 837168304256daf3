// Integers in lanes of doubles: what cutting to residues and putting residues together share.
#pragma once

#include "src/linalg/kernels/residue_numbers.hpp"
#include "src/linalg/kernels/residue_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using DoubleLanes = widest_batch<double>;
inline constexpr auto double_lanes = std::int64_t(lanes<DoubleLanes>);

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
