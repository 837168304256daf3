// Your own loop on the threads of num_threads().
#pragma once

#include <cstdint>

#include "mctensor/base/functions.hpp"

namespace mct {

/// Calls work(begin, end) for ranges that together are [0, count), each on one thread; on the
/// calling thread alone where `cost`, about how many simple operations there are in all, does not
/// pay for waking others; not at all if count is 0. An exception is thrown on once all have
/// stopped, the one of the first range if there are several. Throws DomainError for a negative
/// count.
void parallel_for(std::int64_t count, double cost,
                  FunctionRef<void(std::int64_t, std::int64_t)> work);

}  // namespace mct
