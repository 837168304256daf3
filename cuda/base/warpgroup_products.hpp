// The matrix instructions of a warpgroup, which devices of compute capability 9.0 have (sm_90a).
#pragma once

#include <cstdint>

namespace mct::cuda {

/// wgmma.mma_async.m64n(8 Tiles)k16 of bfloat16 with sums in float. The left factor is in shared
/// memory, and then the coordinates of both factors are neighbours; or it is in fragments, and then
/// the columns of the right factor are neighbours.
template <int Tiles>
struct WarpgroupProduct;

#define MCT_SUMS(t) "+f"(sums[t][0]), "+f"(sums[t][1]), "+f"(sums[t][2]), "+f"(sums[t][3])
#define MCT_SUMS_8(t)                                                                      \
  MCT_SUMS(t), MCT_SUMS((t) + 1), MCT_SUMS((t) + 2), MCT_SUMS((t) + 3), MCT_SUMS((t) + 4), \
      MCT_SUMS((t) + 5), MCT_SUMS((t) + 6), MCT_SUMS((t) + 7)
#define MCT_NAMES_32                                                                           \
  "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24," \
  "%25,%26,%27,%28,%29,%30,%31"
#define MCT_NAMES_36 MCT_NAMES_32 ",%32,%33,%34,%35"
#define MCT_NAMES_48 MCT_NAMES_36 ",%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47"
#define MCT_NAMES_64 MCT_NAMES_48 ",%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"

// p says whether to add to the sums; 1, 1 are the signs of the factors; `transposed` says which
// factors are transposed
#define MCT_PRODUCT(n, names, left, right, add, transposed)                               \
  "{.reg .pred p; setp.ne.b32 p, " add                                                    \
  ", 0; "                                                                                 \
  "wgmma.mma_async.sync.aligned.m64n" n "k16.f32.bf16.bf16 {" names "}, " left ", " right \
  ", p, 1, 1, " transposed ";}"

#define MCT_WARPGROUP_PRODUCT(tiles, n, names, r0, r1, r2, r3, r4, r5, ...)                     \
  template <>                                                                                   \
  struct WarpgroupProduct<tiles> {                                                              \
    static __device__ __forceinline__ void start(float (*sums)[4], std::uint64_t a,             \
                                                 std::uint64_t b, bool add) {                   \
      asm volatile(MCT_PRODUCT(n, names, r0, r1, r2, "0, 0")                                    \
                   : __VA_ARGS__                                                                \
                   : "l"(a), "l"(b), "r"(int(add))                                              \
                   : "memory");                                                                 \
    }                                                                                           \
    static __device__ __forceinline__ void start(float (*sums)[4], const std::uint32_t (&a)[4], \
                                                 std::uint64_t b, bool add) {                   \
      asm volatile(MCT_PRODUCT(n, names, "{" r0 "," r1 "," r2 "," r3 "}", r4, r5, "1")          \
                   : __VA_ARGS__                                                                \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(int(add))          \
                   : "memory");                                                                 \
    }                                                                                           \
  };

MCT_WARPGROUP_PRODUCT(8, "64", MCT_NAMES_32, "%32", "%33", "%34", "%35", "%36", "%37",
                      MCT_SUMS_8(0))
MCT_WARPGROUP_PRODUCT(9, "72", MCT_NAMES_36, "%36", "%37", "%38", "%39", "%40", "%41",
                      MCT_SUMS_8(0), MCT_SUMS(8))
MCT_WARPGROUP_PRODUCT(12, "96", MCT_NAMES_48, "%48", "%49", "%50", "%51", "%52", "%53",
                      MCT_SUMS_8(0), MCT_SUMS(8), MCT_SUMS(9), MCT_SUMS(10), MCT_SUMS(11))
MCT_WARPGROUP_PRODUCT(16, "128", MCT_NAMES_64, "%64", "%65", "%66", "%67", "%68", "%69",
                      MCT_SUMS_8(0), MCT_SUMS_8(8))

#undef MCT_WARPGROUP_PRODUCT
#undef MCT_PRODUCT
#undef MCT_NAMES_64
#undef MCT_NAMES_48
#undef MCT_NAMES_36
#undef MCT_NAMES_32
#undef MCT_SUMS_8
#undef MCT_SUMS

}  // namespace mct::cuda
