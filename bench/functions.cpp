// Functions of plain numbers on tensors of a million elements, beside the C library and SLEEF,
// whose results are within one unit in the last place. One thread.
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/mctensor.hpp"
#if MCT_WITH_SLEEF && defined(__AVX2__)
#include <immintrin.h>
#include <sleef.h>
#endif

namespace mct::bench {
namespace {

constexpr std::int64_t elements = 1000000;

template <class T>
std::string type_name() {
  return std::is_same_v<T, double>  ? "f64x1"
         : std::is_same_v<T, float> ? "f32x1"
         : std::is_same_v<T, half>  ? "f16x1"
                                    : "bf16x1";
}

/// Arguments in [low, high), the same for all.
template <class T>
Tensor<T, 1> arguments(double low, double high) {
  const auto x = rand<double, 1>({elements}, 5) * (high - low) + low;
  return convert<T, 1>(x);
}

/// One function in the range where it is timed.
struct Range {
  std::string name;
  double low, high;
};

template <class T, class F>
void enter_ours(std::vector<Case>& cases, const Range& range, const F& f) {
  enter_items(cases, "function/" + range.name, type_name<T>(), "ours", double(elements),
              [=](benchmark::State& state) {
                const int threads = num_threads();
                set_num_threads(1);
                const auto x = arguments<T>(range.low, range.high);
                for (auto _ : state) benchmark::DoNotOptimize(f(x).data());
                set_num_threads(threads);
              });
}

/// loop(n, from, to).
template <class T, class Loop>
void enter_loop(std::vector<Case>& cases, const Range& range, const std::string& implementation,
                const Loop& loop) {
  enter_items(cases, "function/" + range.name, type_name<T>(), implementation, double(elements),
              [=](benchmark::State& state) {
                const auto x = arguments<T>(range.low, range.high);
                auto y = x.clone();
                for (auto _ : state) {
                  loop(std::size_t(elements), x.data(), y.data());
                  benchmark::ClobberMemory();
                }
              });
}

template <class T, class F>
void enter_library(std::vector<Case>& cases, const Range& range, const F& f) {
  enter_loop<T>(cases, range, "C library", [=](std::size_t n, const T* from, T* to) {
    for (std::size_t i = 0; i < n; ++i) to[i] = f(from[i]);
  });
}

#if MCT_WITH_SLEEF && defined(__AVX2__)
#if defined(__AVX512F__)
#define MCT_SLEEF_DOUBLE(name, accuracy) Sleef_##name##d8_##accuracy##avx512f
#define MCT_SLEEF_FLOAT(name, accuracy) Sleef_##name##f16_##accuracy##avx512f
const auto load_doubles = [](const double* p) { return _mm512_loadu_pd(p); };
const auto load_floats = [](const float* p) { return _mm512_loadu_ps(p); };
const auto store_doubles = [](double* p, __m512d v) { _mm512_storeu_pd(p, v); };
const auto store_floats = [](float* p, __m512 v) { _mm512_storeu_ps(p, v); };
#else
#define MCT_SLEEF_DOUBLE(name, accuracy) Sleef_##name##d4_##accuracy##avx2
#define MCT_SLEEF_FLOAT(name, accuracy) Sleef_##name##f8_##accuracy##avx2
const auto load_doubles = [](const double* p) { return _mm256_loadu_pd(p); };
const auto load_floats = [](const float* p) { return _mm256_loadu_ps(p); };
const auto store_doubles = [](double* p, __m256d v) { _mm256_storeu_pd(p, v); };
const auto store_floats = [](float* p, __m256 v) { _mm256_storeu_ps(p, v); };
#endif

/// SLEEF's widest vectors of this machine.
template <class F, class G>
void enter_sleef(std::vector<Case>& cases, const Range& range, const F& of_doubles,
                 const G& of_floats) {
  constexpr std::size_t width = sizeof(load_doubles(nullptr)) / sizeof(double);
  static_assert(elements % (2 * width) == 0);
  enter_loop<double>(cases, range, "SLEEF", [=](std::size_t n, const double* from, double* to) {
    for (std::size_t i = 0; i < n; i += width)
      store_doubles(to + i, of_doubles(load_doubles(from + i)));
  });
  enter_loop<float>(cases, range, "SLEEF", [=](std::size_t n, const float* from, float* to) {
    for (std::size_t i = 0; i < n; i += 2 * width)
      store_floats(to + i, of_floats(load_floats(from + i)));
  });
}
#define MCT_SLEEF_ENTRY(range, name, accuracy)                                  \
  enter_sleef(                                                                  \
      cases, range, [](auto v) { return MCT_SLEEF_DOUBLE(name, accuracy)(v); }, \
      [](auto v) { return MCT_SLEEF_FLOAT(name, accuracy)(v); });
#else
#define MCT_SLEEF_ENTRY(range, name, accuracy)
#endif

template <class F>
void enter_formats(std::vector<Case>& cases, const Range& range, const F& f) {
  enter_ours<float>(cases, range, f);
  enter_ours<double>(cases, range, f);
  enter_ours<half>(cases, range, f);
  enter_ours<bfloat16>(cases, range, f);
}

}  // namespace

#define MCT_FUNCTION(name, low, high, accuracy)                                 \
  {                                                                             \
    const Range range{#name, low, high};                                        \
    enter_formats(cases, range, [](const auto& x) { return name(x); });         \
    enter_library<float>(cases, range, [](float x) { return std::name(x); });   \
    enter_library<double>(cases, range, [](double x) { return std::name(x); }); \
    MCT_SLEEF_ENTRY(range, name, accuracy)                                      \
  }
#define MCT_OWN_FUNCTION(name, low, high, formula)                              \
  {                                                                             \
    const Range range{#name, low, high};                                        \
    enter_formats(cases, range, [](const auto& x) { return name(x); });         \
    enter_library<float>(cases, range, [](float x) { return float(formula); }); \
    enter_library<double>(cases, range, [](double x) { return formula; });      \
  }

void add_functions(std::vector<Case>& cases) {
  MCT_FUNCTION(exp, -10, 10, u10)
  MCT_FUNCTION(exp2, -10, 10, u10)
  MCT_FUNCTION(expm1, -10, 10, u10)
  MCT_FUNCTION(log, 0.1, 10, u10)
  MCT_FUNCTION(log2, 0.1, 10, u10)
  MCT_FUNCTION(log1p, 0, 10, u10)
  MCT_FUNCTION(sin, -10, 10, u10)
  MCT_FUNCTION(cos, -10, 10, u10)
  MCT_FUNCTION(tan, -10, 10, u10)
  MCT_FUNCTION(asin, -1, 1, u10)
  MCT_FUNCTION(acos, -1, 1, u10)
  MCT_FUNCTION(atan, -5, 5, u10)
  MCT_FUNCTION(sinh, -10, 10, u10)
  MCT_FUNCTION(cosh, -10, 10, u10)
  MCT_FUNCTION(tanh, -5, 5, u10)
  MCT_FUNCTION(asinh, -10, 10, u10)
  MCT_FUNCTION(acosh, 1, 10, u10)
  MCT_FUNCTION(atanh, -1, 1, u10)
  MCT_FUNCTION(erf, -3, 3, u10)
  MCT_FUNCTION(erfc, -3, 6, u15)
  MCT_FUNCTION(cbrt, 0.1, 10, u10)
  MCT_OWN_FUNCTION(sigmoid, -10, 10, 1 / (1 + std::exp(-x)))
  MCT_OWN_FUNCTION(softplus, -10, 10, std::log1p(std::exp(x)))
  MCT_OWN_FUNCTION(gelu, -5, 5, x * std::erfc(-x * 0.70710678118654752) / 2)
}
#undef MCT_FUNCTION
#undef MCT_OWN_FUNCTION

}  // namespace mct::bench
