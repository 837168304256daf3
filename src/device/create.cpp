#include "mctensor/device/create.hpp"

#include "cuda/device/run.hpp"
#include "cuda/tensor/random.hpp"
#include "src/device/launches.hpp"

namespace mct::cuda {

template <class T, int N>
DeviceTensor<T, N> rand(const Shape& shape, std::uint64_t seed, const Stream& stream) {
  using Program = UniformNumbers<T, N>;
  auto out = DeviceTensor<T, N>::uninitialized(shape, stream);
  run(Program{planes(out), out.numel(), seed},
      blocks_for(out.numel(), std::int64_t(Program::threads) * Program::width), stream);
  return out;
}

template <class T, int N>
DeviceTensor<T, N> randn(const Shape& shape, std::uint64_t seed, const Stream& stream) {
  using Program = NormalNumbers<T, N>;
  auto out = DeviceTensor<T, N>::uninitialized(shape, stream);
  run(Program{planes(out), out.numel(), seed}, blocks_for(out.numel(), 2 * Program::threads),
      stream);
  return out;
}

#define MCT_INSTANTIATE(T, N)                                                         \
  template DeviceTensor<T, N> rand<T, N>(const Shape&, std::uint64_t, const Stream&); \
  template DeviceTensor<T, N> randn<T, N>(const Shape&, std::uint64_t, const Stream&);
MCT_FOR_EACH_DEVICE_TYPE(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::cuda
