// What translated PTX (tools/ptx/ptx_to_cpp.py) runs on: one thread of a simulated block.
#pragma once

#include <memory>
#include <vector>

#include "tests/cuda/ptx/approximate.hpp"
#include "tests/cuda/ptx/integers.hpp"
#include "tests/cuda/ptx/shared_bytes.hpp"

namespace mct::cuda::ptx {

/// Where an address points. Shared, local and parameter addresses count from 0; as generic ones
/// they lie in windows that no global address of the host falls in.
enum class Space { generic, global, shared, local, constant, parameter };

constexpr std::uint64_t window(Space s) { return std::uint64_t(s) << 60; }
constexpr bool is_in(Space s, std::uint64_t at) { return at >> 60 == std::uint64_t(s); }
/// The address of a variable of the module.
template <class T>
std::uint64_t place_of(const T& variable) {
  return reinterpret_cast<std::uintptr_t>(&variable);
}

class Thread;

struct Entry {
  const char* name;  // mangled
  void (*run)(Thread&);
  std::size_t parameter_bytes;
  int threads;  // 0: any
  std::size_t local_bytes;
};
/// A variable with an initial value, in constant or global memory.
struct Table {
  const void* data;
  std::size_t bytes;
};
/// A translated file.
struct Module {
  std::vector<Entry> entries;
  std::vector<Table> tables;
};

enum class Shuffle { idx, up, down, bfly };

class Thread {
 public:
  using At = Block::At;

  Thread(const SimulatedTeam& team, SharedMemory& shared, const void* parameters,
         const Entry& entry, const Module& module)
      : team_(team),
        shared_(shared),
        parameters_(static_cast<const unsigned char*>(parameters)),
        entry_(entry),
        module_(module),
        local_(entry.local_bytes),
        local_written_(entry.local_bytes) {}

  template <Space S, class T, int Count>
  std::array<T, Count> load(std::uint64_t at, At line = At::current()) {
    std::array<T, Count> r;
    read(S, at, &r, sizeof r, line);
    return r;
  }
  template <Space S, class T, int Count>
  void store(std::uint64_t at, const std::array<T, Count>& x, At line = At::current()) {
    write(S, at, &x, sizeof x, line);
  }
  void copy(std::uint64_t to, std::uint64_t from, std::uint32_t bytes, At line = At::current());
  void commit() { team_.commit(); }
  void wait(std::uint32_t left) { team_.wait_for_copies(int(left)); }

  void barrier(At line = At::current()) { team_.barrier(line); }
  void warp_barrier(std::uint32_t lanes, At line = At::current());

  struct Shown {
    std::uint32_t value;
    bool valid;
  };
  /// shfl.sync: `clamp` holds the last lane in its bits 0 to 4, the lanes' group in 8 to 12.
  Shown shuffle(Shuffle how, std::uint32_t x, std::uint32_t by, std::uint32_t clamp,
                std::uint32_t lanes, At line = At::current());
  std::uint32_t ballot(bool x, std::uint32_t lanes, At line = At::current());
  bool vote_all(bool x, std::uint32_t lanes, At line = At::current()) {
    return ballot(x, lanes, line) == everyone;
  }
  bool vote_any(bool x, std::uint32_t lanes, At line = At::current()) {
    return ballot(x, lanes, line) != 0;
  }
  bool vote_uni(bool x, std::uint32_t lanes, At line = At::current()) {
    const std::uint32_t votes = ballot(x, lanes, line);
    return votes == 0 || votes == everyone;
  }
#define MCT_REDUCE(name, expression)                                       \
  template <class T>                                                       \
  T reduce_##name(T x, std::uint32_t lanes, At line = At::current()) {     \
    return reduce(x, lanes, line, [](T a, T b) { return T(expression); }); \
  }
  MCT_REDUCE(add, to_bits(a) + to_bits(b))
  MCT_REDUCE(min, std::min(a, b))
  MCT_REDUCE(max, std::max(a, b))
  MCT_REDUCE(and, a& b)
  MCT_REDUCE(or, a | b)
  MCT_REDUCE(xor, a ^ b)
#undef MCT_REDUCE

  /// ldmatrix: lane 8 t + r names the beginning of row r of tile t.
  template <bool Transposed, int Count>
  std::array<std::uint32_t, Count> load_matrix(std::uint64_t at, At line = At::current()) {
    const auto all = tiles(Transposed, Count, at, line);
    std::array<std::uint32_t, Count> r;
    std::copy_n(all.begin(), Count, r.begin());
    return r;
  }
  std::array<float, 4> multiply_bfloat16(std::array<std::uint32_t, 4> a,
                                         std::array<std::uint32_t, 2> b, std::array<float, 4> c,
                                         At line = At::current());
  std::array<std::int32_t, 4> multiply_bytes(std::array<std::uint32_t, 4> a,
                                             std::array<std::uint32_t, 2> b,
                                             std::array<std::int32_t, 4> c,
                                             At line = At::current());

  // Products of a warpgroup: their registers are variables of the translated kernel.
  void publish() { team_.publish(); }
  void fence_products() { team_.fence_products(); }
  void start_product(std::span<float* const> sums, std::span<const std::uint32_t* const> a,
                     std::uint64_t b, bool add, At line = At::current()) {
    team_.start_product(sums, a, nullptr, factor(b), add, line);
  }
  void start_product(std::span<float* const> sums, std::uint64_t a, std::uint64_t b, bool add,
                     At line = At::current()) {
    const auto left = factor(a);
    team_.start_product(sums, {}, &left, factor(b), add, line);
  }
  void commit_products() { team_.commit_products(); }
  void wait_for_products(std::uint32_t left, At line = At::current()) {
    team_.wait_for_products(int(left), line);
  }

  // The special registers; blocks have one dimension.
  static std::uint32_t tid(int axis) { return axis == 0 ? std::uint32_t(block().current) : 0; }
  static std::uint32_t ntid(int axis) { return axis == 0 ? std::uint32_t(block().size()) : 1; }
  static std::uint32_t ctaid(int axis) {
    return std::uint32_t(axis == 0 ? block().x : axis == 1 ? block().y : block().z);
  }
  static std::uint32_t nctaid(int axis) {
    return std::uint32_t(axis == 0   ? block().blocks_x
                         : axis == 1 ? block().blocks_y
                                     : block().blocks_z);
  }
  static std::uint32_t laneid() { return tid(0) % Block::warp; }
  static std::uint32_t warpid() { return tid(0) / Block::warp; }
  [[noreturn]] void trap(At line = At::current()) { fail("a trap", line); }

 private:
  static constexpr std::uint32_t everyone = 0xffffffff;

  static Block& block() { return *SimulatedTeam::block; }
  [[noreturn]] static void fail(const std::string& what, const At& line);
  static void check_lanes(std::uint32_t lanes, const At& line);

  SimulatedTeam::Factor factor(std::uint64_t bits) const {
    return {&shared_.as_matrices(), {std::uint32_t(bits), std::uint32_t(bits >> 32)}};
  }
  void read(Space s, std::uint64_t at, void* to, std::size_t bytes, const At& line);
  void write(Space s, std::uint64_t at, const void* from, std::size_t bytes, const At& line);
  bool in_table(std::uint64_t at, std::size_t bytes) const;
  /// The offset of `bytes` bytes in a space of `size`.
  static std::size_t inside(Space s, std::uint64_t at, std::size_t bytes, std::size_t size,
                            const At& line);
  std::array<std::uint32_t, 4> tiles(bool transposed, int count, std::uint64_t at, const At& line);

  template <class T, class Combine>
  T reduce(T x, std::uint32_t lanes, const At& line, const Combine& combine) {
    check_lanes(lanes, line);
    return team_.exchange(x, line, [&](auto of) {
      T r = of(0);
      for (int i = 1; i < Block::warp; ++i) r = combine(r, of(i));
      return r;
    });
  }

  const SimulatedTeam& team_;
  SharedMemory& shared_;
  const unsigned char* parameters_;
  const Entry& entry_;
  const Module& module_;
  std::vector<unsigned char> local_;
  std::vector<bool> local_written_;
};

}  // namespace mct::cuda::ptx
