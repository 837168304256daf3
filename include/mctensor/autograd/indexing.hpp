// Differentiable reading and writing by index tensors. Arguments and exceptions are as in
// tensor/indexing.hpp. Error: reading is exact; each addition has the bound of add.
//
// Domain: every index within its dimension; other indices throw ShapeError. Source:
// tensor/indexing.hpp. Gradients are summed at the positions that were read.
#pragma once

#include "mctensor/autograd/record.hpp"
#include "mctensor/autograd/rows.hpp"
#include "mctensor/autograd/views.hpp"
#include "mctensor/tensor/indexing.hpp"

namespace mct {

/// The elements at the positions index[0], index[1], ... of a dimension. The gradient is added at
/// these positions.
template <class T, int N, int M>
Variable<T, N, M> index_select(const Variable<T, N, M>& x, std::int64_t dim,
                               const Tensor<std::int64_t>& index) {
  return autograd_detail::record(
      index_select(x.value(), dim, index),
      [dim, index](const auto& to, const auto& g) {
        if (!to.needs(0)) return;
        // add_rows_ works on rows, so the dimension is moved to the front and then back
        Shape shape = to.input_shape(0);
        std::swap(shape[0], shape[normalize_dim(dim, shape)]);
        const Tensor<T, M> whole(shape);
        autograd_detail::add_rows_(whole, index.values(), g.transpose(0, dim));
        to.give(0, whole.transpose(0, dim));
      },
      x);
}

/// result[i][j] = x[index[i][j]][j] for dim = 0, and so on. The gradient g is added where an
/// element was read.
template <class T, int N, int M>
Variable<T, N, M> gather(const Variable<T, N, M>& x, std::int64_t dim,
                         const Tensor<std::int64_t>& index) {
  return autograd_detail::record(
      gather(x.value(), dim, index),
      [dim, index](const auto& to, const auto& g) {
        if (!to.needs(0)) return;
        Tensor<T, M> whole(to.input_shape(0));
        scatter_add_(whole, dim, index, g);
        to.give(0, std::move(whole));
      },
      x);
}

/// x with source[i][j] added at [index[i][j]][j] for dim = 0, and so on. Gradients: x gets g;
/// `source` gets the elements of g at the places where its elements were added.
template <class T, int N, int M>
Variable<T, N, M> scatter_add(const Variable<T, N, M>& x, std::int64_t dim,
                              const Tensor<std::int64_t>& index, const Variable<T, N, M>& source) {
  return autograd_detail::record(
      scatter_add(x.value(), dim, index, source.value()),
      [dim, index](const auto& to, const auto& g) {
        to.give(0, g);
        if (!to.needs(1)) return;
        // elements of the source beyond the index were not used
        Tensor<T, M> whole(to.input_shape(1));
        auto used = whole;
        for (std::size_t d = 0; d < index.shape().size(); ++d)
          used = used.narrow(std::int64_t(d), 0, index.shape()[d]);
        used.copy_(gather(g, dim, index));
        to.give(1, std::move(whole));
      },
      x, source);
}

/// The rows of a table (n, ...) at indices of any shape (..); the result has the shape (.., ...).
/// The gradient is added to the rows that were read, except to the row `padding_idx`. (A negative
/// padding_idx stands for no row.) With `sparse` a leaf receives the gradient as rows
/// (Variable::sparse_grad). Throws ShapeError for an index outside 0 ... n - 1.
template <class T, int N, int M>
Variable<T, N, M> embedding(const Variable<T, N, M>& weight, const Tensor<std::int64_t>& indices,
                            std::int64_t padding_idx = -1, bool sparse = false) {
  auto index = indices.values();
  const auto rows = autograd_detail::take_rows(weight.value(), index);
  Shape shape = indices.shape();
  shape.insert(shape.end(), rows.shape().begin() + 1, rows.shape().end());
  return autograd_detail::record(
      rows.reshape(shape),
      [index = std::move(index), row_shape = rows.shape(), padding_idx, sparse](const auto& to,
                                                                                const auto& g) {
        auto kept = index;
        auto grad = g.reshape(row_shape);
        if (padding_idx >= 0) {
          std::vector<std::int64_t> places;
          kept.clear();
          for (std::size_t i = 0; i < index.size(); ++i) {
            if (index[i] == padding_idx) continue;
            places.push_back(std::int64_t(i));
            kept.push_back(index[i]);
          }
          if (kept.size() < index.size()) grad = autograd_detail::take_rows(grad, places);
        }
        if (sparse) {
          const auto count = std::int64_t(kept.size());
          to.give_rows(0, {Tensor<std::int64_t>::from_values(kept, {count}), grad});
        } else {
          Tensor<T, M> whole(to.input_shape(0));
          autograd_detail::add_rows_(whole, kept, grad);
          to.give(0, std::move(whole));
        }
      },
      weight);
}

}  // namespace mct
