// Points of an embedding as training has them: one after the other, at radius 1.
#pragma once

#include <cstdint>

#include "mctensor/embed/embedding.hpp"

namespace mct::embed {

/// The storage whose kernels train these points.
inline PointStorage trained_as(PointStorage storage) {
  return storage == PointStorage::half_space ? PointStorage::xmc_half_space : storage;
}
/// Coordinates of a tangent vector.
int tangents_of(const EmbeddingSpace& space);
/// Numbers of a point.
int numbers_of(const EmbeddingSpace& space);

/// Points [rows, numbers] near the origin: every coordinate within `init` of the origin's, drawn
/// for the seed.
Tensor<double> initial_points(const EmbeddingSpace& space, std::int64_t rows, double init,
                              std::uint64_t seed);

/// Brings a point of the L-tiling that has left its tile into its new tile. False if the tile's
/// numbers need more components.
bool keep_in_tiles(double* point, int components, int factors);

/// The coordinates of an Embedding of the space, of its radius.
Tensor<double> coordinates_of(const EmbeddingSpace& space, const Tensor<double>& points);

}  // namespace mct::embed
