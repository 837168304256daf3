// The start functions of a library that was built without CUDA: they throw DeviceError.
#include "cuda/optim/adamw_launch.hpp"

namespace mct::cuda {

template <class T>
void start_adamw(const AdamWLaunch&, const Stream&) {
  refuse_launch();
}
template void start_adamw<bfloat16>(const AdamWLaunch&, const Stream&);
template void start_adamw<half>(const AdamWLaunch&, const Stream&);
template void start_adamw<float>(const AdamWLaunch&, const Stream&);

#define MCT_REFUSE_PROGRAM(...)                         \
  template <>                                           \
  void launch(const __VA_ARGS__&, const Grid&, void*) { \
    refuse_launch();                                    \
  }
MCT_FOR_EACH_GRADIENT_PROGRAM(MCT_REFUSE_PROGRAM)

}  // namespace mct::cuda
