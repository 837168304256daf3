// The gradients of a batch, added row by row.
#pragma once

#include <cstdint>
#include <vector>

namespace mct::embed {

/// Numbers of a plane of at least `count`: no multiple of a page, or the planes' numbers of one
/// place would all want the same lines of the cache.
inline std::int64_t padded_plane(std::int64_t count) { return ((count + 15) / 8 | 1) * 8; }

/// Vectors of rows (-1: of none); number c of the i-th is vectors[c * plane + i].
template <class T>
struct RowVectors {
  const std::int32_t* rows;
  std::int64_t count;
  const T* vectors;
  std::int64_t plane;
};

/// The sums of the vectors of those rows that one of several owners has; vectors of a row are added
/// in the order in which they come, so sums do not depend on the number of owners.
template <class T = double>
class RowSums {
 public:
  RowSums(std::int64_t rows, int coordinates)
      : coordinates_(coordinates), places_(std::size_t(rows)) {}

  /// Adds those of the rows of `owner`.
  void add(const RowVectors<T>& vectors, int owner, int owners);

  /// The different rows of the last add, in the order of their first vector.
  const std::vector<std::int32_t>& rows() const { return rows_; }
  /// [coordinates][plane()]
  const T* sums() const { return sums_.data(); }
  std::int64_t plane() const { return plane_; }

 private:
  /// Where a row's sum is, and the last add that had the row.
  struct Place {
    std::uint32_t add = 0;
    std::int32_t slot = 0;
  };

  void find_own(const std::int32_t* rows, std::int64_t count, int owner, int owners);

  int coordinates_;
  std::uint32_t current_ = 0;
  std::vector<Place> places_;      // of the rows
  std::vector<std::int32_t> own_;  // which of the vectors the owner's rows have
  std::vector<std::int32_t> rows_;
  std::vector<T> sums_;
  std::int64_t plane_ = 0;
};

}  // namespace mct::embed
