// Views of variables and other moves of elements without arithmetic: the member functions of
// Variable, cat, stack.
//
// Error: none, because elements are only moved; evaluate rounds once to one component. Domain:
// every value. Shapes must fit as in the functions of Tensor, which throw ShapeError. Source: the
// views of Tensor; their gradients are the transposed moves.
#pragma once

#include <vector>

#include "mctensor/autograd/record.hpp"

namespace mct {

namespace autograd_detail {

/// A view with the elements of x in row-major order.
template <class T, int N, int M>
Variable<T, N, M> reshaped(const Variable<T, N, M>& x, Tensor<T, N> value) {
  return record(
      std::move(value),
      [](const auto& to, const auto& g) {
        if (to.needs(0)) to.give(0, g.reshape(to.input_shape(0)));
      },
      x);
}

}  // namespace autograd_detail

template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::reshape(const Shape& to) const {
  return autograd_detail::reshaped(*this, value().reshape(to));
}
template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::unsqueeze(std::int64_t d) const {
  return autograd_detail::reshaped(*this, value().unsqueeze(d));
}
template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::squeeze(std::int64_t d) const {
  return autograd_detail::reshaped(*this, value().squeeze(d));
}
template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::squeeze() const {
  return autograd_detail::reshaped(*this, value().squeeze());
}

template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::transpose(std::int64_t dim0, std::int64_t dim1) const {
  return autograd_detail::record(
      value().transpose(dim0, dim1),
      [=](const auto& to, const auto& g) { to.give(0, g.transpose(dim0, dim1)); }, *this);
}

template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::permute(const Shape& dims) const {
  Shape inverse(dims.size());
  const auto view = value().permute(dims);
  for (std::size_t d = 0; d < dims.size(); ++d)
    inverse[normalize_dim(dims[d], shape())] = std::int64_t(d);
  return autograd_detail::record(
      view, [inverse](const auto& to, const auto& g) { to.give(0, g.permute(inverse)); }, *this);
}

template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::narrow(std::int64_t d, std::int64_t start,
                                            std::int64_t length) const {
  const auto take = [=](const auto& x) { return x.narrow(d, start, length); };
  return autograd_detail::record(
      take(value()), [take](const auto& to, const auto& g) { to.give_part(0, g, take); }, *this);
}

template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::slice(std::int64_t d, std::int64_t start, std::int64_t stop,
                                           std::int64_t step) const {
  const auto take = [=](const auto& x) { return x.slice(d, start, stop, step); };
  return autograd_detail::record(
      take(value()), [take](const auto& to, const auto& g) { to.give_part(0, g, take); }, *this);
}

template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::select(std::int64_t d, std::int64_t index) const {
  const auto take = [=](const auto& x) { return x.select(d, index); };
  return autograd_detail::record(
      take(value()), [take](const auto& to, const auto& g) { to.give_part(0, g, take); }, *this);
}

template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::expand(const Shape& to_shape) const {
  return autograd_detail::record(
      value().expand(to_shape), [](const auto& to, const auto& g) { to.give(0, g); }, *this);
}

template <class T, int N, int M>
Variable<T, N, M> Variable<T, N, M>::contiguous() const {
  if (value().is_contiguous()) return *this;
  return autograd_detail::reshaped(*this, value().contiguous());
}

template <class T, int N, int M>
Variable<T, 1, M> Variable<T, N, M>::evaluate() const {
  return autograd_detail::record(
      value().evaluate(), [](const auto& to, const auto& g) { to.give(0, g); }, *this);
}

/// Joins variables along a dimension. Throws as cat of tensors does. Gradient: each variable gets
/// its part.
template <class T, int N, int M>
Variable<T, N, M> cat(const std::vector<Variable<T, N, M>>& variables, std::int64_t dim = 0) {
  std::vector<Tensor<T, N>> values;
  std::vector<std::int64_t> sizes;
  values.reserve(variables.size());
  sizes.reserve(variables.size());
  for (const auto& x : variables) values.push_back(x.value());
  auto whole = cat(values, dim);  // checks
  for (const auto& x : variables) sizes.push_back(x.size(dim));
  return autograd_detail::record_list(
      std::move(whole),
      [sizes, dim](const auto& to, const auto& g) {
        std::int64_t at = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
          to.give(i, g.narrow(dim, at, sizes[i]));
          at += sizes[i];
        }
      },
      variables);
}

/// Stacks variables of one shape along a new dimension. Throws as stack of tensors does. Gradient:
/// each variable gets its part.
template <class T, int N, int M>
Variable<T, N, M> stack(const std::vector<Variable<T, N, M>>& variables, std::int64_t dim = 0) {
  std::vector<Tensor<T, N>> values;
  for (const auto& x : variables) values.push_back(x.value());
  return autograd_detail::record_list(
      stack(values, dim),
      [count = variables.size(), dim](const auto& to, const auto& g) {
        for (std::size_t i = 0; i < count; ++i) to.give(i, g.select(dim, std::int64_t(i)));
      },
      variables);
}

}  // namespace mct
