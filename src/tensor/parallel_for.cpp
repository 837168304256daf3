#include "mctensor/tensor/parallel_for.hpp"

#include <string>

#include "mctensor/error.hpp"
#include "src/tensor/parallel.hpp"

namespace mct {

void parallel_for(std::int64_t count, double cost,
                  FunctionRef<void(std::int64_t, std::int64_t)> work) {
  if (count < 0)
    throw DomainError("parallel_for: the count " + std::to_string(count) + " is negative");
  if (count == 0) return;
  tensor_detail::parallel_ranges(count, tensor_detail::threads_for(cost), work);
}

}  // namespace mct
