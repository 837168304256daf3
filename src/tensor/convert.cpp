// Plain tensors of one format as tensors of another: kernels on threads.
#include "mctensor/tensor/convert.hpp"

#include "src/tensor/kernels/convert_table.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::tensor_detail {

template <class T, class U>
void convert_numbers(std::int64_t count, const T* from, U* to) {
  const auto kernel = find_convert_kernel<T, U>();
  parallel_ranges(count, threads_for(2 * double(count)), [&](std::int64_t begin, std::int64_t end) {
    kernel(std::size_t(end - begin), from + begin, to + begin);
  });
}

#define MCT_INSTANTIATE(T, U) template void convert_numbers(std::int64_t, const T*, U*);
MCT_FOR_EACH_CONVERSION(MCT_INSTANTIATE)

}  // namespace mct::tensor_detail
