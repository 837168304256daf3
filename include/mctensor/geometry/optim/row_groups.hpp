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
  std::int64_t updated = 0;
  /// Rows whose gradient or next point was not finite: left alone, with their state.
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

/// Calls update(row, sum) for every different row of `index` with the sum of its vectors, rows of
/// `vectors` [index.size(), columns] in the order given, on the threads of num_threads(); a row
/// counts as updated if the sum is finite and update returns true.
template <class T, class Update>
RowStep for_each_row(const std::vector<std::int64_t>& index, const T* vectors, std::int64_t columns,
                     const Update& update) {
  std::vector<std::int64_t> order(index.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return index[std::size_t(a)] < index[std::size_t(b)];
  });
  // where the vectors of each row begin in this order
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || index[std::size_t(order[i])] != index[std::size_t(order[i - 1])])
      begins.push_back(i);
  const auto count = std::int64_t(begins.size());
  begins.push_back(order.size());
  std::vector<char> good(static_cast<std::size_t>(count), 0);
  parallel_for(count, row_cost * double(count), [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> sum(static_cast<std::size_t>(columns));
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      std::fill(sum.begin(), sum.end(), T(0));
      for (std::size_t j = begins[i]; j < begins[i + 1]; ++j)
        for (std::size_t c = 0; c < sum.size(); ++c)
          sum[c] += vectors[std::size_t(order[j]) * sum.size() + c];
      good[i] = std::all_of(sum.begin(), sum.end(), [](T x) { return std::isfinite(double(x)); }) &&
                update(index[std::size_t(order[begins[i]])], sum.data());
    }
  });
  RowStep outcome;
  outcome.updated = std::count(good.begin(), good.end(), 1);
  outcome.nonfinite = count - outcome.updated;
  return outcome;
}

}  // namespace optim_detail
}  // namespace mct::geometry
