#include "tests/cuda/simulator/global_memory.hpp"

#include <utility>

namespace mct::cuda {
namespace {

SimulationError error(const std::string& what, const Block& block, const Block::At& at) {
  return SimulationError(what + ": thread " + std::to_string(block.current) + " of block " +
                         std::to_string(block.number) + ", line " + std::to_string(at.line()));
}
void fail_if(const std::string& what, const Block& block, const Block::At& at) {
  if (!what.empty()) throw error(what, block, at);
}

}  // namespace

bool GlobalMemory::holds(const void* p) const {
  const auto after = arrays_.upper_bound(reinterpret_cast<std::uintptr_t>(p));
  if (after == arrays_.begin()) return false;
  const Array& array = std::prev(after)->second;
  return reinterpret_cast<std::uintptr_t>(p) < array.first + array.accesses.size();
}

void GlobalMemory::copied_from(const void* p, std::size_t bytes) {
  const Block nobody(1);
  begin_launch();
  read(p, bytes, nobody, Block::At::current(), 1);
}

void GlobalMemory::copied_to(const void* p, std::size_t bytes) {
  const Block nobody(1);
  Array& array = find(p, bytes, "copy", nobody, Block::At::current(), 1);
  for (std::size_t i = 0; i < bytes; ++i) array.place(p, i).set_written();
}

void GlobalMemory::read(const void* p, std::size_t bytes, const Block& block, const Block::At& at,
                        std::size_t alignment) {
  Array& array = find(p, bytes, "read", block, at, alignment);
  const Moment now = Moment::now(block);
  for (std::size_t i = 0; i < bytes; ++i) fail_if(array.place(p, i).read(now), block, at);
}

void GlobalMemory::write(const void* p, std::size_t bytes, const Block& block,
                         const Block::At& at) {
  Array& array = find(p, bytes, "write", block, at, bytes);
  if (!array.writable) fail_if("write to constant memory", block, at);
  const Moment now = Moment::now(block);
  for (std::size_t i = 0; i < bytes; ++i) fail_if(array.place(p, i).write(now), block, at);
}

void GlobalMemory::begin_launch() {
  for (auto& [address, array] : arrays_)
    for (Access& access : array.accesses) {
      const bool written = access.written();
      access = Access();
      if (written) access.set_written();
    }
}

GlobalMemory& GlobalMemory::add(const void* p, std::size_t bytes, bool holds_values,
                                bool writable) {
  const auto first = reinterpret_cast<std::uintptr_t>(p);
  Array array{first, writable, std::vector<Access>(bytes)};
  if (holds_values)
    for (Access& access : array.accesses) access.set_written();
  arrays_.insert_or_assign(first, std::move(array));
  return *this;
}

GlobalMemory::Array& GlobalMemory::find(const void* p, std::size_t bytes, const char* what,
                                        const Block& block, const Block::At& at,
                                        std::size_t alignment) {
  const auto first = reinterpret_cast<std::uintptr_t>(p);
  if (first % alignment != 0)
    fail_if("misaligned " + std::string(what) + " of " + std::to_string(bytes) + " bytes", block,
            at);
  auto after = arrays_.upper_bound(first);
  if (after != arrays_.begin()) {
    Array& array = std::prev(after)->second;
    if (first + bytes <= array.first + array.accesses.size()) return array;
  }
  throw error(std::string(what) + " out of bounds of global memory", block, at);
}

}  // namespace mct::cuda
