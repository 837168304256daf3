#include "mctensor/tensor/storage.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstring>
#include <functional>
#include <new>
#include <string>
#include <utility>

#include "mctensor/error.hpp"

namespace mct {

namespace {

/// Memory of at least so many bytes is asked for in pages of 2 MiB, where the system has them for
/// those that ask: results of a few MiB are often new memory, and 4 KiB at a time it costs as much
/// as what is computed into it.
constexpr std::size_t large = std::size_t(4) << 20;
constexpr std::size_t huge_page = std::size_t(2) << 20;

void use_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(data, bytes / huge_page * huge_page, MADV_HUGEPAGE);  // a wish
#endif
}

}  // namespace

Storage Storage::allocate(std::size_t bytes, bool zero) {
  Storage storage;
  const bool is_large = bytes >= large;
  const std::align_val_t alignment{is_large ? huge_page : tensor_alignment};
  void* data = ::operator new(bytes == 0 ? 1 : bytes, alignment, std::nothrow);
  if (data == nullptr)
    throw MemoryError("not enough memory for " + std::to_string(bytes) + " bytes");
  if (is_large) use_huge_pages(data, bytes);
  storage.data_ = std::shared_ptr<void>(
      data, [alignment](void* block) { ::operator delete(block, alignment); });
  storage.bytes_ = bytes;
  if (zero) std::memset(data, 0, bytes);
  return storage;
}

Storage Storage::wrap(void* data, std::size_t bytes, std::function<void()> release) {
  Storage storage;
  storage.data_ = std::shared_ptr<void>(data, [release = std::move(release)](void*) {
    if (release) release();
  });
  storage.bytes_ = bytes;
  return storage;
}

}  // namespace mct
