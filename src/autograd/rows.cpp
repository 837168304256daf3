#include "mctensor/autograd/rows.hpp"

#include <algorithm>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "src/tensor/element.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::autograd_detail {

namespace {

void check_rows(const Shape& shape, const std::vector<std::int64_t>& indices) {
  if (shape.empty()) throw ShapeError("a tensor without dimensions has no rows");
  for (const std::int64_t index : indices)
    if (index < 0 || index >= shape[0])
      throw ShapeError("row " + std::to_string(index) + " does not exist in a tensor of shape " +
                       to_string(shape));
}

/// Elements of one row.
std::int64_t row_size(const Shape& shape) { return numel(Shape(shape.begin() + 1, shape.end())); }

}  // namespace

template <class T, int N>
Tensor<T, N> take_rows(const Tensor<T, N>& x, const std::vector<std::int64_t>& indices) {
  check_rows(x.shape(), indices);
  const auto from = x.contiguous();
  Shape shape = x.shape();
  shape[0] = std::int64_t(indices.size());
  auto out = Tensor<T, N>::uninitialized(shape);
  const std::int64_t n = row_size(shape);
  for (int k = 0; k < N; ++k)
    for (std::size_t i = 0; i < indices.size(); ++i)
      std::copy_n(from.data(k) + indices[i] * n, n, out.data(k) + std::int64_t(i) * n);
  return out;
}

template <class T, int N>
void add_rows_(const Tensor<T, N>& x, const std::vector<std::int64_t>& indices,
               const Tensor<T, N>& rows) {
  check_rows(x.shape(), indices);
  const auto from = rows.contiguous();
  const std::int64_t n = row_size(x.shape());
  const auto work = [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      for (std::int64_t j = begin; j < end; ++j) {
        const std::int64_t to = indices[i] * n + j;
        const std::int64_t at = std::int64_t(i) * n + j;
        tensor_detail::store_element(
            x, to, tensor_detail::load_element(x, to) + tensor_detail::load_element(from, at));
      }
    }
  };
  // columns, so that each sum has its order whatever the number of threads
  tensor_detail::parallel_ranges(
      n, tensor_detail::threads_for(double(indices.size()) * double(n) * N * N), work);
}

#define MCT_INSTANTIATE(T, N)                                                             \
  template Tensor<T, N> take_rows(const Tensor<T, N>&, const std::vector<std::int64_t>&); \
  template void add_rows_(const Tensor<T, N>&, const std::vector<std::int64_t>&,          \
                          const Tensor<T, N>&);
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)

}  // namespace mct::autograd_detail
