// The global memory that a simulated grid may touch: every array is registered, so that an access
// beside them, or one that races with another block, is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/cuda/simulator/access.hpp"

namespace mct::cuda {

class GlobalMemory {
 public:
  /// Arrays that hold something already, and may be written if not const.
  template <class T>
  GlobalMemory& add(std::vector<T>& array) {
    return add(array.data(), array.size() * sizeof(T), true, true);
  }
  template <class T>
  GlobalMemory& add(const std::vector<T>& array) {
    return add(array.data(), array.size() * sizeof(T), true, false);
  }
  /// An array that must be written before it is read.
  template <class T>
  GlobalMemory& add_output(std::vector<T>& array) {
    return add(array.data(), array.size() * sizeof(T), false, true);
  }

  /// Memory as a device gives it out, and back.
  void add_memory(const void* p, std::size_t bytes) { add(p, bytes, false, true); }
  void remove(const void* p) { arrays_.erase(reinterpret_cast<std::uintptr_t>(p)); }
  bool holds(const void* p) const;
  /// What a copy reads and writes, between launches.
  void copied_from(const void* p, std::size_t bytes);
  void copied_to(const void* p, std::size_t bytes);

  void read(const void* p, std::size_t bytes, const Block& block, const Block::At& at) {
    read(p, bytes, block, at, bytes);
  }
  void read(const void* p, std::size_t bytes, const Block& block, const Block::At& at,
            std::size_t alignment);
  void write(const void* p, std::size_t bytes, const Block& block, const Block::At& at);
  /// A new launch: what came before is ordered.
  void begin_launch();

 private:
  struct Array {
    std::uintptr_t first;
    bool writable;
    std::vector<Access> accesses;  // of every byte

    Access& place(const void* p, std::size_t i) {
      return accesses[reinterpret_cast<std::uintptr_t>(p) - first + i];
    }
  };

  GlobalMemory& add(const void* p, std::size_t bytes, bool holds_values, bool writable);
  Array& find(const void* p, std::size_t bytes, const char* what, const Block& block,
              const Block::At& at, std::size_t alignment);

  std::map<std::uintptr_t, Array> arrays_;
};

}  // namespace mct::cuda
