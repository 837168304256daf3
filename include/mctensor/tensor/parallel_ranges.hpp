// Loops over independent pieces of work on several threads.
#pragma once

#include <cstdint>
#include <functional>

namespace mct {

/// Calls body(begin, end) for at most `threads` ranges that together are [0, count), each on one
/// thread; on the calling thread alone if threads <= 1. Returns once all have stopped; an exception
/// of one of them is then thrown on. body must write to different memory for different indices.
/// In a build without OpenMP the ranges follow one another.
void parallel_ranges(std::int64_t count, int threads,
                     const std::function<void(std::int64_t, std::int64_t)>& body);

}  // namespace mct
