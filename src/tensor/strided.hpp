// Loops over strided, broadcast operands, cut into contiguous blocks for a kernel.
//
// A kernel sees contiguous memory only: kernel(n, out, in...), where out[k] and in[k] point to n
// values of limb k. Operands that are not contiguous along the innermost dimension (transposed,
// sliced, broadcast) pass through a small buffer.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"
#include "src/tensor/layout.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::tensor_detail {

inline constexpr int max_limbs = 4;
inline constexpr std::int64_t block_length = 512;

/// A tensor as an operand of a loop: where its elements lie, its strides in the loop's dimensions.
template <class T>
struct Operand {
  T* data = nullptr;
  std::int64_t plane_stride = 0;
  int limbs = 1;
  Shape strides;
};

/// A tensor as an operand of a loop over a shape that it broadcasts to.
template <class T, int N>
Operand<T> operand(const Tensor<T, N>& x, const Shape& shape) {
  Operand<T> result{x.data(), x.plane_stride(), N, Shape(shape.size(), 0)};
  const std::size_t offset = shape.size() - x.shape().size();
  for (std::size_t i = 0; i < x.shape().size(); ++i)
    if (x.shape()[i] != 1) result.strides[offset + i] = x.strides()[i];
  return result;
}

/// The same, to be read only.
template <class T, int N>
Operand<const T> source(const Tensor<T, N>& x, const Shape& shape) {
  const Operand<T> o = operand(x, shape);
  return {o.data, o.plane_stride, o.limbs, o.strides};
}

/// Throws ShapeError for a tensor that has one element in several places, as expand makes them:
/// what is written there would depend on the order.
template <class T, int N>
void require_distinct_elements(const Tensor<T, N>& x) {
  require_distinct_elements(x.shape(), x.strides(), N, x.plane_stride());
}

/// The tensor that a loop over its shape writes to.
template <class T, int N>
Operand<T> target(const Tensor<T, N>& x) {
  require_distinct_elements(x);
  return operand(x, x.shape());
}

/// The first byte of a tensor's elements and the one after the last.
template <class T, int N>
std::pair<std::uintptr_t, std::uintptr_t> byte_range(const Tensor<T, N>& x) {
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (std::size_t d = 0; d < x.shape().size(); ++d)
    (x.strides()[d] < 0 ? low : high) += (x.shape()[d] - 1) * x.strides()[d];
  (x.plane_stride() < 0 ? low : high) += (N - 1) * x.plane_stride();
  const auto start = reinterpret_cast<std::uintptr_t>(x.data());
  return {start + std::uintptr_t(low) * sizeof(T), start + std::uintptr_t(high + 1) * sizeof(T)};
}

/// True if writing to `out` element by element could change elements of `in` that are still to be
/// read: they may share memory, also as views of memory that is not ours, and are not the same
/// view.
template <class T, int N, class U, int M>
bool overlaps(const Tensor<T, N>& out, const Tensor<U, M>& in) {
  if (out.numel() == 0 || in.numel() == 0) return false;
  const auto [out_begin, out_end] = byte_range(out);
  const auto [in_begin, in_end] = byte_range(in);
  if (out_end <= in_begin || in_end <= out_begin) return false;
  if constexpr (std::is_same_v<T, U>) {
    return !(out.data() == in.data() && out.strides() == in.strides() &&
             out.shape() == in.shape() && (M == 1 || out.plane_stride() == in.plane_stride()));
  } else {
    return true;
  }
}

/// Drops dimensions of size 1 and merges neighbours that all operands step through evenly.
template <class... T>
void coalesce(Shape& shape, Operand<T>&... operands) {
  std::size_t kept = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    const bool merges =
        kept > 0 && ((operands.strides[kept - 1] == operands.strides[d] * shape[d]) && ...);
    if (merges) {
      shape[kept - 1] *= shape[d];
      ((operands.strides[kept - 1] = operands.strides[d]), ...);
    } else {
      shape[kept] = shape[d];
      ((operands.strides[kept] = operands.strides[d]), ...);
      ++kept;
    }
  }
  shape.resize(kept);
  (operands.strides.resize(kept), ...);
  if (shape.empty()) {
    shape.push_back(1);
    (operands.strides.assign(1, 1), ...);
  }
}

/// One operand's window on the current block.
template <class T>
class Window {
  using Plain = std::remove_const_t<T>;

 public:
  explicit Window(const Operand<T>& operand) : operand_(operand), stride_(operand.strides.back()) {}

  /// Moves to n elements from `offset` on; elements to be read are brought in.
  T* const* open(std::int64_t offset, std::int64_t n) {
    offset_ = offset;
    for (int k = 0; k < operand_.limbs; ++k) {
      T* plane = operand_.data + offset + k * operand_.plane_stride;
      if (stride_ == 1 || n == 1) {
        planes_[std::size_t(k)] = plane;
        continue;
      }
      Plain* buffer = &buffer_[std::size_t(k * block_length)];
      if constexpr (std::is_const_v<T>) {
        if (stride_ == 0) {
          std::fill_n(buffer, n, *plane);
        } else {
          for (std::int64_t i = 0; i < n; ++i) buffer[i] = plane[i * stride_];
        }
      }
      planes_[std::size_t(k)] = buffer;
    }
    return planes_.data();
  }

  /// Writes what the kernel left in the buffer to where it belongs.
  void close(std::int64_t n) {
    if (stride_ == 1 || n == 1) return;
    for (int k = 0; k < operand_.limbs; ++k) {
      T* plane = operand_.data + offset_ + k * operand_.plane_stride;
      const Plain* buffer = &buffer_[std::size_t(k * block_length)];
      for (std::int64_t i = 0; i < n; ++i) plane[i * stride_] = buffer[i];
    }
  }

  std::int64_t stride() const { return stride_; }

 private:
  const Operand<T>& operand_;
  std::int64_t stride_;
  std::int64_t offset_ = 0;
  std::array<T*, max_limbs> planes_{};
  std::array<Plain, std::size_t(max_limbs* block_length)> buffer_;
};

/// Runs a kernel over all elements of `shape`, on several threads where that pays. `cost` is what
/// one element costs in simple operations.
template <class Kernel, class Out, class... In>
void run_blocks(Shape shape, const Kernel& kernel, double cost, Operand<Out> out,
                Operand<const In>... in) {
  const std::int64_t count = numel(shape);
  if (count == 0) return;
  coalesce(shape, out, in...);
  const std::int64_t length = shape.back();
  // long rows are cut so that threads share them
  constexpr std::int64_t piece = 8 * block_length;
  const std::int64_t pieces = (length + piece - 1) / piece;
  const auto work = [&](std::int64_t begin, std::int64_t end) {
    Window<Out> out_window(out);
    std::tuple<Window<const In>...> in_windows{Window<const In>(in)...};
    for (std::int64_t p = begin; p < end; ++p) {
      const std::int64_t outer = p / pieces;
      const std::int64_t first = p % pieces * piece;
      const std::int64_t last = std::min(first + piece, length);
      const std::int64_t out_base = offset_of(outer, shape, out.strides, shape.size() - 1);
      const std::array<std::int64_t, sizeof...(In)> in_base{
          offset_of(outer, shape, in.strides, shape.size() - 1)...};
      const bool direct = out_window.stride() == 1 && ((in.strides.back() == 1) && ...);
      const std::int64_t step = direct ? piece : block_length;
      for (std::int64_t i = first; i < last; i += step) {
        const std::int64_t n = std::min(step, last - i);
        Out* const* target = out_window.open(out_base + i * out_window.stride(), n);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          kernel(std::size_t(n), target,
                 std::get<I>(in_windows)
                     .open(in_base[I] + i * std::get<I>(in_windows).stride(), n)...);
        }
        (std::index_sequence_for<In...>{});
        out_window.close(n);
      }
    }
  };
  parallel_ranges(count / length * pieces, threads_for(double(count) * cost), work);
}

}  // namespace mct::tensor_detail
