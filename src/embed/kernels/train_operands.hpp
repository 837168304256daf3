// The kernels of training and their arguments. This header has no code, so it may be included under
// any instruction set.
#pragma once

#include <cstdint>
#include <variant>

#include "mctensor/geometry/model_names.hpp"

namespace mct::embed_detail {

using geometry::PointStorage;

/// Training in float keeps 2 cosh d of a point at the distance d from the origin up to these: in
/// half-spaces, so that products of squares and weights are normal numbers; in tilings, so that a
/// tile's whole numbers fit into a double.
inline constexpr double largest_twice_cosh_in_float = 0x1p62;
inline constexpr double largest_twice_cosh_in_tiles = 0x1p52;

/// Points one after the other, at radius 1, each of `numbers` doubles: for each factor its
/// components' planes of coordinates. Training in float keeps floats in them, and whole numbers of
/// tiles.
template <class P>
struct PointTable {
  P* data;
  int dimensions;  ///< of a factor
  int numbers;     ///< of a point
  int factors;     ///< of a product; its points are one after the other
};

/// Examples: a source, and others of which the first is the target and the rest are negatives.
struct Examples {
  int others;
  const std::int32_t* rows;  ///< [examples][1 + others]; -1: no negative
  double sharpness;          ///< of the softmax of minus the distances (at radius 1)
  const double* shares;      ///< [examples]: in the loss
};

/// The memory for results of training in T, double or float.
template <class T>
struct ExampleResults {
  T* gradients;        ///< [tangents][plane]: of the points in `rows`, in orthonormal frames
  std::int64_t plane;  ///< numbers of a plane, at least those of `rows`
  double* losses;      ///< [examples], without the share
  double* slopes;      ///< [examples]: the derivatives by the sharpness, with the share
};

/// Radam's state of each row: the first moment of its gradients (a tangent vector at its point, in
/// the frame that gradients have), the second one (of their squared lengths, one number), and the
/// shares that gradients have in either. All 0 at the beginning.
struct Moments {
  static constexpr int more = 3;  ///< numbers of a row beside those of a tangent vector

  double* data = nullptr;  ///< [rows][tangents + more]; null: gradient descent
  double beta1 = 0, beta2 = 0, eps = 0;
};

/// Rows that move: in gradient descent row i by the tangent vector rate times vectors[c * plane +
/// i], in Radam by rate times the first moment over the root of the second one and eps, each
/// divided by its share.
template <class T>
struct Steps {
  std::int64_t count;
  const std::int32_t* rows;  ///< all different
  const T* vectors;
  std::int64_t plane;
  double rate;
  double longest;  ///< longer vectors are cut to this length, in each factor
  Moments moments;
};

/// Compiled once per instruction set (train_table.hpp).
template <class T>
struct TrainKernels {
  void (*gradients)(const PointTable<const double>& points, const Examples& examples,
                    std::int64_t begin, std::int64_t end,
                    const ExampleResults<T>& results) = nullptr;
  /// Returns how many rows moved. Other rows would have become infinite or NaN, and stay.
  std::int64_t (*step)(const PointTable<double>& points, const Steps<T>& steps) = nullptr;
};

/// In either type.
using AnyResults = std::variant<ExampleResults<double>, ExampleResults<float>>;
using AnyKernels = std::variant<TrainKernels<double>, TrainKernels<float>>;

}  // namespace mct::embed_detail
