// Compiler facts for every layer: strict floating point, host/device marks, hardware fma.
#pragma once

// The library counts sizes, exponents and bits of numbers in 64 bits, and x87 would round twice.
// This check stands before any other header, so that its error is the only one.
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
#error "MCTensor: this compiler makes 32-bit programs (-m32?); a 64-bit processor is needed"
#endif

// Error-free transforms need every operation as it is written, each with one IEEE 754 rounding.
// -ffast-math turns on several options, and each of them alone breaks these transforms.
//
// No macro shows two further faults. clang (14) defines no macro for -funsafe-math-optimizations,
// -fassociative-math, -freciprocal-math or -fno-signed-zeros. And a program linked with -ffast-math
// or -Ofast flushes subnormals to zero from its start (crtfastm.o), whatever its objects were
// compiled with; mctensor/base/environment.hpp finds this at run time.
#if defined(__FAST_MATH__)
#error \
    "MCTensor: -ffast-math reorders the additions that error-free transforms are made of; compile without it"
#elif defined(__ASSOCIATIVE_MATH__)
#error \
    "MCTensor: -fassociative-math (-funsafe-math-optimizations) cancels the error terms; compile without it"
#elif defined(__RECIPROCAL_MATH__)
#error "MCTensor: -freciprocal-math rounds quotients twice; compile without it"
#elif defined(__NO_SIGNED_ZEROS__)
#error "MCTensor: -fno-signed-zeros loses the sign of zero; compile without it"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "MCTensor: -ffinite-math-only removes the tests for infinities and NaN; compile without it"
#endif

// 16 says that the compiler also computes in _Float16; other values mean that float and double are
// computed in a wider format (x87) and rounded twice.
#if !defined(__CUDACC__) && defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && \
    __FLT_EVAL_METHOD__ != 16
#error \
    "MCTensor: this compiler keeps intermediate results in a wider format (__FLT_EVAL_METHOD__); compile with -msse2 -mfpmath=sse"
#endif

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "MCTensor needs C++20 (-std=c++20)"
#endif

// MCT_HD marks a function that runs on the host and inside a CUDA kernel.
#if defined(__CUDACC__)
#define MCT_HD __host__ __device__
#else
#define MCT_HD
#endif

// MCT_ALWAYS_INLINE keeps a member function out of the symbol table; see MCT_ISA_NAMESPACE.
#if defined(MCT_ALWAYS_INLINE)
// chosen by the user: empty, for a program of one instruction set that is not optimized
#elif defined(_MSC_VER)
#define MCT_ALWAYS_INLINE __forceinline
#else
#define MCT_ALWAYS_INLINE __attribute__((always_inline))
#endif

// MCT_NOINLINE marks code that rarely runs, so that it takes no registers from its caller.
#if defined(__CUDACC__)
#define MCT_NOINLINE __noinline__
#elif defined(_MSC_VER)
#define MCT_NOINLINE __declspec(noinline)
#else
#define MCT_NOINLINE __attribute__((noinline))
#endif

// MCT_UNROLL stands before a loop with few iterations whose arrays belong in registers.
#if defined(__CUDACC__) || defined(__clang__)
#define MCT_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define MCT_UNROLL _Pragma("GCC unroll 16")
#else
#define MCT_UNROLL
#endif

// MCT_HAS_FMA is 1 where fma(a, b, c) is one correctly rounded instruction. On other hardware a
// call to fma would be a slow library routine (or, in a SIMD batch, not fused at all), so two_prod
// splits its operands instead.
#if defined(MCT_HAS_FMA)
// chosen by the user
#elif defined(__CUDACC__) || defined(__FMA__) || defined(__aarch64__) || defined(_M_ARM64)
#define MCT_HAS_FMA 1
#else
#define MCT_HAS_FMA 0
#endif

// Functions compiled for different instruction sets must not share a symbol: the linker keeps one
// of them, which may then run on a processor without those instructions. So header functions that
// calculate with numbers, points or the elements of tensors are in an inline namespace, named after
// the instruction set for which they were compiled. Types are in mct itself, so that they pass
// through compiled interfaces unchanged. Members of types that calculate are always inlined.
// The layers above (autograd, nn, optim, attention) are templates that call compiled functions to
// calculate. Compile them for one instruction set in a program, as you do with templates of the
// standard library.
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

// The library's kernels have namespaces of their own. A program may contain the same functions,
// compiled without optimization or with contraction of a * b + c. A linker keeps one of two equal
// symbols, so the kernels of a static library could get the program's functions. Two sources of
// kernels may contain the same function, too. A source that rarely calls the function optimizes it
// for size, and the other source must not get this version.
#define MCT_CONCAT_(a, b) a##b
#define MCT_CONCAT(a, b) MCT_CONCAT_(a, b)
#if defined(MCT_KERNELS) && defined(MCT_KERNELS_OF)
#define MCT_ISA_NAMESPACE MCT_CONCAT(MCT_CONCAT(isa_, MCT_KERNELS), MCT_KERNELS_OF)
#elif defined(MCT_KERNELS)
#define MCT_ISA_NAMESPACE MCT_CONCAT(isa_, MCT_KERNELS)
#else
#define MCT_ISA_NAMESPACE MCT_CONCAT(isa_, MCT_ISA)
#endif
