// Where the extremes of a tensor are.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/expansion/compare.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "src/tensor/element.hpp"
#include "src/tensor/layout.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::tensor_detail {

namespace {

template <class T, int N>
bool is_nan(const Expansion<T, N>& x) {
  return !(x.limb[0] == x.limb[0]);
}

/// The planes of a tensor: asked for once, not for each element.
template <class T, int N>
struct Planes {
  std::array<const T*, std::size_t(N)> data;

  explicit Planes(const Tensor<T, N>& x) {
    for (int k = 0; k < N; ++k) data[std::size_t(k)] = x.data(k);
  }
  Expansion<T, N> operator[](std::int64_t offset) const {
    Expansion<T, N> value;
    for (int k = 0; k < N; ++k) value.limb[k] = data[std::size_t(k)][offset];
    return value;
  }
};

/// The first element that equals the extreme or, if that is NaN, is NaN too.
template <class T, int N>
std::int64_t first_place(const Planes<T, N>& elements, std::int64_t base, std::int64_t stride,
                         std::int64_t length, const Expansion<T, N>& extreme) {
  std::int64_t i = 0;
  if (is_nan(extreme)) {
    while (i < length && !is_nan(elements[base + i * stride])) ++i;
  } else {
    while (i < length && !(elements[base + i * stride] == extreme)) ++i;
  }
  return i;
}

}  // namespace

template <class T, int N>
Tensor<std::int64_t> run_arg_extreme(bool largest, const Tensor<T, N>& x, std::int64_t dim,
                                     bool keepdim) {
  const std::size_t d = normalize_dim(dim, x.shape());
  const std::int64_t length = x.shape()[d];
  const std::int64_t stride = x.strides()[d];
  Shape kept = x.shape();
  kept[d] = 1;
  auto out = Tensor<std::int64_t>::uninitialized(kept);
  const std::int64_t results = out.numel();
  if (length == 0 && results > 0)
    throw ShapeError(std::string(largest ? "argmax" : "argmin") +
                     ": no elements to choose from in dimension " + std::to_string(dim) +
                     " of shape " + to_string(x.shape()));
  // extremes are exact: the place is that of the first element which equals its own
  const auto extremes =
      run_reduction(largest ? Reduce::max : Reduce::min, x, {dim}, true).contiguous();
  const Planes<T, N> elements(x);
  const auto work = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      out.data()[r] = first_place(elements, offset_of(r, kept, x.strides()), stride, length,
                                  load_element(extremes, r));
  };
  parallel_ranges(results, threads_for(double(results) * double(length) * N), work);
  if (keepdim) return out;
  kept.erase(kept.begin() + std::ptrdiff_t(d));
  return out.reshape(kept);
}

#define MCT_INSTANTIATE(T, N) \
  template Tensor<std::int64_t> run_arg_extreme(bool, const Tensor<T, N>&, std::int64_t, bool);
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::tensor_detail
