// Compiler facts that every layer relies on: strict floating point, host/device marks, hardware
// fma.
#pragma once

#if defined(__FAST_MATH__)
#error \
    "MCTensor: -ffast-math reorders the additions that error-free transforms are made of; compile without it"
#endif

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "MCTensor needs C++20 (-std=c++20)"
#endif

#define MCT_VERSION_MAJOR 0
#define MCT_VERSION_MINOR 1
#define MCT_VERSION_PATCH 0

// MCT_HD marks a function that runs on the host and inside a CUDA kernel.
#if defined(__CUDACC__)
#define MCT_HD __host__ __device__
#else
#define MCT_HD
#endif

// MCT_ALWAYS_INLINE keeps a member function out of the symbol table; see MCT_ISA_NAMESPACE.
#if defined(__CUDACC__)
#define MCT_ALWAYS_INLINE __forceinline__
#elif defined(_MSC_VER)
#define MCT_ALWAYS_INLINE __forceinline
#else
#define MCT_ALWAYS_INLINE __attribute__((always_inline))
#endif

// MCT_HAS_FMA is 1 where fma(a, b, c) is one correctly rounded instruction. Elsewhere a call to
// fma would be a slow library routine (or, in a SIMD batch, not fused at all), so two_prod splits
// its operands instead.
#if defined(MCT_HAS_FMA)
// chosen by the user
#elif defined(__CUDACC__) || defined(__FMA__) || defined(__aarch64__) || defined(_M_ARM64)
#define MCT_HAS_FMA 1
#else
#define MCT_HAS_FMA 0
#endif

// Functions compiled for different instruction sets must not share a symbol: the linker keeps one
// of them, which may then run on a processor without those instructions. Every header function
// therefore lives in an inline namespace named after the instruction set it was compiled for;
// types live in mct itself, so that they pass through compiled interfaces unchanged, and those of
// their members that calculate are always inlined.
#if defined(__CUDACC__)
#define MCT_ISA cuda
#elif defined(__AVX512F__) && MCT_HAS_FMA
#define MCT_ISA avx512
#elif defined(__AVX512F__)
#define MCT_ISA avx512_split
#elif defined(__AVX2__) && MCT_HAS_FMA
#define MCT_ISA avx2_fma
#elif defined(__AVX2__)
#define MCT_ISA avx2
#elif defined(__AVX__) && MCT_HAS_FMA
#define MCT_ISA avx_fma
#elif defined(__AVX__)
#define MCT_ISA avx
#elif MCT_HAS_FMA
#define MCT_ISA fma
#elif defined(__SSE4_1__)
#define MCT_ISA sse4
#else
#define MCT_ISA baseline
#endif

#define MCT_CONCAT_(a, b) a##b
#define MCT_CONCAT(a, b) MCT_CONCAT_(a, b)
#define MCT_ISA_NAMESPACE MCT_CONCAT(isa_, MCT_ISA)
