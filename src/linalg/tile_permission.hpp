// The matrix unit of x86 processors (AMX): whether it is there and may be used.
#pragma once

namespace mct::linalg_detail {

/// What its instructions multiply.
enum class TileProducts { bytes, bfloat16 };

/// Whether the instruction set in use reaches them, the processor has them, and the operating
/// system lets this process use the tile registers: they are large, so that Linux saves them only
/// for who has asked, which happens once.
bool may_use_tiles(TileProducts products);

}  // namespace mct::linalg_detail
