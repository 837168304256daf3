// Matrices most of whose elements are zero, and graph convolutions made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::train {

/// A matrix by its rows: the stored elements, each with its column.
struct SparseMatrix {
  std::int64_t columns = 0;
  std::vector<std::int64_t> starts{0};  // of each row among the elements, then their number
  std::vector<std::int64_t> places;     // the columns of the elements
  std::vector<double> values;

  std::int64_t rows() const { return std::int64_t(starts.size()) - 1; }
  /// Adds an element to the last row, until end_row ends that row.
  void add(std::int64_t column, double value) {
    places.push_back(column);
    values.push_back(value);
  }
  void end_row() { starts.push_back(std::int64_t(places.size())); }
};

/// The matrix of numpy's arrays: the starts of the rows, and the columns and the values of the
/// elements. Throws IoError "FILE: what" for arrays that are no matrix.
SparseMatrix sparse_of(std::int64_t rows, std::int64_t columns, const std::vector<double>& starts,
                       const std::vector<double>& places, std::vector<double> values,
                       const std::string& file);

SparseMatrix transposed(const SparseMatrix& a);

/// Every row divided by the sum of its elements, unless that is 0.
SparseMatrix divided_by_sums(SparseMatrix a);

/// a x for x (a.columns, k). The elements of a row are summed in the order in which they are
/// stored, so that the bits do not depend on the number of threads. Throws ShapeError for another
/// x.
Tensor<double> product(const SparseMatrix& a, const Tensor<double>& x);

/// S^k X, where S is the normalized adjacency of a graph (symmetric) and X the features of its
/// nodes or the identity. Simplified graph convolutions multiply it by weights or by features of
/// columns. Its factors are applied one by one, so that no matrix of nodes by nodes is made.
class Propagation {
 public:
  /// Throws ShapeError unless S is square and X has its rows.
  Propagation(SparseMatrix adjacency, int k, SparseMatrix features);
  /// S^k: X is the identity.
  Propagation(SparseMatrix adjacency, int k);

  std::int64_t rows() const { return adjacency_.rows(); }
  std::int64_t columns() const { return of_nodes_ ? adjacency_.columns : features_.columns; }
  /// S^k X z. z gets the gradient X^T S^k g.
  Variable<double> operator()(const Variable<double>& z) const;

 private:
  Tensor<double> spread(Tensor<double> x) const;

  SparseMatrix adjacency_;
  int k_;
  bool of_nodes_;
  SparseMatrix features_, transposed_;
};

}  // namespace mct::cli::train
