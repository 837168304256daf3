// Vectors for named rows: those of the same row are added, and the rows shared among threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// What a step did.
struct RowStep {
  /// Different rows that moved.
  std::int64_t updated = 0;
  /// Rows whose vector (gradient, or next point) was not finite: left alone, with their state.
  std::int64_t nonfinite = 0;
};

namespace optim_detail {

/// The indices. Throws ShapeError naming `who` unless they are of one dimension and below `rows`.
inline std::vector<std::int64_t> checked_rows(const char* who, const Tensor<std::int64_t>& named,
                                              std::int64_t rows) {
  if (named.dim() != 1)
    throw ShapeError(std::string(who) + ": rows of shape " + to_string(named.shape()) +
                     ", expected one dimension");
  auto index = named.values();
  for (const std::int64_t row : index)
    if (row < 0 || row >= rows)
      throw ShapeError(std::string(who) + ": row " + std::to_string(row) + " is not one of " +
                       std::to_string(rows));
  return index;
}

/// About how many simple operations a row takes, at least.
inline constexpr double row_cost = 4000;

/// Pairs of points a[i], b[i] by their rows.
struct RowPairs {
  std::vector<std::int64_t> a, b;

  /// Throws ShapeError naming `who` for indices of other than equal numbers, or not below `rows`.
  RowPairs(const char* who, const Tensor<std::int64_t>& first, const Tensor<std::int64_t>& second,
           std::int64_t rows)
      : a(checked_rows(who, first, rows)), b(checked_rows(who, second, rows)) {
    if (a.size() != b.size())
      throw ShapeError(std::string(who) + ": " + std::to_string(a.size()) + " and " +
                       std::to_string(b.size()) + " indices");
  }
  std::int64_t count() const { return std::int64_t(a.size()); }
  /// f(i, points[a[i]], points[b[i]]) for every pair, on all threads.
  template <class Rows, class F>
  void for_each(const Rows& space, const typename Rows::Points& points, const F& f) const {
    parallel_for(count(), row_cost * double(count()), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        f(i, space.load(points, a[std::size_t(i)]), space.load(points, b[std::size_t(i)]));
    });
  }
};

/// The different rows of an index in increasing order, and where the vectors of each are.
class RowGroups {
 public:
  explicit RowGroups(const std::vector<std::int64_t>& index) : index_(index), order_(index.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return index[a] < index[b]; });
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (i == 0 || index[order_[i]] != index[order_[i - 1]]) begins_.push_back(i);
    begins_.push_back(order_.size());
  }
  RowGroups(std::vector<std::int64_t>&&) = delete;  // the index must stay

  std::size_t count() const { return begins_.size() - 1; }
  std::int64_t row(std::size_t group) const { return index_[order_[begins_[group]]]; }
  /// sum[columns] = the vectors of one group, rows of `vectors` [index.size(), columns], in the
  /// order given.
  template <class T>
  void sum(std::size_t group, const T* vectors, std::size_t columns, T* sum) const {
    std::fill(sum, sum + columns, T(0));
    for (std::size_t j = begins_[group]; j < begins_[group + 1]; ++j)
      for (std::size_t c = 0; c < columns; ++c) sum[c] += vectors[order_[j] * columns + c];
  }

 private:
  const std::vector<std::int64_t>& index_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> begins_;  // in order_, and the end
};

template <class T>
bool all_finite(const T* x, std::size_t count) {
  return std::all_of(x, x + count, [](T c) { return std::isfinite(double(c)); });
}

/// Calls update(row, sum) for every different row of `index` with the sum of its vectors, rows of
/// `vectors` [index.size(), columns] in the order given, on the threads of num_threads(); a row
/// counts as updated if the sum is finite and update returns true.
template <class T, class Update>
RowStep for_each_row(const std::vector<std::int64_t>& index, const T* vectors, std::int64_t columns,
                     const Update& update) {
  const RowGroups groups(index);
  const auto count = std::int64_t(groups.count());
  std::vector<char> good(static_cast<std::size_t>(count), 0);
  parallel_for(count, row_cost * double(count), [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> sum(static_cast<std::size_t>(columns));
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      groups.sum(i, vectors, sum.size(), sum.data());
      good[i] = all_finite(sum.data(), sum.size()) && update(groups.row(i), sum.data());
    }
  });
  RowStep outcome;
  outcome.updated = std::count(good.begin(), good.end(), 1);
  outcome.nonfinite = count - outcome.updated;
  return outcome;
}

}  // namespace optim_detail
}  // namespace mct::geometry
