#include "mctensor/tensor/storage.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <atomic>
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

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= large ? huge_page : tensor_alignment};
}

void use_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(data, bytes / huge_page * huge_page, MADV_HUGEPAGE);  // a wish
#endif
}

#if defined(__has_feature)
#define MCT_HAS_FEATURE(name) __has_feature(name)
#else
#define MCT_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || MCT_HAS_FEATURE(address_sanitizer)
constexpr bool keeps_blocks = false;  // code that uses memory that was given back must be found
#else
constexpr bool keeps_blocks = true;
#endif

/// The last blocks that tensors gave back, for the next results of the same sizes. Of so many bytes
/// the allocator asks the system anew each time, which costs several times what is computed into
/// them. All blocks together are not larger than the smaller blocks that glibc keeps. No thread
/// waits: a thread takes a block out of its place before it looks at it.
class KeptBlocks {
 public:
  static bool keeps(std::size_t bytes) {
    return keeps_blocks && bytes >= smallest && bytes <= most / 2;
  }
  /// Null: there is none of this size.
  void* take(std::size_t bytes) {
    for (std::atomic<Block*>& place : places_) {
      if (place.load(std::memory_order_relaxed) == nullptr) continue;
      Block* const block = place.exchange(nullptr, std::memory_order_acquire);
      if (block == nullptr) continue;
      kept_.fetch_sub(block->bytes, std::memory_order_relaxed);
      if (block->bytes == bytes) return block;
      give(block, block->bytes);
    }
    return nullptr;
  }
  void give(void* data, std::size_t bytes) {
    auto* block = new (data) Block{bytes};
    kept_.fetch_add(bytes, std::memory_order_relaxed);
    const unsigned first = next_.fetch_add(1, std::memory_order_relaxed);
    for (unsigned i = 0; i < places && block != nullptr; ++i)
      if (Block* nothing = nullptr; places_[(first + i) % places].compare_exchange_strong(
              nothing, block, std::memory_order_release, std::memory_order_relaxed))
        block = nullptr;
    // others go, in turn; of all that are too much, the new one may be among them
    if (block != nullptr) drop(places_[first % places].exchange(block, std::memory_order_acq_rel));
    for (unsigned i = 1; i < places && kept_.load(std::memory_order_relaxed) > most; ++i)
      drop(places_[(first + i) % places].exchange(nullptr, std::memory_order_acquire));
  }

  /// Gives all back to the system.
  void clear() {
    for (std::atomic<Block*>& place : places_)
      drop(place.exchange(nullptr, std::memory_order_acquire));
  }

 private:
  struct Block {
    std::size_t bytes;
  };
  void drop(Block* block) {
    if (block == nullptr) return;
    const std::size_t bytes = block->bytes;
    kept_.fetch_sub(bytes, std::memory_order_relaxed);
    ::operator delete(block, alignment_of(bytes));
  }

  static constexpr std::size_t smallest = std::size_t(128) << 10;
  static constexpr std::size_t most = std::size_t(64) << 20;
  static constexpr unsigned places = 8;
  std::atomic<Block*> places_[places] = {};
  std::atomic<std::size_t> kept_{0};
  std::atomic<unsigned> next_{0};
};
constinit KeptBlocks kept_blocks;

void give_back(void* data, std::size_t bytes) {
  if (KeptBlocks::keeps(bytes)) {
    kept_blocks.give(data, bytes);
  } else {
    ::operator delete(data, alignment_of(bytes));
  }
}

}  // namespace

Storage Storage::allocate(std::size_t bytes, bool zero) {
  Storage storage;
  void* data = KeptBlocks::keeps(bytes) ? kept_blocks.take(bytes) : nullptr;
  if (data == nullptr) {
    const auto ask = [bytes] {
      return ::operator new(bytes == 0 ? 1 : bytes, alignment_of(bytes), std::nothrow);
    };
    data = ask();
    if (data == nullptr) {
      kept_blocks.clear();
      data = ask();
    }
    if (data == nullptr)
      throw MemoryError("not enough memory for " + std::to_string(bytes) + " bytes");
    if (bytes >= large) use_huge_pages(data, bytes);
  }
  storage.data_ = std::shared_ptr<void>(data, [bytes](void* block) { give_back(block, bytes); });
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
