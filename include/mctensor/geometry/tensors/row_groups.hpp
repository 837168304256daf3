// Groups vectors by the rows to which they belong, and adds the vectors of the same row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// The report of a step.
struct RowStep {
  /// The number of different rows that moved.
  std::int64_t updated = 0;
  /// The number of rows whose vector (gradient or next point) was not finite. These rows and their
  /// states stayed as they were.
  std::int64_t nonfinite = 0;
};

namespace optim_detail {

/// The indices. Throws ShapeError, naming `who`, unless `named` has one dimension and all indices
/// are in 0 .. rows - 1.
inline std::vector<std::int64_t> checked_rows(const char* who, const Tensor<std::int64_t>& named,
                                              std::int64_t rows) {
  if (named.dim() != 1)
    throw ShapeError(std::string(who) + ": rows of shape " + to_string(named.shape()) +
                     ", expected one dimension");
  auto index = named.values();
  for (const std::int64_t row : index)
    if (row < 0 || row >= rows)
      throw ShapeError(std::string(who) + ": row " + std::to_string(row) +
                       " does not exist; there are " + std::to_string(rows) +
                       " rows, counted from 0");
  return index;
}

/// Pairs of points, given by their rows a[i] and b[i].
struct RowPairs {
  std::vector<std::int64_t> a, b;

  /// Throws ShapeError, naming `who`, unless `first` and `second` have the same number of indices,
  /// all in 0 .. rows - 1.
  RowPairs(const char* who, const Tensor<std::int64_t>& first, const Tensor<std::int64_t>& second,
           std::int64_t rows)
      : a(checked_rows(who, first, rows)), b(checked_rows(who, second, rows)) {
    if (a.size() != b.size())
      throw ShapeError(std::string(who) + ": " + std::to_string(a.size()) + " and " +
                       std::to_string(b.size()) +
                       " row numbers; both lists must have the same length");
  }
  std::int64_t count() const { return std::int64_t(a.size()); }
  RowPairs swapped() const {
    RowPairs r(*this);
    std::swap(r.a, r.b);
    return r;
  }
};

/// The different rows in an index, in increasing order, and for each row the places of its vectors.
class RowGroups {
 public:
  /// Every row once.
  explicit RowGroups(std::int64_t rows) : count_(std::size_t(rows)) {}
  explicit RowGroups(std::vector<std::int64_t> index)
      : index_(std::move(index)), count_(index_.size()) {
    if (std::adjacent_find(index_.begin(), index_.end(), std::greater_equal<>()) == index_.end())
      return;  // no row occurs twice
    order_.resize(index_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return index_[a] < index_[b]; });
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (i == 0 || index_[order_[i]] != index_[order_[i - 1]]) begins_.push_back(i);
    count_ = begins_.size();
    begins_.push_back(order_.size());
  }

  std::size_t count() const { return count_; }
  std::int64_t row(std::size_t group) const {
    if (!order_.empty()) return index_[order_[begins_[group]]];
    return index_.empty() ? std::int64_t(group) : index_[group];
  }
  /// The rows of `count` groups from `first` on.
  std::vector<std::int64_t> rows(std::size_t first, std::size_t count) const {
    std::vector<std::int64_t> r(count);
    for (std::size_t i = 0; i < count; ++i) r[i] = row(first + i);
    return r;
  }
  /// For each of these groups the sum of its vectors, added in the order given: [count, columns].
  /// The vectors are the rows of `vectors` [index.size(), columns], which must be contiguous. The
  /// result is a view if each group has one vector.
  template <class T>
  Tensor<T> sums(std::size_t first, std::size_t count, const Tensor<T>& vectors) const {
    if (order_.empty()) return vectors.narrow(0, std::int64_t(first), std::int64_t(count));
    const auto columns = std::size_t(vectors.size(1));
    auto sums = Tensor<T>::uninitialized({std::int64_t(count), vectors.size(1)});
    T* to = sums.data();
    for (std::size_t i = first; i < first + count; ++i, to += columns) {
      // the first vector is copied, not added: 0 + -0 would be 0
      std::copy_n(vectors.data() + order_[begins_[i]] * columns, columns, to);
      for (std::size_t j = begins_[i] + 1; j < begins_[i + 1]; ++j)
        for (std::size_t c = 0; c < columns; ++c) to[c] += vectors.data()[order_[j] * columns + c];
    }
    return sums;
  }

 private:
  std::vector<std::int64_t> index_;  // empty: 0, 1, ...
  std::vector<std::size_t> order_;   // empty: in the given order, with one vector for each row
  std::vector<std::size_t> begins_;  // in order_, and the end
  std::size_t count_;
};

}  // namespace optim_detail
}  // namespace mct::geometry
