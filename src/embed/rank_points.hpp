// The points of an embedding in the layout of the kernels that compare distances from one point.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/embed/embedding.hpp"
#include "mctensor/tensor/tensor.hpp"
#include "src/embed/kernels/rank_table.hpp"

namespace mct::embed {

/// Points in planes, and values that order them by their distance from a query. Values are those
/// of one query: those of different ones cannot be compared.
class RankPoints {
 public:
  /// Throws DomainError, with the row, for an invalid point and for other than 1 to 4 components.
  explicit RankPoints(const HalfSpacePoints& points);

  std::int64_t size() const { return size_; }
  /// The number of points, rounded up to a multiple of rank_lanes. Values after the points are
  /// NaN.
  std::int64_t padded() const { return planes_.size(1); }
  /// Numbers of one point.
  std::int64_t width() const { return planes_.size(0); }

  void copy_query(std::int32_t node, double* query) const;
  /// The values of the points begin, begin + 1, ..., a multiple of rank_lanes of them.
  void values(const double* query, std::int64_t begin, std::int64_t count, double* out) const;
  /// The values of some points: the same bits as above.
  std::vector<double> values_of(const double* query, const std::vector<std::int32_t>& nodes) const;

 private:
  struct Factor {
    const embed_detail::RankTable* kernels;
    std::int64_t first;  // its first plane
    int n;
  };

  void add_planes(std::int64_t first, const Tensor<double>& points);
  void values_in(const double* planes, std::int64_t stride, const double* query, std::int64_t count,
                 double* out) const;

  std::int64_t size_;
  std::vector<Factor> factors_;
  bool by_distance_;  // else by 2 cosh d - 2
  Tensor<double> planes_;
};

}  // namespace mct::embed
