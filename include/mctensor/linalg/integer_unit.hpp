// What multiplies integers in matrix products.
#pragma once

#include <string>

namespace mct {

/// The instructions by which products of doubles through integers (MatmulAccuracy) are computed on
/// this processor, with the instruction set in use (active_isa): "AMX-INT8", "AVX512-VNNI",
/// "AVX-VNNI", "PMADDWD (AVX-512)", "PMADDWD (AVX2)", "PMADDWD (SSE2)" or, on others, "plain C++".
/// The bits of the products do not depend on it, their time does.
std::string integer_unit();

}  // namespace mct
