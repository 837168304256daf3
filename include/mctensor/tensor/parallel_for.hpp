// Runs your own loop on num_threads() threads.
#pragma once

#include <cstdint>

#include "mctensor/base/functions.hpp"

namespace mct {

/// Calls work(begin, end) for ranges that together are [0, count), each on one thread. `cost` is
/// roughly the number of simple operations of the whole loop. If it is too small for several
/// threads, the calling thread does all the work. If count is 0, work is not called. If `work`
/// throws, the exception of the first such range is rethrown when all threads have stopped. Throws
/// DomainError for a negative count.
void parallel_for(std::int64_t count, double cost,
                  FunctionRef<void(std::int64_t, std::int64_t)> work);

}  // namespace mct
