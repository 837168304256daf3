#include "mctensor/tensor/parallel_ranges.hpp"

#include <algorithm>

#include "src/tensor/parallel.hpp"

namespace mct {

void parallel_ranges(std::int64_t count, int threads,
                     const std::function<void(std::int64_t, std::int64_t)>& body) {
  tensor_detail::parallel_ranges(count, std::max(threads, 1), body);
}

}  // namespace mct
