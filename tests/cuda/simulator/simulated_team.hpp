// The team of a block program on the CPU: what DeviceTeam is on a GPU, but every access is checked.
//
// Found are: races in shared and global memory (also between blocks), reads of what was never
// written or is still being copied, accesses out of bounds or not aligned, barriers and exchanges
// that not all threads reach. Not found are what the memory model allows beyond that order (the
// simulator is sequentially consistent), and what atomics do.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "cuda/base/pack.hpp"
#include "tests/cuda/simulator/global_memory.hpp"
#include "tests/cuda/simulator/tensor_core.hpp"

namespace mct::cuda {

class SimulatedTeam {
 public:
  using At = Block::At;

  /// Of the simulation that runs.
  static inline thread_local Block* block = nullptr;
  static inline thread_local GlobalMemory* memory = nullptr;

  template <class T, int N>
  class Array {
   public:
    template <int K>
    Pack<T, K> read(int i, const At& at = At::current()) const {
      check_place(i, K, at);
      Pack<T, K> r;
      for (int k = 0; k < K; ++k) {
        fail_if(access_[i + k].read(Moment::now(*block)), i + k, at);
        r[k] = data_[i + k];
      }
      return r;
    }
    template <int K>
    void write(int i, const Pack<T, K>& x, const At& at = At::current()) {
      check_place(i, K, at);
      for (int k = 0; k < K; ++k) {
        if (access_[i + k].pending()) fail_if("write to what is still being copied", i + k, at);
        fail_if(access_[i + k].write(Moment::now(*block)), i + k, at);
        data_[i + k] = x[k];
      }
    }

   private:
    friend SimulatedTeam;

    static void check_place(int i, int count, const At& at) {
      if (i < 0 || i + count > N) fail_if("out of bounds", i, at);
      if (i % count != 0) fail_if("misaligned", i, at);
    }
    static void fail_if(const std::string& what, int i, const At& at) {
      if (!what.empty())
        throw SimulationError(what + ": shared element " + std::to_string(i) + ", thread " +
                              std::to_string(block->current) + ", line " +
                              std::to_string(at.line()));
    }

    alignas(128) T data_[N];
    mutable Access access_[N];
  };

  int rank() const { return block->current; }
  int block_x() const { return block->x; }
  int block_y() const { return block->y; }
  int block_z() const { return block->z; }
  int blocks_x() const { return block->blocks_x; }

  void barrier(const At& at = At::current()) const {
    if (!block->faults->drops(at)) block->park("barrier", at);
  }

  template <class T>
  T shuffle_xor(T x, int mask, const At& at = At::current()) const {
    return exchange(x, at, [&](auto lane_value) { return lane_value(lane() ^ mask); });
  }

  template <int K, class T>
  Pack<T, K> load(const T* p, const At& at = At::current()) const {
    memory->read(p, sizeof(Pack<T, K>), *block, at);
    Pack<T, K> r;
    std::memcpy(&r, p, sizeof r);
    return r;
  }
  template <int K, class T>
  void store(T* p, const Pack<T, K>& x, const At& at = At::current()) const {
    memory->write(p, sizeof x, *block, at);
    std::memcpy(static_cast<void*>(p), &x, sizeof x);
  }

  template <class T, int N>
  void copy_async(Array<T, N>& to, int i, const T* from, bool valid,
                  const At& at = At::current()) const {
    using A = Array<T, N>;
    A::check_place(i, widest<T>, at);
    if (valid) memory->read(from, 16, *block, at);
    for (int k = 0; k < widest<T>; ++k) {
      A::fail_if(to.access_[i + k].write(Moment::now(*block)), i + k, at);
      to.access_[i + k].set_pending(true);
    }
    auto& groups = block->self().copies;
    if (groups.empty()) groups.emplace_back();
    groups.back().push_back([&to, i, from, valid, at] {
      for (int k = 0; k < widest<T>; ++k) {
        to.access_[i + k].set_pending(false);
        A::fail_if(to.access_[i + k].write(Moment::now(*block)), i + k, at);
        to.data_[i + k] = valid ? from[k] : T();
      }
    });
  }
  void commit() const {
    auto& groups = block->self().copies;
    if (groups.empty()) groups.emplace_back();
    groups.emplace_back();
  }
  template <int Left>
  void wait() const {
    wait_for_copies(Left);
  }
  void wait_for_copies(int left) const {
    auto& groups = block->self().copies;
    for (; int(groups.size()) > left + block->faults->unawaited() + 1; groups.erase(groups.begin()))
      for (const auto& copy : groups.front()) copy();
  }

  template <bool Transposed = false, class T, int N>
  void load_matrix(const Array<T, N>& from, int i, std::uint32_t (&tiles)[4],
                   const At& at = At::current()) const {
    static_assert(sizeof(T) == 2);
    Array<T, N>::check_place(i, 8, at);
    exchange(i, at, [&](auto row_of) {
      for (int t = 0; t < 4; ++t) {
        std::uint16_t pair[2];
        for (int k = 0; k < 2; ++k) {
          const int first = 2 * (lane() % 4) + k;
          const int place =
              Transposed ? row_of(8 * t + first) + lane() / 4 : row_of(8 * t + lane() / 4) + first;
          pair[k] = std::bit_cast<std::uint16_t>(from.template read<1>(place, at)[0]);
        }
        tiles[t] = pair[0] | std::uint32_t(pair[1]) << 16;
      }
      return 0;
    });
  }

  void multiply_bfloat16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                         const At& at = At::current()) const {
    multiply<2>(d, a, b, at, [](std::uint32_t word, int part) {
      return std::bit_cast<float>(part != 0 ? word & 0xffff0000u : word << 16);
    });
  }
  void multiply_bytes(std::int32_t (&d)[4], const std::uint32_t (&a)[4],
                      const std::uint32_t (&b)[2], const At& at = At::current()) const {
    multiply<4>(d, a, b, at, [](std::uint32_t word, int part) {
      return std::int32_t(std::int8_t(word >> (8 * part)));
    });
  }

  /// Shows x to the warp; use(f) may ask f(lane) for what any lane shows.
  template <class X, class Use>
  auto exchange(const X& x, const At& at, const Use& use) const {
    static_assert(sizeof(X) <= sizeof(Block::Thread::shown));
    std::memcpy(block->self().shown, &x, sizeof x);
    block->park("exchange", at);
    const int first = block->current - lane();
    const auto result = use([&](int i) {
      X shown;
      std::memcpy(&shown, block->thread(first + i).shown, sizeof shown);
      return shown;
    });
    block->park("exchange", at);  // nobody overwrites it before all have read
    return result;
  }

 private:
  static int lane() { return block->current % Block::warp; }

  /// Fragments of which a register holds Parts neighbours along the inner dimension.
  template <int Parts, class D, class Unpack>
  void multiply(D (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], const At& at,
                const Unpack& unpack) const {
    struct Fragments {
      std::uint32_t a[4], b[2];
    };
    constexpr int depth = 8 * Parts;
    Fragments mine;
    std::memcpy(mine.a, a, sizeof mine.a);
    std::memcpy(mine.b, b, sizeof mine.b);
    exchange(mine, at, [&](auto of) {
      D left[2][depth], right[2][depth];  // two rows of a, two columns of b
      for (int t = 0; t < 4; ++t) {
        const Fragments row = of(lane() / 4 * 4 + t);
        for (int side = 0; side < 2; ++side) {
          const Fragments column = of((2 * (lane() % 4) + side) * 4 + t);
          for (int half = 0; half < 2; ++half)
            for (int part = 0; part < Parts; ++part) {
              const int k = half * 4 * Parts + t * Parts + part;
              left[side][k] = unpack(row.a[side + 2 * half], part);
              right[side][k] = unpack(column.b[half], part);
            }
        }
      }
      for (int i = 0; i < 4; ++i)
        d[i] = tensor_core_sum(d[i], left[i / 2], right[i % 2], block->tensor_core);
      return 0;
    });
  }
};

}  // namespace mct::cuda
