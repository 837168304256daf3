#include "mctensor/tensor/parallel_for.hpp"

#include "src/tensor/parallel.hpp"

namespace mct {

void parallel_for(std::int64_t count, double cost,
                  const std::function<void(std::int64_t, std::int64_t)>& work) {
  tensor_detail::parallel_ranges(count, tensor_detail::threads_for(cost), work);
}

}  // namespace mct
