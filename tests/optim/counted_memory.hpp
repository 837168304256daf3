// Replaces the global operator new by one that counts the bytes in use. For one source file of a
// test program.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace mct::test {

/// Bytes that are allocated and not given back.
inline std::atomic<std::size_t> allocated_bytes{0};

inline void* allocate_and_count(std::size_t bytes, std::size_t alignment) {
  void* block = nullptr;
  if (::posix_memalign(&block, alignment, bytes) != 0) throw std::bad_alloc();
  allocated_bytes += ::malloc_usable_size(block);
  return block;
}

inline void release_and_count(void* block) {
  if (block != nullptr) allocated_bytes -= ::malloc_usable_size(block);
  std::free(block);
}

}  // namespace mct::test

// g++ would pair an inlined half of these functions with the library's other half and warn.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return mct::test::allocate_and_count(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return mct::test::allocate_and_count(bytes, std::size_t(alignment));
}
[[gnu::noinline]] void operator delete(void* block) noexcept {
  mct::test::release_and_count(block);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept {
  mct::test::release_and_count(block);
}
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept {
  mct::test::release_and_count(block);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  mct::test::release_and_count(block);
}
