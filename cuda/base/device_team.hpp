// The team of a block program on a GPU: a thread block.
//
// A block program (the sources say "program") is a function object that is templated on its Team.
// It asks the Team for everything that depends on where it runs: ranks, shared memory, barriers,
// exchanges within a warp, wide loads and stores, asynchronous copies, matrix instructions. So one
// source runs in a kernel and, thread by thread, in the simulator of the tests
// (tests/cuda/simulator). It has
//   threads         how many threads a block has
//   blocks_per_sm   how many blocks a multiprocessor shall hold: bounds the registers
//   Shared<Team>    its shared memory, a struct of Team::Array; without it, NoShared is passed
//   operator()(Team&, Shared<Team>&) const
// and its operands are members: pointers to global memory, sizes.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>

#include "cuda/base/matrix_descriptor.hpp"
#include "cuda/base/pack.hpp"
#include "cuda/base/warpgroup_products.hpp"

namespace mct::cuda {

class DeviceTeam {
 public:
  /// N values in shared memory, the first at a multiple of Alignment.
  template <class T, int N, int Alignment = 16>
  class Array {
   public:
    template <int K>
    __device__ __forceinline__ Pack<T, K> read(int i) const {
      return *reinterpret_cast<const Pack<T, K>*>(data_ + i);
    }
    template <int K>
    __device__ __forceinline__ void write(int i, const Pack<T, K>& x) {
      *reinterpret_cast<Pack<T, K>*>(data_ + i) = x;
    }

   private:
    friend DeviceTeam;
    alignas(Alignment) T data_[N];
  };

  __device__ __forceinline__ int rank() const { return int(threadIdx.x); }
  /// The same, but read again: the compiler does not keep values that depend on it from one turn of
  /// a loop to the next.
  __device__ __forceinline__ int rank_anew() const {
    int r;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(r));
    return r;
  }
  __device__ __forceinline__ int block_x() const { return int(blockIdx.x); }
  __device__ __forceinline__ int block_y() const { return int(blockIdx.y); }
  __device__ __forceinline__ int block_z() const { return int(blockIdx.z); }
  __device__ __forceinline__ int blocks_x() const { return int(gridDim.x); }

  /// All threads of the block arrive before one goes on. Then all see what the others wrote before.
  __device__ __forceinline__ void barrier() const { __syncthreads(); }

  /// The x of the lane of the warp whose number differs by mask. All lanes call it.
  template <class T>
  __device__ __forceinline__ T shuffle_xor(T x, int mask) const {
    return __shfl_xor_sync(0xffffffffu, x, mask);
  }

  /// The x of lane `from` of the warp; `from` may differ from lane to lane. All lanes call it.
  template <class T>
  __device__ __forceinline__ T shuffle(T x, int from) const {
    return __shfl_sync(0xffffffffu, x, from);
  }
  /// Whether x is true in any lane of the warp. All lanes call it.
  __device__ __forceinline__ bool any(bool x) const { return __any_sync(0xffffffffu, x) != 0; }

  /// K neighbours in global memory, aligned to their size.
  template <int K, class T>
  __device__ __forceinline__ Pack<T, K> load(const T* p) const {
    __builtin_assume(
        __isGlobal(p));  // else a pointer that was read from memory is generic: LD, not LDG
    return *reinterpret_cast<const Pack<T, K>*>(p);
  }
  template <int K, class T>
  __device__ __forceinline__ void store(T* p, const Pack<T, K>& x) const {
    __builtin_assume(__isGlobal(p));
    *reinterpret_cast<Pack<T, K>*>(p) = x;
  }

  /// Copies 16 bytes from global to shared memory. This thread sees them after wait(), the other
  /// threads after a barrier that follows it.
  template <class T, int N, int A>
  __device__ __forceinline__ void copy_async(Array<T, N, A>& to, int i, const T* from) const {
    __pipeline_memcpy_async(&to.data_[i], from, 16);
  }
  /// The same; if not valid, it writes zeros, and `from` may be anything.
  template <class T, int N, int A>
  __device__ __forceinline__ void copy_async(Array<T, N, A>& to, int i, const T* from,
                                             bool valid) const {
    // the function of cuda_pipeline.h compiles to two copies, one of which only writes zeros
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     std::uint32_t(__cvta_generic_to_shared(&to.data_[i]))),
                 "l"(__cvta_generic_to_global(from)), "r"(valid ? 16 : 0)
                 : "memory");
  }
  /// Ends a group of copies.
  __device__ __forceinline__ void commit() const { __pipeline_commit(); }
  /// Waits until at most the `Left` latest groups are incomplete.
  template <int Left>
  __device__ __forceinline__ void wait() const {
    __pipeline_wait_prior(Left);
  }

  /// Four 8 x 8 tiles of 16-bit values in shared memory, as fragments of a matrix instruction. Lane
  /// 8 t + r names the beginning of row r of tile t. Lane l gets elements 2 (l mod 4) and the next
  /// of row l / 4 of each tile; if Transposed, of column l / 4.
  template <bool Transposed = false, class T, int N, int A>
  __device__ __forceinline__ void load_matrix(const Array<T, N, A>& from, int i,
                                              std::uint32_t (&tiles)[4]) const {
    static_assert(sizeof(T) == 2);
    const auto at = std::uint32_t(__cvta_generic_to_shared(&from.data_[i]));
    if constexpr (Transposed) {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
                   : "r"(at)
                   : "memory");
    } else {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
                   : "r"(at)
                   : "memory");
    }
  }

  /// d += a b: a 16 x 16, b 16 x 8 of bfloat16, d 16 x 8 of float, as fragments of PTX's
  /// mma.m16n8k16. With g = lane / 4 and t = 2 (lane mod 4): a holds (row, columns) (g, t t+1),
  /// (g+8, t t+1), (g, t+8 t+9), (g+8, t+8 t+9); b holds (rows, column) (t t+1, g), (t+8 t+9, g);
  /// d holds (g, t), (g, t+1), (g+8, t), (g+8, t+1).
  __device__ __forceinline__ void multiply_bfloat16(float (&d)[4], const std::uint32_t (&a)[4],
                                                    const std::uint32_t (&b)[2]) const {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }

  /// d += a b: a 16 x 32, b 32 x 8 of signed bytes, d 16 x 8 of int, as fragments of PTX's
  /// mma.m16n8k32: like those of multiply_bfloat16, with four bytes in the place of two bfloat16.
  __device__ __forceinline__ void multiply_bytes(std::int32_t (&d)[4], const std::uint32_t (&a)[4],
                                                 const std::uint32_t (&b)[2]) const {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }

  // Products of a warpgroup: four warps; the number of the first one is a multiple of four. All
  // threads of the warpgroup call these functions, only on devices of compute capability 9.0
  // (warpgroup_products.hpp). A product is asynchronous: it ends when its group has been waited
  // for. Until then no thread may write to the shared memory that the product reads, and its
  // threads may not touch the sums or left fragments.

  /// Makes this thread's earlier writes and copies to shared memory visible to its products; to
  /// those of other threads after a barrier that follows.
  __device__ __forceinline__ void publish() const {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  /// Where a factor lies in shared memory. leading and stride: in bytes, as in
  /// matrix_descriptor.hpp.
  template <class T, int N, int A>
  __device__ __forceinline__ MatrixDescriptor describe(const Array<T, N, A>& of, int i, int leading,
                                                       int stride) const {
    static_assert(sizeof(T) == 2 && A >= swizzled_bytes);
    return MatrixDescriptor::of(std::uint32_t(__cvta_generic_to_shared(&of.data_[i])),
                                std::uint32_t(leading), std::uint32_t(stride));
  }
  /// Makes the registers visible to products. Call it after the last use of sums and left fragments
  /// and before the first product that uses them.
  __device__ __forceinline__ void fence_products() const {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  }
  /// sums += a b, or sums = a b if `add` is false: a 64 x 16, b 16 x 8 Tiles of bfloat16, sums
  /// 64 x 8 Tiles of float. A row of a and a column of b are neighbours in shared memory. Warp w of
  /// the four has the sums of rows 16 w to 16 w + 15, as fragments of multiply_bfloat16, tile after
  /// tile.
  template <int Tiles>
  __device__ __forceinline__ void start_product(float (*sums)[4], MatrixDescriptor a,
                                                MatrixDescriptor b, bool add) const {
    WarpgroupProduct<Tiles>::start(sums, a.bits(), b.bits(), add);
  }
  /// The same, with rows 16 w to 16 w + 15 of a as fragments, and rows of b in shared memory.
  template <int Tiles>
  __device__ __forceinline__ void start_product(float (*sums)[4], const std::uint32_t (&a)[4],
                                                MatrixDescriptor b, bool add) const {
    WarpgroupProduct<Tiles>::start(sums, a, b.bits(), add);
  }
  /// Ends a group of products.
  __device__ __forceinline__ void commit_products() const {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }
  /// Waits until at most the `Left` latest groups are incomplete.
  template <int Left>
  __device__ __forceinline__ void wait_for_products() const {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Left) : "memory");
  }
  /// Takes the sums of a finished product: the compiler moves no use of them before this call.
  template <int Tiles>
  __device__ __forceinline__ void take_sums(float (*sums)[4]) const {
    MCT_UNROLL
    for (int i = 0; i < 4 * Tiles; ++i) asm volatile("" : "+f"(sums[i / 4][i % 4])::"memory");
  }
};

}  // namespace mct::cuda
