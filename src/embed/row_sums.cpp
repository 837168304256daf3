#include "src/embed/row_sums.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace mct::embed {
namespace {

/// Rows belong to owners in blocks, so that no two owners write to one cache line.
constexpr int block_bits = 6;
/// Which owner a row has. Blocks are dealt out by the golden ratio: as evenly as in turn, and
/// without the division.
int owner_of(std::int32_t row, int owners) {
  const std::uint32_t share = std::uint32_t(row >> block_bits) * 0x9E3779B9u;
  return int(std::uint64_t(share) * std::uint64_t(owners) >> 32);
}

/// Memory is asked for so many rows before they are needed.
constexpr std::size_t fetched_ahead = 12;

/// `first` or `second`, without a branch, which a compiler makes of a conditional expression with a
/// load.
template <class Int>
Int choose(bool is_first, Int first, Int second) {
  const Int all = -Int(is_first);
  return (first & all) | (second & ~all);
}
/// What a vector is added to: the sum so far, or -0 for the first vector.
template <class T>
T before(T sum, bool is_first) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  return std::bit_cast<T>(choose(is_first, std::bit_cast<Bits>(T(-0.0)), std::bit_cast<Bits>(sum)));
}

}  // namespace

template <class T>
void RowSums<T>::find_own(const std::int32_t* rows, std::int64_t count, int owner, int owners) {
  own_.resize(std::size_t(count) + 1);
  std::size_t found = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    // written in any case, so that nothing has to be guessed
    own_[found] = std::int32_t(i);
    const std::int32_t row = rows[i];
    found += row >= 0 && owner_of(row, owners) == owner;
  }
  own_.resize(found);
}

template <class T>
void RowSums<T>::add(const RowVectors<T>& vectors, int owner, int owners) {
  const std::int32_t* rows = vectors.rows;
  if (++current_ == 0) {  // all numbers have been used
    std::fill(places_.begin(), places_.end(), Place());
    current_ = 1;
  }
  find_own(rows, vectors.count, owner, owners);
  plane_ = padded_plane(std::int64_t(own_.size()));
  const auto numbers = std::size_t(plane_ * coordinates_);
  if (sums_.size() < numbers) sums_.resize(numbers);
  // Whether a row has come before can hardly be guessed, so nothing branches on it: its number is
  // written in any case, and the first sum begins with -0, to which every number is added exactly,
  // -0 too.
  rows_.resize(own_.size() + 1);
  std::size_t found = 0;
  for (std::size_t k = 0; k < own_.size(); ++k) {
    if (k + fetched_ahead < own_.size())
      __builtin_prefetch(&places_[std::size_t(rows[own_[k + fetched_ahead]])]);
    const std::int32_t i = own_[k];
    Place& place = places_[std::size_t(rows[i])];
    const bool fresh = place.add != current_;
    place = {current_, choose(fresh, std::int32_t(found), place.slot)};
    rows_[found] = rows[i];
    found += fresh;
    T* sum = sums_.data() + place.slot;
    const T* from = vectors.vectors + i;
    for (int c = 0; c < coordinates_; ++c, sum += plane_, from += vectors.plane)
      *sum = before(*sum, fresh) + *from;
  }
  rows_.resize(found);
}

template class RowSums<float>;
template class RowSums<double>;

}  // namespace mct::embed
