// MultiFloats in C++: the networks of Zhang and Aiken 2025 as their benchmarks have them, sums and
// products of 2 to 4 doubles, one number after the other and in AVX-512 lanes.
#include <utility>

#include <MultiFloats.hpp>

#include "bench/today/today.hpp"

namespace mct::bench {
namespace {

namespace on = arithmetic;

template <int N>
struct Networks {
  using Value = MultiFloat<double, N>;
  using Operations = on::Operators;
  static Value from(const Expansion<double, N>& x) {
    Value r;
    std::copy_n(x.limb, N, r._limbs);
    return r;
  }
  static void read(const Value& x, validation::Real& out) { out.set_exact(x._limbs, N); }
};

#if defined(__AVX512F__) && defined(__AVX512DQ__)
template <int N>
struct Lanes {
  using Value = MultiFloat<__m512d, N>;
  using Operations = on::Operators;
  static constexpr std::size_t width = 8;
  static Value from(const Expansion<double, N>* first) {
    Value r;
    for (std::size_t j = 0; j < width; ++j)
      for (int k = 0; k < N; ++k) r._limbs[k][j] = first[j].limb[k];
    return r;
  }
  static void read(const Value& x, std::size_t j, validation::Real& out) {
    double limbs[N];
    for (int k = 0; k < N; ++k) limbs[k] = x._limbs[k][j];
    out.set_exact(limbs, N);
  }
  static Value broadcast(const Value& x, std::size_t j) {
    Value r;
    for (int k = 0; k < N; ++k) r._limbs[k] = _mm512_set1_pd(x._limbs[k][j]);
    return r;
  }
  static Value sum(const Value& x) {
    const MultiFloat<double, N> total = vsum(x);
    Value r;
    for (int k = 0; k < N; ++k) r._limbs[k] = _mm512_set1_pd(total._limbs[k]);
    return r;
  }
};
#endif

template <int N>
void enter(std::vector<Case>& cases) {
  on::enter_all<N, on::Values<N, Networks<N>>>(cases, "MultiFloats");
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  on::enter_all<N, on::Batches<N, Lanes<N>>>(cases, "MultiFloats, SIMD");
#endif
}

}  // namespace

void add_multifloats_networks(std::vector<Case>& cases) {
  enter<2>(cases);
  enter<3>(cases);
  enter<4>(cases);
}

}  // namespace mct::bench
