#include "mctensor/tensor/indexing.hpp"

#include <string>

#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/tensor/create.hpp"
#include "src/tensor/element.hpp"
#include "src/tensor/strided.hpp"

namespace mct {

namespace {

using tensor_detail::load_element;
using tensor_detail::store_element;

void check_index(const char* name, std::int64_t index, std::int64_t dim, const Shape& shape) {
  if (index < 0 || index >= shape[std::size_t(dim)])
    throw ShapeError(std::string(name) + ": index " + std::to_string(index) +
                     " is not inside dimension " + std::to_string(dim) + " of shape " +
                     to_string(shape));
}

/// Calls visit(position) for every position of a shape in row-major order.
template <class Visit>
void for_each_position(const Shape& shape, const Visit& visit) {
  const std::int64_t count = numel(shape);
  Shape position(shape.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    visit(position);
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++position[d] < shape[d]) break;
      position[d] = 0;
    }
  }
}

std::int64_t offset_at(const Shape& position, const Shape& strides) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < position.size(); ++d) offset += position[d] * strides[d];
  return offset;
}

/// Throws unless index has as many dimensions as the other shape and is not longer in any dimension
/// except `free`.
void check_within(const char* name, const Shape& index, const Shape& shape, std::size_t free) {
  bool fits = index.size() == shape.size();
  for (std::size_t d = 0; fits && d < shape.size(); ++d) fits = d == free || index[d] <= shape[d];
  if (!fits)
    throw ShapeError(std::string(name) + ": an index of shape " + to_string(index) +
                     " does not fit a tensor of shape " + to_string(shape));
}

/// The element offset that an index position means: its coordinate in `dim` is the index's value.
std::int64_t indexed_offset(const char* name, const Shape& position, std::size_t dim,
                            std::int64_t index, const Shape& shape, const Shape& strides) {
  check_index(name, index, std::int64_t(dim), shape);
  return offset_at(position, strides) + (index - position[dim]) * strides[dim];
}

constexpr std::size_t none = std::size_t(-1);

}  // namespace

template <class T, int N>
Tensor<T, N> index_select(const Tensor<T, N>& x, std::int64_t dim,
                          const Tensor<std::int64_t>& index) {
  const auto d = std::int64_t(normalize_dim(dim, x.shape()));
  if (index.dim() != 1)
    throw ShapeError("index_select: the index has shape " + to_string(index.shape()) +
                     ", not one dimension");
  Shape shape = x.shape();
  shape[std::size_t(d)] = index.numel();
  auto out = Tensor<T, N>::uninitialized(shape);
  for (std::int64_t i = 0; i < index.numel(); ++i) {
    const std::int64_t from = index.at({i});
    check_index("index_select", from, d, x.shape());
    out.select(d, i).copy_(x.select(d, from));
  }
  return out;
}

template <class T, int N>
Tensor<T, N> gather(const Tensor<T, N>& x, std::int64_t dim, const Tensor<std::int64_t>& index) {
  const std::size_t d = normalize_dim(dim, x.shape());
  check_within("gather", index.shape(), x.shape(), d);
  auto out = Tensor<T, N>::uninitialized(index.shape());
  std::int64_t i = 0;
  for_each_position(index.shape(), [&](const Shape& position) {
    const std::int64_t from =
        indexed_offset("gather", position, d, index.data()[offset_at(position, index.strides())],
                       x.shape(), x.strides());
    for (int k = 0; k < N; ++k) out.data(k)[i] = x.data(k)[from];
    ++i;
  });
  return out;
}

template <class T, int N>
const Tensor<T, N>& scatter_add_(const Tensor<T, N>& x, std::int64_t dim,
                                 const Tensor<std::int64_t>& index, const Tensor<T, N>& source) {
  const std::size_t d = normalize_dim(dim, x.shape());
  check_within("scatter_add", index.shape(), x.shape(), d);
  check_within("scatter_add", index.shape(), source.shape(), none);
  tensor_detail::require_distinct_elements(x);
  // all indices are checked first: an error must leave x unchanged
  for_each_position(index.shape(), [&](const Shape& position) {
    check_index("scatter_add", index.data()[offset_at(position, index.strides())], std::int64_t(d),
                x.shape());
  });
  const Tensor<T, N> from = tensor_detail::overlaps(x, source) ? source.clone() : source;
  for_each_position(index.shape(), [&](const Shape& position) {
    const std::int64_t to =
        indexed_offset("scatter_add", position, d,
                       index.data()[offset_at(position, index.strides())], x.shape(), x.strides());
    const std::int64_t at = offset_at(position, from.strides());
    store_element(x, to, load_element(x, to) + load_element(from, at));
  });
  return x;
}

template <class T, int N>
Tensor<T, N> cat(const std::vector<Tensor<T, N>>& tensors, std::int64_t dim) {
  if (tensors.empty()) throw ShapeError("cat: no tensors given");
  const std::size_t d = normalize_dim(dim, tensors[0].shape());
  Shape shape = tensors[0].shape();
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    Shape other = tensors[i].shape();
    if (other.size() == shape.size()) {
      const std::int64_t size = other[d];
      other[d] = shape[d];
      if (other == shape) {
        if (__builtin_add_overflow(shape[d], size, &shape[d]))
          throw ShapeError(
              "cat: together the tensors have more than 2^63 elements along dimension " +
              std::to_string(d));
        continue;
      }
    }
    throw ShapeError("cat: shapes " + to_string(tensors[0].shape()) + " and " +
                     to_string(tensors[i].shape()) + " differ beyond dimension " +
                     std::to_string(d));
  }
  auto out = Tensor<T, N>::uninitialized(shape);
  std::int64_t at = 0;
  for (const auto& x : tensors) {
    const std::int64_t size = x.shape()[d];
    out.narrow(std::int64_t(d), at, size).copy_(x);
    at += size;
  }
  return out;
}

template <class T, int N>
Tensor<T, N> stack(const std::vector<Tensor<T, N>>& tensors, std::int64_t dim) {
  if (tensors.empty()) throw ShapeError("stack: no tensors given");
  std::vector<Tensor<T, N>> rows;
  for (const auto& x : tensors) {
    if (x.shape() != tensors[0].shape())
      throw ShapeError("stack: shapes " + to_string(tensors[0].shape()) + " and " +
                       to_string(x.shape()) + " differ");
    rows.push_back(x.unsqueeze(dim));
  }
  return cat(rows, dim < 0 ? dim + tensors[0].dim() + 1 : dim);
}

#define MCT_INSTANTIATE_MOVE(T, N)                                                              \
  template Tensor<T, N> index_select(const Tensor<T, N>&, std::int64_t,                         \
                                     const Tensor<std::int64_t>&);                              \
  template Tensor<T, N> gather(const Tensor<T, N>&, std::int64_t, const Tensor<std::int64_t>&); \
  template Tensor<T, N> cat(const std::vector<Tensor<T, N>>&, std::int64_t);                    \
  template Tensor<T, N> stack(const std::vector<Tensor<T, N>>&, std::int64_t);
MCT_FOR_EACH_TENSOR(MCT_INSTANTIATE_MOVE)
#define MCT_INSTANTIATE_ADD(T, N)                                              \
  template const Tensor<T, N>& scatter_add_(const Tensor<T, N>&, std::int64_t, \
                                            const Tensor<std::int64_t>&, const Tensor<T, N>&);
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE_ADD)

}  // namespace mct
