// The instruction set that the compiled kernels use.
#pragma once

#include <string>
#include <vector>

namespace mct {

/// The instruction sets for which kernels are compiled, widest last. `baseline` is the instruction
/// set of the library itself: x86-64 (or x86-64-v2), or arm64 with NEON.
enum class Isa { baseline, avx2, avx512 };

/// "baseline", "avx2", "avx512".
std::string to_string(Isa isa);

/// The instruction sets that this build contains and this processor has, baseline first.
std::vector<Isa> available_isas();

/// The instruction set in use. If the environment variable MCT_ISA is set at the first call, it
/// names the instruction set. Otherwise the widest available one is used. Throws DomainError if
/// MCT_ISA is not the name of an available instruction set.
Isa active_isa();

/// Changes the instruction set for the whole process. Do not call this function while another
/// thread calculates. Throws DomainError if the instruction set is not available.
void set_active_isa(Isa isa);

}  // namespace mct
