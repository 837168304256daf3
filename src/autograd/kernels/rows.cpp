// Softmax, its logarithm and GELU of every plain format.
#include "src/autograd/kernels/row_kernels.hpp"

namespace mct::autograd_detail::MCT_KERNELS {

#define MCT_DEFINE_ROWS(T)                                             \
  template <>                                                          \
  const RowTable<T>& row_table<T>() {                                  \
    static constexpr RowTable<T> table = kernels::make_row_table<T>(); \
    return table;                                                      \
  }
MCT_DEFINE_ROWS(double)
MCT_DEFINE_ROWS(float)
MCT_DEFINE_ROWS(half)
MCT_DEFINE_ROWS(bfloat16)
#undef MCT_DEFINE_ROWS

}  // namespace mct::autograd_detail::MCT_KERNELS
