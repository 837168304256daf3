// Replaces the global operator new by one that remembers the largest request. For one source file
// of a test program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace mct::testing {

/// In bytes; set it to 0 before what is to be measured.
inline std::atomic<std::size_t> largest_allocation{0};

inline void* allocate_and_remember(std::size_t bytes, std::size_t alignment) {
  std::size_t largest = largest_allocation;
  while (bytes > largest && !largest_allocation.compare_exchange_weak(largest, bytes)) {
  }
  void* block = nullptr;
  if (::posix_memalign(&block, alignment, bytes) != 0) throw std::bad_alloc();
  return block;
}

}  // namespace mct::testing

// g++ would pair an inlined half of these functions with the library's other half and warn.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return mct::testing::allocate_and_remember(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return mct::testing::allocate_and_remember(bytes, std::size_t(alignment));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return mct::testing::allocate_and_remember(bytes, alignof(std::max_align_t));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
  try {
    return mct::testing::allocate_and_remember(bytes, std::size_t(alignment));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  std::free(block);
}
