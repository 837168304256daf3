// The instructions that multiply integers in matrix products.
#pragma once

#include <string>

namespace mct {

/// The instructions that compute products of doubles through integers (MatmulAccuracy) on this
/// processor, with the instruction set in use (active_isa): "AMX-INT8", "AVX512-VNNI", "AVX-VNNI",
/// "PMADDWD (AVX-512)", "PMADDWD (AVX2)", "PMADDWD (SSE2)" or "plain C++". The time of products
/// depends on them; the bits do not.
std::string integer_unit();

}  // namespace mct
