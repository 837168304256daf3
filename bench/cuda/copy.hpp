#pragma once

#include <cstddef>

namespace mct::bench {

/// bytes: a multiple of 16.
void copy_by_kernel(void* to, const void* from, std::size_t bytes, int multiprocessors,
                    void* stream);

}  // namespace mct::bench
