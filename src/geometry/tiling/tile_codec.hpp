// The tiles of a compressed embedding.
#pragma once

#include <span>

#include "mctensor/geometry/tiling/codec.hpp"
#include "src/geometry/tiling/bits.hpp"

namespace mct::geometry::codec_detail {

void write_tiles(Writer& writer, std::span<const LTilingPoint<double>> points,
                 TileEncoding encoding, const CodecProgress& progress);

/// Fills in the tiles of as many points as there are. Throws IoError with the number of the point,
/// also for bytes that are left over.
void read_tiles(Reader& reader, std::span<LTilingPoint<double>> points, TileEncoding encoding,
                const CodecProgress& progress);

}  // namespace mct::geometry::codec_detail
