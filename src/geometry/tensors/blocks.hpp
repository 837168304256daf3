// Points by blocks, on threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "src/geometry/kernels/manifold_table.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::geometry::tensor_detail {

/// Calls work(first, count, memory) for each block of points, where make() gives the memory of a
/// thread; `cost`: the operations of a point.
template <class Make, class Work>
void for_each_block(std::int64_t points, double cost, const Make& make, const Work& work) {
  constexpr auto size = std::int64_t(geometry_detail::block);
  const std::int64_t blocks = (points + size - 1) / size;
  const int threads = mct::tensor_detail::threads_for(double(points) * cost);
  mct::tensor_detail::parallel_ranges(blocks, threads, [&](std::int64_t begin, std::int64_t end) {
    auto own = make();
    for (std::int64_t b = begin; b < end; ++b)
      work(b * size, std::size_t(std::min(size, points - b * size)), own);
    // writes past the caches are not ordered with later writes of this thread
    std::atomic_thread_fence(std::memory_order_seq_cst);
  });
}

}  // namespace mct::geometry::tensor_detail
