// Elements of attention's operands: plain numbers, or sums of several components. The components of
// an element lie side by side in tiles, although a tensor keeps them in separate planes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

#include "mctensor/attention/dual.hpp"
#include "mctensor/attention/streaming.hpp"
#include "mctensor/expansion/value.hpp"

namespace mct::attention_detail {

/// The type in which attention is computed: float, double, an expansion, or a number and its
/// derivative.
template <class T, int N>
using Element = std::conditional_t<N == 1, T, Expansion<T, N>>;
using Moving = Dual<double>;
template <class E>
using component_t = typename ValueTraits<E>::Limb;
template <class E>
inline constexpr int components = ValueTraits<E>::limbs;
template <class E>
using TensorOf = Tensor<component_t<E>, components<E>>;
template <class E>
using OperandsOf = attention::Operands<component_t<E>, components<E>>;
template <class E>
using MaskOf = attention::Mask<component_t<E>, components<E>>;
template <class E>
using AttendedOf = attention::Attended<component_t<E>, components<E>>;
template <class E>
using GradientsOf = attention::Gradients<component_t<E>, components<E>>;
/// The type in which long sums are added.
template <class E>
using Wide = std::conditional_t<is_expansion_v<E>, E, double>;

/// The element `offset` places after the first of a tensor.
template <class E>
E element_at(const TensorOf<E>& x, std::int64_t offset) {
  if constexpr (components<E> == 1) {
    return x.data()[offset];
  } else {
    E element;
    for (int c = 0; c < components<E>; ++c) element.limb[c] = x.data(c)[offset];
    return element;
  }
}

/// Memory of elements, aligned to cache lines. Copies share it.
template <class E>
class Buffer {
 public:
  Buffer() = default;
  /// Of any values.
  explicit Buffer(std::int64_t n)
      : size_(n),
        data_(static_cast<E*>(::operator new(std::size_t(n) * sizeof(E), alignment)),
              [](E* p) { ::operator delete(p, alignment); }) {}
  static Buffer zeros(std::int64_t n) {
    Buffer made(n);
    made.fill(E(0));
    return made;
  }
  /// The elements of a tensor: its own memory if that is contiguous and holds elements.
  static Buffer of(const TensorOf<E>& x) {
    const TensorOf<E> from = x.contiguous();
    if constexpr (components<E> == 1) {
      Buffer made;
      made.size_ = from.numel();
      made.data_ = std::shared_ptr<E>(std::make_shared<TensorOf<E>>(from), from.data());
      return made;
    } else {
      Buffer made(from.numel());
      for (std::int64_t i = 0; i < made.size_; ++i) made.data()[i] = element_at<E>(from, i);
      return made;
    }
  }
  /// Writes them to a contiguous tensor, unless it is the tensor's memory.
  void store(const TensorOf<E>& to) const {
    if constexpr (components < E >> 1)
      for (std::int64_t i = 0; i < size_; ++i)
        for (int c = 0; c < components<E>; ++c) to.data(c)[i] = data()[i].limb[c];
  }

  E* data() const { return data_.get(); }
  void fill(const E& value) const { std::fill_n(data(), size_, value); }

 private:
  static constexpr std::align_val_t alignment{64};
  std::int64_t size_ = 0;
  std::shared_ptr<E> data_;
};

}  // namespace mct::attention_detail
