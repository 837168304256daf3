// Which instruction set the compiled kernels use.
#pragma once

#include <string>
#include <vector>

namespace mct {

/// The instruction sets that kernels are compiled for, widest last. baseline is what the library
/// itself is compiled for: x86-64 (or x86-64-v2), or arm64 with NEON.
enum class Isa { baseline, avx2, avx512 };

/// "baseline", "avx2", "avx512".
std::string to_string(Isa isa);

/// The instruction sets that this build contains and this processor has, baseline first.
std::vector<Isa> available_isas();

/// The instruction set in use: that of the environment variable MCT_ISA if it is set at the first
/// call, else the widest available. Throws DomainError if MCT_ISA is not the name of an available
/// one.
Isa active_isa();

/// Changes it for the whole process; do not call it while another thread calculates. Throws
/// DomainError if it is not available.
void set_active_isa(Isa isa);

}  // namespace mct
