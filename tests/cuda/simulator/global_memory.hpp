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

  /// Forgets an array.
  template <class T>
  void remove(const std::vector<T>& array) {
    arrays_.erase(reinterpret_cast<std::uintptr_t>(array.data()));
  }

  void read(const void* p, std::size_t bytes, const Block& block, const Block::At& at) {
    Array& array = find(p, bytes, "read", block, at);
    for (std::size_t i = 0; i < bytes; ++i)
      fail_if(array.place(p, i).read(Moment::now(block)), block, at);
  }
  void write(const void* p, std::size_t bytes, const Block& block, const Block::At& at) {
    Array& array = find(p, bytes, "write", block, at);
    if (!array.writable) fail_if("write to constant memory", block, at);
    for (std::size_t i = 0; i < bytes; ++i)
      fail_if(array.place(p, i).write(Moment::now(block)), block, at);
  }
  /// A new launch: what came before is ordered.
  void begin_launch() {
    for (auto& [address, array] : arrays_)
      for (Access& access : array.accesses) {
        const bool written = access.written();
        access = Access();
        if (written) access.set_written();
      }
  }

 private:
  struct Array {
    std::uintptr_t first;
    bool writable;
    std::vector<Access> accesses;  // of every byte

    Access& place(const void* p, std::size_t i) {
      return accesses[reinterpret_cast<std::uintptr_t>(p) - first + i];
    }
  };

  GlobalMemory& add(const void* p, std::size_t bytes, bool holds_values, bool writable) {
    const auto first = reinterpret_cast<std::uintptr_t>(p);
    Array array{first, writable, std::vector<Access>(bytes)};
    if (holds_values)
      for (Access& access : array.accesses) access.set_written();
    arrays_.insert_or_assign(first, std::move(array));
    return *this;
  }
  Array& find(const void* p, std::size_t bytes, const char* what, const Block& block,
              const Block::At& at) {
    const auto first = reinterpret_cast<std::uintptr_t>(p);
    if (first % bytes != 0)
      fail_if("misaligned " + std::string(what) + " of " + std::to_string(bytes) + " bytes", block,
              at);
    auto after = arrays_.upper_bound(first);
    if (after != arrays_.begin()) {
      Array& array = std::prev(after)->second;
      if (first + bytes <= array.first + array.accesses.size()) return array;
    }
    throw error(std::string(what) + " out of bounds of global memory", block, at);
  }
  static SimulationError error(const std::string& what, const Block& block, const Block::At& at) {
    return SimulationError(what + ": thread " + std::to_string(block.current) + " of block " +
                           std::to_string(block.number) + ", line " + std::to_string(at.line()));
  }
  static void fail_if(const std::string& what, const Block& block, const Block::At& at) {
    if (!what.empty()) throw error(what, block, at);
  }

  std::map<std::uintptr_t, Array> arrays_;
};

}  // namespace mct::cuda
