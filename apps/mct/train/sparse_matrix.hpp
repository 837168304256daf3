// Matrices most of whose elements are zero, and graph convolutions made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::train {

/// A matrix by its rows: those elements that are stored, each with its column.
struct SparseMatrix {
  std::int64_t columns = 0;
  std::vector<std::int64_t> starts{0};  // of the rows among the elements, then their number
  std::vector<std::int64_t> places;     // the columns of the elements
  std::vector<double> values;

  std::int64_t rows() const { return std::int64_t(starts.size()) - 1; }
  /// Elements are added to the last row until it is ended.
  void add(std::int64_t column, double value) {
    places.push_back(column);
    values.push_back(value);
  }
  void end_row() { starts.push_back(std::int64_t(places.size())); }
};

/// The matrix of numpy's arrays: where rows start, the columns and the values of the elements.
/// Throws IoError "FILE: what" for arrays that make none.
SparseMatrix sparse_of(std::int64_t rows, std::int64_t columns, const std::vector<double>& starts,
                       const std::vector<double>& places, std::vector<double> values,
                       const std::string& file);

SparseMatrix transposed(const SparseMatrix& a);

/// Every row over the sum of its elements, but for sums of 0.
SparseMatrix divided_by_sums(SparseMatrix a);

/// a x for x (a.columns, k). Each element is summed in the order in which its row is stored: the
/// same bits for any number of threads. Throws ShapeError for another x.
Tensor<double> product(const SparseMatrix& a, const Tensor<double>& x);

/// S^k X: S the normalized adjacency of a graph (symmetric), X the features of its nodes or the
/// identity. What simplified graph convolutions see of weights or of features of columns. It is
/// applied factor by factor: no matrix of nodes by nodes is made.
class Propagation {
 public:
  /// Throws ShapeError unless S is square and X has its rows.
  Propagation(SparseMatrix adjacency, int k, SparseMatrix features);
  /// Of the nodes themselves: S^k.
  Propagation(SparseMatrix adjacency, int k);

  std::int64_t rows() const { return adjacency_.rows(); }
  std::int64_t columns() const { return of_nodes_ ? adjacency_.columns : features_.columns; }
  /// S^k X z, of which z gets the gradient X^T S^k g.
  Variable<double> operator()(const Variable<double>& z) const;

 private:
  Tensor<double> spread(Tensor<double> x) const;

  SparseMatrix adjacency_;
  int k_;
  bool of_nodes_;
  SparseMatrix features_, transposed_;
};

}  // namespace mct::cli::train
