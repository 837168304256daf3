#include "src/device/reduce.hpp"

namespace mct::cuda {

#define MCT_INSTANTIATE(T, N)                                        \
  template DeviceTensor<T, N> sum(const DeviceTensor<T, N>&, Over);  \
  template DeviceTensor<T, N> mean(const DeviceTensor<T, N>&, Over); \
  template DeviceTensor<T, N> max(const DeviceTensor<T, N>&, Over);  \
  template DeviceTensor<T, N> min(const DeviceTensor<T, N>&, Over);  \
  template void reduce_to(const DeviceTensor<T, N>&, Reduction, const DeviceTensor<T, N>&, Over);
MCT_FOR_EACH_DEVICE_TYPE(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::cuda
