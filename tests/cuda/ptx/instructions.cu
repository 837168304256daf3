// Kernels whose only purpose is the instructions that nvcc makes of them: integers_test.cpp and its
// neighbours run their PTX and know what each line must give.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "tests/cuda/ptx/instructions.hpp"

namespace mct::cuda {

__constant__ double constants[3] = {1.0, -2.5, 1e-300};
__device__ const float table[5] = {1, 2, 3, 4, 5};
__device__ const float* const places[2] = {table, table + 2};

/// Puts results one after another.
template <class T>
struct Out {
  T* to;
  __device__ __forceinline__ void operator()(T x) { *to++ = x; }
};

template <class Program>
__global__ void run_block(const __grid_constant__ Program program);

template <>
__global__ void __launch_bounds__(32) run_block(const __grid_constant__ OfIntegers p) {
  const int a = p.in[3 * threadIdx.x], b = p.in[3 * threadIdx.x + 1], c = p.in[3 * threadIdx.x + 2];
  const auto ua = unsigned(a), ub = unsigned(b), uc = unsigned(c);
  const long long wide = (long long)a << 32 | ub;
  const auto uwide = (unsigned long long)wide;
  Out<long long> out{p.out + OfIntegers::results * threadIdx.x};
  out(a + b), out(a - b), out((long long)a * b), out((long long)((unsigned long long)ua * ub));
  out(__mulhi(a, b)), out(__umulhi(ua, ub));
  out((long long)__umul64hi(uwide, uwide * 3 + uc)), out(__mul64hi(wide, wide - c));
  out(b == 0 ? 0 : a / (b | 1)), out(a % (b | 1)), out(ua / (ub | 1)), out(ua % 10);
  out(wide / (c | 1)), out((long long)(uwide % (uc | 1)));
  out(min(a, b)), out(max(a, b)), out(min(ua, ub)), out(max(ua, ub)), out(abs(a));
  out(a << (b & 31)), out(a >> (b & 31)), out(ua >> (b & 31)), out(wide >> (c & 63));
  out(__funnelshift_l(ua, ub, c)), out(__funnelshift_r(ua, ub, c));
  out(__funnelshift_lc(ua, ub, c & 63)), out(__funnelshift_rc(ua, ub, c & 63));
  out(__popc(a)), out(__popcll(wide)), out(__clz(a)), out(__clzll(wide)), out(__ffs(a));
  out(__brev(ua)), out((long long)__brevll(uwide)), out(__byte_perm(ua, ub, uc));
  out(__sad(a, b, uc)), out(__usad(ua, ub, uc)), out((a & b) | (~a & c)), out(a ^ b ^ c);
  out((ua >> 5) & 0x7f), out((ua & 0xffff00ff) | (ub & 0xff) << 8), out(__dp4a(a, b, c));
  out((signed char)a), out((short)a), out((unsigned char)a), out((unsigned short)(a + b));
  out(a < b && b < c), out(a < b || ub < uc), out((a < b) != (b < c)), out(a < b ? c : a);
  switch (uc % 8) {
    case 0:
      out(11);
      break;
    case 1:
      out(a);
      break;
    case 2:
      out(12);
      break;
    case 3:
      out(b);
      break;
    case 4:
      out(a + 13);
      break;
    case 5:
      out(14);
      break;
    case 6:
      out(a * 3);
      break;
    default:
      out(c);
  }
}

template <>
__global__ void __launch_bounds__(32) run_block(const __grid_constant__ OfDoubles p) {
  const double a = p.in[3 * threadIdx.x], b = p.in[3 * threadIdx.x + 1],
               c = p.in[3 * threadIdx.x + 2];
  Out<double> out{p.out + OfDoubles::results * threadIdx.x};
  out(a + b), out(a - b), out(a * b), out(a / b), out(fma(a, b, c)), out(sqrt(a)), out(1.0 / a);
  out(__dadd_rd(a, b)), out(__dadd_ru(a, b)), out(__dadd_rz(a, b)), out(__dmul_rd(a, b));
  out(__dmul_ru(a, b)), out(__dmul_rz(a, b)), out(__fma_rd(a, b, c)), out(__fma_ru(a, b, c));
  out(__fma_rz(a, b, c)), out(__ddiv_rd(a, b)), out(__ddiv_ru(a, b)), out(__dsqrt_rd(a));
  out(__dsqrt_ru(a)), out(fmin(a, b)), out(fmax(a, b)), out(fabs(a)), out(-a);
  out(copysign(a, b)), out(floor(a)), out(ceil(a)), out(trunc(a)), out(rint(a)), out(ldexp(a, 3));
  out(a < b), out(a <= b), out(a == b), out(a != b), out(!(a < b)), out(isnan(a)), out(isinf(a));
  out(isfinite(a)), out(signbit(a)), out(double(float(a))), out(__double2float_rd(a));
  out(__double2float_ru(a)), out(__double2float_rz(a)), out(int(a)), out((double)(long long)a);
  out((unsigned)a), out(__double2int_rn(a)), out(__double2int_rd(a)), out(__double2int_ru(a));
  out((double)(unsigned long long)a), out(double(__double2hiint(a)));
  out(__hiloint2double(__double2hiint(a), __double2loint(b))), out(a > 0 ? b : c);
  out(__ll2double_rd(__double_as_longlong(a))), out(__ll2double_ru(__double_as_longlong(a)));
  out(constants[threadIdx.x % 3]), out(*places[threadIdx.x & 1]), out(table[threadIdx.x % 5]);
}

template <>
__global__ void __launch_bounds__(32) run_block(const __grid_constant__ OfFloats p) {
  const float a = p.in[3 * threadIdx.x], b = p.in[3 * threadIdx.x + 1],
              c = p.in[3 * threadIdx.x + 2];
  Out<float> out{p.out + OfFloats::results * threadIdx.x};
  out(a + b), out(a - b), out(a * b), out(a / b), out(fmaf(a, b, c)), out(sqrtf(a)), out(1.0F / a);
  out(__fadd_rd(a, b)), out(__fadd_ru(a, b)), out(__fadd_rz(a, b)), out(__fmul_rd(a, b));
  out(__fmul_ru(a, b)), out(__fmul_rz(a, b)), out(__fmaf_rd(a, b, c)), out(__fmaf_ru(a, b, c));
  out(__fmaf_rz(a, b, c)), out(__fdiv_rd(a, b)), out(__fdiv_ru(a, b)), out(__fsqrt_rd(a));
  out(fminf(a, b)), out(fmaxf(a, b)), out(fabsf(a)), out(copysignf(a, b)), out(__saturatef(a));
  out(floorf(a)), out(ceilf(a)), out(truncf(a)), out(rintf(a)), out(float(int(a)));
  out(float((long long)a)), out(float(__float2int_rn(a))), out(float((unsigned)a));
  out(__int2float_rd(__float_as_int(a))), out(__int2float_ru(__float_as_int(a)));
  out(__ll2float_rz((long long)(__float_as_int(a)) << 20 | 1));
  out(__bfloat162float(__float2bfloat16(a))), out(__half2float(__float2half(a)));
  out(__half2float(__float2half_rd(a))), out(__half2float(__float2half_ru(a)));
  out(__half2float(__float2half_rz(a))), out(__half2float(__float2half_rz(-a)));
  const __half ha = __float2half(a), hb = __float2half(b), hc = __float2half(c);
  out(__half2float(__hadd(ha, hb))), out(__half2float(__hmul(ha, hb)));
  out(__half2float(__hfma(ha, hb, hc))), out(__half2float(__hmax(ha, hb)));
  const __nv_bfloat16 ba = __float2bfloat16(a), bb = __float2bfloat16(b), bc = __float2bfloat16(c);
  out(__bfloat162float(__hfma(ba, bb, bc))), out(__bfloat162float(__hmin(ba, bb)));
  const __nv_bfloat162 pair = __floats2bfloat162_rn(a, b);
  out(__low2float(pair)), out(__high2float(pair));
  const __half2 halves =
      __hfma2(__floats2half2_rn(a, b), __floats2half2_rn(b, c), __floats2half2_rn(c, a));
  out(__low2float(halves)), out(__high2float(halves));
  int bit = 0, truths = 0;
#define COMPARE(how)                                                               \
  asm volatile("{.reg .pred p; setp." how ".f32 p, %1, %2; selp.s32 %0, 1, 0, p;}" \
               : "=r"(bit)                                                         \
               : "f"(a), "f"(b));                                                  \
  truths = truths * 2 + bit
  COMPARE("eq");
  COMPARE("ne");
  COMPARE("lt");
  COMPARE("le");
  COMPARE("gt");
  COMPARE("ge");
  COMPARE("equ");
  COMPARE("neu");
  COMPARE("ltu");
  COMPARE("leu");
  COMPARE("gtu");
  COMPARE("geu");
  COMPARE("num");
  COMPARE("nan");
#undef COMPARE
  out(float(truths));
}

template <>
__global__ void __launch_bounds__(32) run_block(const __grid_constant__ OfFunctions p) {
  const double x = p.in[threadIdx.x];
  const auto f = float(x);
  Out<double> out{p.out + OfFunctions::results * threadIdx.x};
  out(exp(x)), out(log(fabs(x))), out(cbrt(x)), out(tanh(x)), out(rsqrt(fabs(x))), out(atan(x));
  out(erf(x)), out(expm1(x)), out(log1p(fabs(x))), out(exp2(x)), out(hypot(x, 3.0));
  out(expf(f)), out(logf(fabsf(f))), out(tanhf(f)), out(erff(f)), out(exp2f(f)), out(cbrtf(f));
  out(rsqrtf(fabsf(f))), out(__expf(f)), out(__logf(fabsf(f))), out(__fdividef(f, 3.0F));
}

/// What nvcc writes rarely, or only for what others write as inline assembly.
template <>
__global__ void __launch_bounds__(32) run_block(const __grid_constant__ OfAssembly p) {
  const int a = p.in[3 * threadIdx.x], b = p.in[3 * threadIdx.x + 1], c = p.in[3 * threadIdx.x + 2];
  const int first = b & 63, count = c & 63;
  const long long wide = (long long)a << 32 | unsigned(b);
  Out<long long> out{p.out + OfAssembly::results * threadIdx.x};
  int r = 0, s = 0, t = 0;
  long long w = 0;
  const auto three = [&](auto write) {
    write();
    out(r);
  };
#define INTEGER(text, ...) three([&] { asm volatile(text : "=r"(r) : __VA_ARGS__); });
  INTEGER("bfe.u32 %0, %1, %2, %3;", "r"(a), "r"(first), "r"(count))
  INTEGER("bfe.s32 %0, %1, %2, %3;", "r"(a), "r"(first), "r"(count))
  INTEGER("bfi.b32 %0, %1, %2, %3, %4;", "r"(a), "r"(b), "r"(first), "r"(count))
  INTEGER("lop3.b32 %0, %1, %2, %3, 0xe2;", "r"(a), "r"(b), "r"(c))
  INTEGER("prmt.b32.f4e %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("prmt.b32.b4e %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("prmt.b32.rc8 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("prmt.b32.ecl %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("prmt.b32.ecr %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("prmt.b32.rc16 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("prmt.b32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("slct.s32.s32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("set.lt.u32.s32 %0, %1, %2;", "r"(a), "r"(b))
  INTEGER("bfind.s32 %0, %1;", "r"(a))
  INTEGER("bfind.u32 %0, %1;", "r"(a))
  INTEGER("bfind.shiftamt.s32 %0, %1;", "r"(a))
  INTEGER("cnot.b32 %0, %1;", "r"(a))
  INTEGER("shl.b32 %0, %1, %2;", "r"(a), "r"(first))
  INTEGER("shr.s32 %0, %1, %2;", "r"(a), "r"(first))
  INTEGER("shr.u32 %0, %1, %2;", "r"(a), "r"(first))
  INTEGER("mul24.lo.s32 %0, %1, %2;", "r"(a), "r"(b))
  INTEGER("mul24.lo.u32 %0, %1, %2;", "r"(a), "r"(b))
  INTEGER("mad.hi.s32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("dp4a.u32.s32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
  INTEGER("cvt.sat.s8.s32 %0, %1;", "r"(a))
  INTEGER("cvt.sat.u8.s32 %0, %1;", "r"(a))
  INTEGER("cvt.sat.s16.u32 %0, %1;", "r"(a))
  INTEGER(
      "{.reg .pred p, q, o; setp.gt.s32 o, %1, %3; setp.lt.xor.s32 p|q, %1, %2, !o;"
      "selp.s32 %0, 1, 2, q; @p add.s32 %0, %0, 10;}",
      "r"(a), "r"(b), "r"(c))
#undef INTEGER
  asm volatile("bfe.s64 %0, %1, %2, %3;" : "=l"(w) : "l"(wide), "r"(first), "r"(count));
  out(w);
  asm volatile("bfe.u64 %0, %1, %2, %3;" : "=l"(w) : "l"(wide), "r"(first), "r"(count));
  out(w);
  asm volatile("bfi.b64 %0, %1, %2, %3, %4;"
               : "=l"(w)
               : "l"(wide), "l"(wide * 5), "r"(first), "r"(count));
  out(w);
  asm volatile("mad.wide.s32 %0, %1, %2, %3;" : "=l"(w) : "r"(a), "r"(b), "l"(wide));
  out(w);
  // sums, differences and products of 96 bits
  asm volatile("add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %4, %5; addc.u32 %2, %5, %3;"
               : "=&r"(r), "=&r"(s), "=r"(t)
               : "r"(a), "r"(b), "r"(c));
  out(r), out(s), out(t);
  asm volatile("sub.cc.u32 %0, %3, %4; subc.cc.u32 %1, %4, %5; subc.u32 %2, %5, %3;"
               : "=&r"(r), "=&r"(s), "=r"(t)
               : "r"(a), "r"(b), "r"(c));
  out(r), out(s), out(t);
  asm volatile("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %4;"
               : "=&r"(r), "=r"(s)
               : "r"(a), "r"(b), "r"(c));
  out(r), out(s);
}

/// Copies in[0, 128) to shared memory as rows of 16 bytes, loads them as tiles and multiplies.
template <>
__global__ void __launch_bounds__(32) run_block(const __grid_constant__ OfMatrices p) {
  extern __shared__ __align__(128) unsigned char bytes[];
  Out<int> out{p.out + OfMatrices::results * threadIdx.x};
  const auto lane = int(threadIdx.x);
  const auto at = unsigned(__cvta_generic_to_shared(bytes)) + 16 * lane;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at),
               "l"(__cvta_generic_to_global(p.in + 4 * lane)), "r"(lane == 31 ? 0 : 16));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  unsigned a[4], b[4], one[1];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
               : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(one[0]) : "r"(at));
  for (const unsigned x : a) out(int(x));
  for (const unsigned x : b) out(int(x));
  out(int(one[0]));
  int d[4] = {1, 2, 3, 4};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[0]), "r"(a[3]));
  for (const int x : d) out(x);
}

template <>
__global__ void __launch_bounds__(64) run_block(const __grid_constant__ OfWarps p) {
  extern __shared__ __align__(128) unsigned char bytes[];
  const auto rank = int(threadIdx.x);
  const int x = p.in[rank];
  const auto block = int(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  Out<int> out{p.out + OfWarps::results * (rank + 64 * block)};
  constexpr unsigned all = 0xffffffff;
  out(__shfl_sync(all, x, 3)), out(__shfl_sync(all, x, rank + 1, 8)),
      out(__shfl_up_sync(all, x, 2));
  out(__shfl_down_sync(all, x, 5)), out(__shfl_xor_sync(all, x, 9));
  out(__shfl_down_sync(all, x, 3, 16)), out(__shfl_up_sync(all, x, 1, 4));
  out(int(__ballot_sync(all, x > 0))), out(__any_sync(all, x > 1000)),
      out(__all_sync(all, x > -99));
  out(__reduce_add_sync(all, x)), out(int(__reduce_max_sync(all, x)));
  out(int(__reduce_xor_sync(all, unsigned(x))));
  float locals[8];
  for (int i = 0; i < 8; ++i) locals[i] = float(x + i);
  __syncwarp();
  out(int(locals[unsigned(x) & 7]));
  auto* const shared = reinterpret_cast<int*>(bytes);
  shared[rank] = x;
  __syncthreads();
  int* const either = rank % 2 == 0 ? shared : p.in;  // a generic address
  out(either[63 - rank]);
  out(int(gridDim.x * 1000 + gridDim.y * 100 + gridDim.z * 10 + blockDim.x / 64));
  out(int(blockIdx.x * 100 + blockIdx.y * 10 + blockIdx.z));
  __threadfence();
}

}  // namespace mct::cuda
