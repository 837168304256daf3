// Your own loop on the threads of num_threads().
#pragma once

#include <cstdint>
#include <functional>

namespace mct {

/// Calls work(begin, end) for ranges that together are [0, count), each on one thread; on the
/// calling thread alone where `cost`, about how many simple operations there are in all, does not
/// pay for waking others. An exception is thrown on once all have stopped.
void parallel_for(std::int64_t count, double cost,
                  const std::function<void(std::int64_t, std::int64_t)>& work);

}  // namespace mct
