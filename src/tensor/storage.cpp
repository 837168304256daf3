#include "mctensor/tensor/storage.hpp"

#include <cstring>
#include <functional>
#include <new>
#include <string>
#include <utility>

#include "mctensor/error.hpp"

namespace mct {

Storage Storage::allocate(std::size_t bytes, bool zero) {
  Storage storage;
  constexpr std::align_val_t alignment{tensor_alignment};
  void* data = ::operator new(bytes == 0 ? 1 : bytes, alignment, std::nothrow);
  if (data == nullptr)
    throw MemoryError("not enough memory for " + std::to_string(bytes) + " bytes");
  storage.data_ =
      std::shared_ptr<void>(data, [](void* block) { ::operator delete(block, alignment); });
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
