// Softmax, its logarithm and GELU of every plain format.
#include "src/autograd/kernels/row_kernels.hpp"
#include "src/tensor/component_list.hpp"

namespace mct::autograd_detail::MCT_KERNELS {

#define MCT_DEFINE_ROWS(T)                                             \
  template <>                                                          \
  const RowTable<T>& row_table<T>() {                                  \
    static constexpr RowTable<T> table = kernels::make_row_table<T>(); \
    return table;                                                      \
  }
MCT_FOR_EACH_COMPONENT(MCT_DEFINE_ROWS)
#undef MCT_DEFINE_ROWS

}  // namespace mct::autograd_detail::MCT_KERNELS
