// Matrices most of whose elements are zero, and graph convolutions made of them.
#include "apps/mct/train/sparse_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mctensor/autograd/record.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/parallel_for.hpp"

namespace mct::cli::train {

SparseMatrix sparse_of(std::int64_t rows, std::int64_t columns, const std::vector<double>& starts,
                       const std::vector<double>& places, std::vector<double> values,
                       const std::string& file) {
  // NaN is in any order
  const bool in_order =
      std::is_sorted(starts.begin(), starts.end()) &&
      std::all_of(starts.begin(), starts.end(), [](double x) { return x == std::floor(x); });
  if (std::int64_t(starts.size()) != rows + 1 || places.size() != values.size() ||
      starts.front() != 0 || starts.back() != double(values.size()) || !in_order)
    throw IoError(
        fmt::format("{}: the parts of a sparse matrix of {} rows do not fit: {} starts of rows, {} "
                    "columns and {} values",
                    file, rows, starts.size(), places.size(), values.size()));
  SparseMatrix result;
  result.columns = columns;
  result.starts.assign(starts.begin(), starts.end());
  result.places.reserve(places.size());
  for (const double place : places) {
    if (!(place >= 0 && place < double(columns)) || place != std::floor(place))
      throw IoError(
          fmt::format("{}: column {} of a sparse matrix is not a whole number from 0 to below {}",
                      file, place, columns));
    result.places.push_back(std::int64_t(place));
  }
  result.values = std::move(values);
  return result;
}

SparseMatrix transposed(const SparseMatrix& a) {
  SparseMatrix result;
  result.columns = a.rows();
  result.starts.assign(std::size_t(a.columns) + 1, 0);
  for (const std::int64_t column : a.places) ++result.starts[std::size_t(column) + 1];
  for (std::size_t i = 1; i < result.starts.size(); ++i) result.starts[i] += result.starts[i - 1];
  result.places.resize(a.places.size());
  result.values.resize(a.values.size());
  std::vector<std::int64_t> next(result.starts.begin(), result.starts.end() - 1);
  for (std::int64_t r = 0; r < a.rows(); ++r)
    for (auto i = std::size_t(a.starts[std::size_t(r)]);
         i < std::size_t(a.starts[std::size_t(r) + 1]); ++i) {
      const auto to = std::size_t(next[std::size_t(a.places[i])]++);
      result.places[to] = r;
      result.values[to] = a.values[i];
    }
  return result;
}

SparseMatrix divided_by_sums(SparseMatrix a) {
  for (std::size_t r = 1; r < a.starts.size(); ++r) {
    const auto begin = std::size_t(a.starts[r - 1]);
    const auto end = std::size_t(a.starts[r]);
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += a.values[i];
    if (sum == 0) continue;
    for (std::size_t i = begin; i < end; ++i) a.values[i] /= sum;
  }
  return a;
}

Tensor<double> product(const SparseMatrix& a, const Tensor<double>& x) {
  if (x.dim() != 2 || x.size(0) != a.columns)
    throw ShapeError("a sparse matrix of " + std::to_string(a.columns) +
                     " columns cannot be multiplied by a tensor of shape " + to_string(x.shape()));
  const Tensor<double> from = x.contiguous();
  const std::int64_t width = x.size(1);
  Tensor<double> to({a.rows(), width});
  const double per_row = double(a.places.size()) / double(a.rows() + 1);
  parallel_for(a.rows(), per_row * double(width) * 2, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      double* const sums = to.data() + r * width;
      for (auto i = std::size_t(a.starts[std::size_t(r)]);
           i < std::size_t(a.starts[std::size_t(r) + 1]); ++i) {
        const double* const row = from.data() + a.places[i] * width;
        for (std::int64_t c = 0; c < width; ++c) sums[c] += a.values[i] * row[c];
      }
    }
  });
  return to;
}

Propagation::Propagation(SparseMatrix adjacency, int k, SparseMatrix features)
    : adjacency_(std::move(adjacency)), k_(k), of_nodes_(false), features_(std::move(features)) {
  if (adjacency_.columns != rows() || features_.rows() != rows())
    throw ShapeError("graph convolution: " + std::to_string(features_.rows()) +
                     " rows of features for " + std::to_string(rows()) +
                     " nodes, expected one row for each");
  transposed_ = transposed(features_);
}

Propagation::Propagation(SparseMatrix adjacency, int k)
    : adjacency_(std::move(adjacency)), k_(k), of_nodes_(true) {
  if (adjacency_.columns != rows()) throw ShapeError("graph convolution: S is not square");
}

Tensor<double> Propagation::spread(Tensor<double> x) const {
  for (int step = 0; step < k_; ++step) x = product(adjacency_, x);
  return x;
}

Variable<double> Propagation::operator()(const Variable<double>& z) const {
  const auto& x = z.value();
  return autograd_detail::record(
      spread(of_nodes_ ? x : product(features_, x)),
      [this](const auto& to, const auto& g) {
        to.give(0, of_nodes_ ? spread(g) : product(transposed_, spread(g)));
      },
      z);
}

}  // namespace mct::cli::train
