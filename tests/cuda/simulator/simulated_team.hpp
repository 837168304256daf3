// The team of a block program on the CPU: what DeviceTeam is on a GPU, but every access is checked.
//
// Found are: races in shared and global memory (also between blocks), reads of what was never
// written or is still being copied, accesses out of bounds or not aligned, barriers and exchanges
// that not all threads reach. Not found are what the memory model allows beyond that order (the
// simulator is sequentially consistent), and what atomics do.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "cuda/base/matrix_descriptor.hpp"
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

  template <class T, int N, int Alignment = 16>
  class Array final : public MatrixMemory {
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
    float start_read(int byte, const At& at) const override {
      constexpr int elements = 2 / int(sizeof(T));  // of a bfloat16: one, or two bytes
      static_assert(elements >= 0);
      if constexpr (elements == 0) {
        fail_if("not a matrix", byte, at);
        return 0;
      } else {
        const int i = byte / int(sizeof(T));
        check_place(i, elements, at);
        for (int k = 0; k < elements; ++k)
          fail_if(access_[i + k].start_product_read(*block), i + k, at);
        std::uint16_t bits;
        std::memcpy(&bits, &data_[i], sizeof bits);
        return std::bit_cast<float>(std::uint32_t(bits) << 16);
      }
    }
    void finish_read(int byte) const override {
      for (int k = 0; k < 2 / int(sizeof(T)); ++k)
        access_[byte / int(sizeof(T)) + k].finish_product_read();
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

    alignas(Alignment < 128 ? 128 : Alignment) T data_[N];
    mutable Access access_[N];
  };

  int rank() const { return block->current; }
  int rank_anew() const { return rank(); }
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

  template <class T>
  T shuffle(T x, int from, const At& at = At::current()) const {
    return exchange(x, at, [&](auto lane_value) { return lane_value(from % Block::warp); });
  }
  template <class X>  // a template because exchange is defined further down
  bool any(X x, const At& at = At::current()) const {
    return exchange(bool(x), at, [](auto lane_value) {
      bool found = false;
      for (int i = 0; i < Block::warp; ++i) found |= lane_value(i);
      return found;
    });
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

  template <class T, int N, int A>
  void copy_async(Array<T, N, A>& to, int i, const T* from, const At& at = At::current()) const {
    copy_async(to, i, from, true, at);
  }
  template <class T, int N, int Alignment>
  void copy_async(Array<T, N, Alignment>& to, int i, const T* from, bool valid,
                  const At& at = At::current()) const {
    using A = Array<T, N, Alignment>;
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

  template <bool Transposed = false, class T, int N, int A>
  void load_matrix(const Array<T, N, A>& from, int i, std::uint32_t (&tiles)[4],
                   const At& at = At::current()) const {
    static_assert(sizeof(T) == 2);
    Array<T, N, A>::check_place(i, 8, at);
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

  // Products of a warpgroup: products_under_way.hpp has what is checked.

  /// A factor in shared memory. Its address counts from the beginning of the array.
  struct Factor {
    const MatrixMemory* memory;
    MatrixDescriptor descriptor;

    Factor moved(int bytes, int more_leading = 0) const {
      return {memory, descriptor.moved(bytes, more_leading)};
    }
  };
  template <class T, int N, int A>
  Factor describe(const Array<T, N, A>& of, int i, int leading, int stride) const {
    static_assert(sizeof(T) == 2 && A >= swizzled_bytes);
    return {&of, MatrixDescriptor::of(std::uint32_t(2 * i), std::uint32_t(leading),
                                      std::uint32_t(stride))};
  }
  void publish() const {
    if (block->faults->publishes()) ++block->self().published;
  }
  void fence_products() const {
    if (block->faults->fences_products()) block->self().products.fence();
  }
  template <int Tiles>
  void start_product(float (*sums)[4], const Factor& a, const Factor& b, bool add,
                     const At& at = At::current()) const {
    start_product(registers<Tiles>(sums), {}, &a, b, add, at);
  }
  template <int Tiles>
  void start_product(float (*sums)[4], const std::uint32_t (&a)[4], const Factor& b, bool add,
                     const At& at = At::current()) const {
    const std::array<const std::uint32_t*, 4> left = {&a[0], &a[1], &a[2], &a[3]};
    start_product(registers<Tiles>(sums), left, nullptr, b, add, at);
  }
  /// a: four registers, or none and a_in_memory.
  void start_product(std::span<float* const> sums, std::span<const std::uint32_t* const> a,
                     const Factor* a_in_memory, const Factor& b, bool add, const At& at) const;
  void commit_products() const { block->self().products.commit(); }
  template <int Left>
  void wait_for_products(const At& at = At::current()) const {
    wait_for_products(Left, at);
  }
  void wait_for_products(int left, const At& at) const;
  template <int Tiles>
  void take_sums(float (*)[4]) const {}

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
  template <int Tiles>
  static std::array<float*, 4 * Tiles> registers(float (*sums)[4]) {
    std::array<float*, 4 * Tiles> r;
    for (int i = 0; i < 4 * Tiles; ++i) r[std::size_t(i)] = &sums[i / 4][i % 4];
    return r;
  }
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
