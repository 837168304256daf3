#include "mctensor/nn/dropout.hpp"

#include "mctensor/tensor/philox.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::nn {

template <class T>
Tensor<T> dropout_mask(const Shape& shape, double p, double kept, std::uint64_t seed,
                       std::uint64_t call) {
  auto mask = Tensor<T>::uninitialized(shape);
  const std::int64_t count = mask.numel();
  const auto value = T(kept);
  const auto limit = std::uint64_t(p * 0x1p32);  // of 2^32 equally likely words
  T* const out = mask.data();
  const auto work = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t four = begin; four < end; ++four) {
      const auto words = philox4x32({std::uint32_t(four), std::uint32_t(std::uint64_t(four) >> 32),
                                     std::uint32_t(call), std::uint32_t(call >> 32)},
                                    {std::uint32_t(seed), std::uint32_t(seed >> 32)});
      for (std::int64_t k = 0; k < 4 && 4 * four + k < count; ++k)
        out[4 * four + k] = words[std::size_t(k)] < limit ? T(0) : value;
    }
  };
  tensor_detail::parallel_ranges((count + 3) / 4, tensor_detail::threads_for(double(count) * 10),
                                 work);
  return mask;
}

template Tensor<double> dropout_mask(const Shape&, double, double, std::uint64_t, std::uint64_t);
template Tensor<float> dropout_mask(const Shape&, double, double, std::uint64_t, std::uint64_t);
template Tensor<half> dropout_mask(const Shape&, double, double, std::uint64_t, std::uint64_t);
template Tensor<bfloat16> dropout_mask(const Shape&, double, double, std::uint64_t, std::uint64_t);

}  // namespace mct::nn
