// Computes products of expansions as products of plain matrices, for hardware that multiplies
// narrow numbers and adds up in wide numbers.
//
//   left_columns(x) . right_columns(y) = sum of x_i y_j over i + j < N  ~  x . y
//
// A column of N components becomes N (N + 1) / 2 plain columns: 3 for two components, 6 for three.
// Domain: normalized operands whose products of components are exact. Matrix units of GPUs multiply
// bfloat16 exactly, and add in float. The error is then at most (N + 1) u^N sum |x y|, plus the
// error of a sum of c N (N + 1) / 2 products. Here c is the number of columns, and u is the unit
// roundoff of T.
//
// Source: the product of two expansions, limb by limb; the bound counts the omitted terms.
#pragma once

#include <string>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::attention {

namespace detail {

/// For every pair i, j with i + j < N, ordered by i: component i (left) or j (right) of all
/// columns.
template <class T, int N>
Tensor<T> component_columns(const char* name, const Tensor<T, N>& x, bool left) {
  if (x.dim() == 0)
    throw ShapeError(std::string(name) +
                     ": a single number has no columns; at least one dimension is expected");
  std::vector<Tensor<T>> blocks;
  for (int i = 0; i < N; ++i)
    for (int j = 0; i + j < N; ++j) blocks.push_back(x.plane(left ? i : j));
  return cat(blocks, -1);
}

}  // namespace detail

/// The left and the right factor of a product of rows x . y as plain columns. A tensor (.., c) of N
/// components becomes (.., c N (N + 1) / 2). The product is exact except for the terms with i + j
/// >= N, which are left out. Throws ShapeError for a tensor without dimensions.
template <class T, int N>
Tensor<T> left_columns(const Tensor<T, N>& x) {
  return detail::component_columns("left_columns", x, true);
}
template <class T, int N>
Tensor<T> right_columns(const Tensor<T, N>& y) {
  return detail::component_columns("right_columns", y, false);
}

}  // namespace mct::attention
