// How many bytes a test program has in use. For one source file of a program: it replaces the
// global operator new by one that counts. AddressSanitizer has an allocator of its own, with
// functions that would be paired with ours (new that does not throw, with delete), and counts
// itself.
#pragma once

#if defined(MCT_ADDRESS_SANITIZER)

#include <cstddef>

// of its runtime; not every compiler package has sanitizer/allocator_interface.h
extern "C" std::size_t
__sanitizer_get_current_allocated_bytes();  // NOLINT(bugprone-reserved-identifier)

namespace mct::test {

/// Bytes that are allocated and not given back.
inline std::size_t allocated_bytes() { return ::__sanitizer_get_current_allocated_bytes(); }
/// Its runtime knows no maximum: what is allocated now.
inline std::size_t most_allocated_bytes() { return allocated_bytes(); }
inline void forget_most_allocated() {}

}  // namespace mct::test

#else

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace mct::test {

inline std::atomic<std::size_t> counted_bytes{0};
inline std::atomic<std::size_t> most_counted_bytes{0};

/// Bytes that are allocated and not given back.
inline std::size_t allocated_bytes() { return counted_bytes; }
/// The most that has been allocated at any time since forget_most_allocated().
inline std::size_t most_allocated_bytes() { return most_counted_bytes; }
inline void forget_most_allocated() { most_counted_bytes = counted_bytes.load(); }

inline void* allocate_and_count(std::size_t bytes, std::size_t alignment) {
  void* block = nullptr;
  if (::posix_memalign(&block, alignment, bytes) != 0) throw std::bad_alloc();
  const std::size_t now = counted_bytes += ::malloc_usable_size(block);
  std::size_t highest = most_counted_bytes;
  while (highest < now && !most_counted_bytes.compare_exchange_weak(highest, now)) {
  }
  return block;
}

inline void release_and_count(void* block) {
  if (block != nullptr) counted_bytes -= ::malloc_usable_size(block);
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

#endif
