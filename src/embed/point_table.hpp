// Points of an embedding as training has them: one after the other, at radius 1.
#pragma once

#include <cstdint>

#include "mctensor/embed/train.hpp"

namespace mct::embed {

/// The storage whose kernels train these points.
inline PointStorage trained_as(PointStorage storage) {
  return storage == PointStorage::half_space ? PointStorage::xmc_half_space : storage;
}
/// Coordinates of a tangent vector.
int tangents_of(const EmbeddingSpace& space);
/// Numbers of a point.
int numbers_of(const EmbeddingSpace& space);

/// x in the type of a training.
inline double rounded_to(Dtype dtype, double x) { return dtype == Dtype::float32 ? float(x) : x; }

/// Whether a column of a point has whole numbers, which say which tile it lies in.
inline bool is_whole_column(PointStorage storage, std::int64_t column, std::int64_t columns) {
  if (storage == PointStorage::h_tiling) return column < columns / 2;
  return storage == PointStorage::l_tiling && column < 9;
}

/// Points [rows, numbers] near the origin: every coordinate within `init` of the origin's, drawn
/// for the seed.
Tensor<double> initial_points(const TrainOptions& options, std::int64_t rows);

/// Brings a point of the L-tiling that has left its tile into its new tile. False if the tile's
/// numbers need more components.
bool keep_in_tiles(double* point, const TrainOptions& options);

/// The coordinates of an Embedding of the space, of its radius, in components of double.
Tensor<double> coordinates_of(const EmbeddingSpace& space, const Tensor<double>& points,
                              Dtype dtype = Dtype::float64);

}  // namespace mct::embed
