// The gradients of a batch, added row by row.
#pragma once

#include <cstdint>
#include <vector>

namespace mct::embed {

/// The sums of the vectors of those rows that one of several owners has; vectors of a row are added
/// in the order in which they come, so sums do not depend on the number of owners.
class RowSums {
 public:
  RowSums(std::int64_t rows, int coordinates)
      : coordinates_(coordinates), stamp_(std::size_t(rows), 0), slot_(std::size_t(rows)) {}

  /// Adds vectors[c * plane + i] for the rows[i] of `owner` (-1: none).
  void add(const std::int32_t* rows, std::int64_t count, const double* vectors, std::int64_t plane,
           int owner, int owners);

  /// The different rows of the last add, in the order of their first vector.
  const std::vector<std::int32_t>& rows() const { return rows_; }
  /// [coordinates][plane()]
  const double* sums() const { return sums_.data(); }
  std::int64_t plane() const { return plane_; }

 private:
  void find_own(const std::int32_t* rows, std::int64_t count, int owner, int owners);

  int coordinates_;
  std::uint32_t current_ = 0;
  std::vector<std::uint32_t> stamp_;  // of the last add with the row
  std::vector<std::int32_t> slot_;    // the row's place in rows_
  std::vector<std::int32_t> own_;     // places of the owner's rows
  std::vector<std::int32_t> rows_;
  std::vector<double> sums_;
  std::int64_t plane_ = 0;
};

}  // namespace mct::embed
