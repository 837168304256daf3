// The gradients of a batch, added row by row.
#include "src/embed/row_sums.hpp"

#include <algorithm>

namespace mct::embed {
namespace {

/// Rows belong to owners in blocks, so that no two owners write to one cache line.
constexpr int block_bits = 6;

}  // namespace

void RowSums::find_own(const std::int32_t* rows, std::int64_t count, int owner, int owners) {
  own_.resize(std::size_t(count) + 1);
  std::size_t found = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    // written in any case, so that nothing has to be guessed
    own_[found] = std::int32_t(i);
    const std::int32_t row = rows[i];
    found += row >= 0 && (owners == 1 || (row >> block_bits) % owners == owner);
  }
  own_.resize(found);
}

void RowSums::add(const std::int32_t* rows, std::int64_t count, const double* vectors,
                  std::int64_t plane, int owner, int owners) {
  if (++current_ == 0) {
    std::fill(stamp_.begin(), stamp_.end(), 0);
    current_ = 1;
  }
  find_own(rows, count, owner, owners);
  plane_ = std::int64_t(own_.size());
  if (sums_.size() < own_.size() * std::size_t(coordinates_))
    sums_.resize(own_.size() * std::size_t(coordinates_));
  rows_.clear();
  for (const std::int32_t i : own_) {
    const auto row = std::size_t(rows[i]);
    const bool fresh = stamp_[row] != current_;
    if (fresh) {
      stamp_[row] = current_;
      slot_[row] = std::int32_t(rows_.size());
      rows_.push_back(rows[i]);
    }
    double* sum = sums_.data() + slot_[row];
    const double* from = vectors + i;
    for (int c = 0; c < coordinates_; ++c, sum += plane_, from += plane)
      *sum = fresh ? *from : *sum + *from;
  }
}

}  // namespace mct::embed
