// Tensors: dot products, matrix products, element-wise operations, beside QD, MPFR, Arb, OpenBLAS
// and a plain SIMD loop. One thread, but where the name says two.
#include <algorithm>
#include <functional>
#include <string>

#include "bench/batches.hpp"
#include "bench/registry.hpp"
#include "mctensor/mctensor.hpp"
#include "validation/peers/numbers.hpp"
#if MCT_WITH_OPENBLAS
#include <cblas.h>
#endif

namespace mct::bench {
namespace {

/// Runs work(state's loop body) with a fixed number of threads.
template <class Body>
std::function<void(benchmark::State&)> timed(int threads, Body body) {
  return [=](benchmark::State& state) {
    const int before = num_threads();
    set_num_threads(threads);
    auto once = body();  // makes the operands
    for (auto _ : state) once();
    set_num_threads(before);
  };
}

template <class Body>
void enter(std::vector<Case>& cases, const std::string& work, const std::string& type,
           const std::string& implementation, double items, Body body, int threads = 1) {
  enter_items(cases, "tensor/" + work, type, implementation, items, timed(threads, body))
      .real_time = threads > 1;
}

template <class T, int N>
std::string type_name() {
  return (std::is_same_v<T, double>     ? "f64x"
          : std::is_same_v<T, float>    ? "f32x"
          : std::is_same_v<T, bfloat16> ? "bf16x"
                                        : "f16x") +
         std::to_string(N);
}

/// The cases of another work under a new name, without ours.
void adopt_peers(std::vector<Case>& cases, const std::string& from, const std::string& type,
                 const std::string& work) {
  const std::vector<Case> all = cases;
  for (const Case& c : all) {
    if (c.work != from || c.type != type || c.implementation.rfind("ours", 0) == 0) continue;
    Case peer = c;
    peer.work = "tensor/" + work;
    cases.push_back(peer);
  }
}

template <class T, int N>
void enter_dot(std::vector<Case>& cases) {
  enter(cases, "dot 4096", type_name<T, N>(), "ours", double(length), [] {
    const auto x = randn<T, N>({std::int64_t(length)}, 1);
    const auto y = randn<T, N>({std::int64_t(length)}, 2);
    return [=] { benchmark::DoNotOptimize(dot(x, y).data()); };
  });
  adopt_peers(cases, "dot", type_name<T, N>(), "dot 4096");
}

template <class T, int A, int B = A>
void enter_mm(std::vector<Case>& cases, std::int64_t n, int threads = 1) {
  const auto body = [=] {
    const auto a = randn<T, A>({n, n}, 1);
    const auto b = randn<T, B>({n, n}, 2);
    return [=] { benchmark::DoNotOptimize(mm(a, b).data()); };
  };
  const std::string name = threads == 1 ? (A == B ? "ours" : "ours, plain right factor")
                                        : "ours, " + std::to_string(threads) + " threads";
  enter(cases, "mm " + std::to_string(n), type_name<T, A>(), name,
        double(n) * double(n) * double(n), body, threads);
}

/// Complex matrices: four multiply-adds for each of theirs.
template <int N>
void enter_complex_mm(std::vector<Case>& cases, std::int64_t n) {
  const auto enter_one = [&](const std::string& name, MatmulAccuracy accuracy) {
    enter(cases, "complex mm " + std::to_string(n), type_name<double, N>(), name,
          4 * double(n) * double(n) * double(n), [=] {
            const ComplexTensor<double, N> a{randn<double, N>({n, n}, 1),
                                             randn<double, N>({n, n}, 2)};
            const ComplexTensor<double, N> b{randn<double, N>({n, n}, 3),
                                             randn<double, N>({n, n}, 4)};
            return [=] { benchmark::DoNotOptimize(mm(a, b, accuracy).real.data()); };
          });
  };
  enter_one("ours", MatmulAccuracy::componentwise);
  enter_one("ours, normwise", MatmulAccuracy::normwise);
}

/// Relative to the largest elements of rows and columns: through integers.
template <int N>
void enter_normwise_mm(std::vector<Case>& cases, std::int64_t n) {
  enter(cases, "mm " + std::to_string(n), type_name<double, N>(), "ours, normwise",
        double(n) * double(n) * double(n), [=] {
          const auto a = randn<double, N>({n, n}, 1);
          const auto b = randn<double, N>({n, n}, 2);
          return [=] { benchmark::DoNotOptimize(mm(a, b, MatmulAccuracy::normwise).data()); };
        });
}

#if MCT_WITH_XSIMD
/// c += a b as three loops over SIMD batches with the public operations: what one writes first.
template <int N>
void enter_plain_loop(std::vector<Case>& cases, std::int64_t n) {
  using V = xsimd::batch<double>;
  using X = Expansion<V, N>;
  enter(cases, "mm " + std::to_string(n), type_name<double, N>(), "SIMD loop of mul_add",
        double(n) * double(n) * double(n), [=] {
          constexpr auto width = std::int64_t(V::size);
          const auto a = randn<double, N>({n, n}, 1);
          const auto b = randn<double, N>({n, n}, 2);
          const Tensor<double, N> c({n, n});
          return [=] {
            const auto load = [](const Tensor<double, N>& x, std::int64_t at) {
              X r;
              for (int k = 0; k < N; ++k) r.limb[k] = V::load_unaligned(x.data(k) + at);
              return r;
            };
            for (std::int64_t i = 0; i < n; ++i)
              for (std::int64_t j = 0; j < n; j += width) {
                X sum = X(V(0.0));
                for (std::int64_t l = 0; l < n; ++l) {
                  X left;
                  for (int k = 0; k < N; ++k) left.limb[k] = V(a.data(k)[i * n + l]);
                  sum = detail::add_limbs(detail::mul_limbs(left, load(b, l * n + j)), sum);
                }
                for (int k = 0; k < N; ++k) sum.limb[k].store_unaligned(c.data(k) + i * n + j);
              }
            benchmark::ClobberMemory();
          };
        });
}
#endif

/// A peer's scalar type in three loops.
template <int N, class Number>
void enter_peer_mm(std::vector<Case>& cases, const std::string& name, std::int64_t work_size) {
  using Value = typename Number::Value;
  constexpr std::int64_t n = 96;  // all of it in the cache: the time of a multiply-add
  enter(cases, "mm " + std::to_string(work_size), type_name<double, N>(), name + " loop, n = 96",
        double(n) * double(n) * double(n), [=] {
          std::vector<Value> a;
          for (std::int64_t i = 0; i < n * n; ++i) {
            validation::Real real;
            real.set_exact(random_vector<double, N>(1)[std::size_t(i % 4096)]);
            if (i < 4096) {
              a.push_back(Number::from(real));
            } else {
              a.push_back(a[std::size_t(i % 4096)]);
            }
          }
          std::vector<Value> c = a;
          return [=]() mutable {
            for (std::int64_t i = 0; i < n; ++i)
              for (std::int64_t j = 0; j < n; ++j) {
                Value sum = a[0];
                for (std::int64_t l = 0; l < n; ++l)
                  sum += a[std::size_t(i * n + l)] * a[std::size_t(l * n + j)];
                c[std::size_t(i * n + j)] = sum;
              }
            benchmark::DoNotOptimize(c.data());
          };
        });
}

#if MCT_WITH_OPENBLAS
void enter_openblas(std::vector<Case>& cases, const std::string& type, std::int64_t n) {
  enter(cases, "mm " + std::to_string(n), type, "OpenBLAS dgemm (plain double)",
        double(n) * double(n) * double(n), [=] {
          openblas_set_num_threads(1);
          const auto a = randn<double>({n, n}, 1);
          const auto b = randn<double>({n, n}, 2);
          const Tensor<double> c({n, n});
          const int size = int(n);
          return [=] {
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1.0, a.data(),
                        size, b.data(), size, 0.0, c.data(), size);
            benchmark::ClobberMemory();
          };
        });
}
#endif

#if MCT_WITH_OPENBLAS
void enter_openblas_complex(std::vector<Case>& cases, const std::string& type, std::int64_t n) {
  enter(cases, "complex mm " + std::to_string(n), type, "OpenBLAS zgemm (plain double)",
        4 * double(n) * double(n) * double(n), [=] {
          openblas_set_num_threads(1);
          // real and imaginary parts in turn
          const auto a = randn<double>({n, 2 * n}, 1);
          const auto b = randn<double>({n, 2 * n}, 2);
          const Tensor<double> c({n, 2 * n});
          const int size = int(n);
          return [=] {
            const double one[] = {1, 0};
            const double zero[] = {0, 0};
            cblas_zgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, one, a.data(),
                        size, b.data(), size, zero, c.data(), size);
            benchmark::ClobberMemory();
          };
        });
}
#endif

/// The shapes of Yu 2024, tables B.15 and B.16.
template <class T, int N>
void enter_seed_products(std::vector<Case>& cases) {
  const std::string type = type_name<T, N>();
  enter(cases, "mv 5000x500", type, "ours", 5000 * 500, [] {
    const auto a = randn<T, N>({5000, 500}, 1);
    const auto x = randn<T, N>({500}, 2);
    return [=] { benchmark::DoNotOptimize(mv(a, x).data()); };
  });
  enter(cases, "mm 500x200x50", type, "ours", 500 * 200 * 50, [] {
    const auto a = randn<T, N>({500, 200}, 1);
    const auto b = randn<T, N>({200, 50}, 2);
    return [=] { benchmark::DoNotOptimize(mm(a, b).data()); };
  });
  enter(cases, "bmm 16x500x200x50", type, "ours", 16 * 500 * 200 * 50, [] {
    const auto a = randn<T, N>({16, 500, 200}, 1);
    const auto b = randn<T, N>({16, 200, 50}, 2);
    return [=] { benchmark::DoNotOptimize(bmm(a, b).data()); };
  });
}

/// The three products of a linear layer of a small GPT, 512 rows, 128 inputs, 512 outputs: x w^T,
/// g w, g^T x.
constexpr std::int64_t layer_rows = 512;
constexpr std::int64_t layer_in = 128;
constexpr std::int64_t layer_out = 512;
constexpr const char* layer_name = "layer 512x128x512";
constexpr double layer_size = 3.0 * double(layer_rows * layer_in * layer_out);

template <class T>
void enter_layer(std::vector<Case>& cases, const std::string& name,
                 Bfloat16Unit unit = Bfloat16Unit::none) {
  enter(cases, layer_name, type_name<T, 1>(), name, layer_size, [=] {
    const auto x = randn<T>({layer_rows, layer_in}, 1);
    const auto w = randn<T>({layer_out, layer_in}, 2);
    const auto g = randn<T>({layer_rows, layer_out}, 3);
    return [=] {
      use_bfloat16_unit(unit);
      benchmark::DoNotOptimize(mm(x, w.t()).data());
      benchmark::DoNotOptimize(mm(g, w).data());
      benchmark::DoNotOptimize(mm(g.t(), x).data());
      use_bfloat16_unit(Bfloat16Unit::none);
    };
  });
}
#if MCT_WITH_OPENBLAS
void enter_openblas_layer(std::vector<Case>& cases) {
  enter(cases, layer_name, type_name<float, 1>(), "OpenBLAS sgemm", layer_size, [=] {
    openblas_set_num_threads(1);
    constexpr auto rows = int(layer_rows);
    constexpr auto in = int(layer_in);
    constexpr auto out = int(layer_out);
    const auto x = randn<float>({rows, in}, 1);
    const auto w = randn<float>({out, in}, 2);
    const auto g = randn<float>({rows, out}, 3);
    const Tensor<float> y({rows, out});
    const Tensor<float> dx({rows, in});
    const Tensor<float> dw({out, in});
    return [=] {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, out, in, 1, x.data(), in, w.data(),
                  in, 0, y.data(), out);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, in, out, 1, g.data(), out,
                  w.data(), in, 0, dx.data(), in);
      cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, out, in, rows, 1, g.data(), out,
                  x.data(), in, 0, dw.data(), in);
      benchmark::ClobberMemory();
    };
  });
}
#endif

/// Plain tensors of one format as another.
template <class T, class U>
void enter_conversion(std::vector<Case>& cases) {
  enter(cases, "convert 1000x1000 to " + type_name<U, 1>(), type_name<T, 1>(), "ours", 1e6, [] {
    const auto x = randn<T>({1000, 1000}, 1);
    return [=] { benchmark::DoNotOptimize(convert<U, 1>(x).data()); };
  });
}

template <class T, int N, int B = N, class F>
void enter_binary(std::vector<Case>& cases, const std::string& name, F f) {
  enter(cases, name + " 1000x1000", type_name<T, N>(), "ours", 1e6, [=] {
    const auto x = randn<T, N>({1000, 1000}, 1);
    const auto y = randn<T, B>({1000, 1000}, 2);
    return [=] { benchmark::DoNotOptimize(f(x, y).data()); };
  });
}

template <class T, int N>
void enter_elementwise(std::vector<Case>& cases) {
  enter_binary<T, N>(cases, "add", [](const auto& x, const auto& y) { return add(x, y); });
  enter_binary<T, N, 1>(cases, "scale", [](const auto& x, const auto& y) { return mul(x, y); });
  enter_binary<T, N>(cases, "mul", [](const auto& x, const auto& y) { return mul(x, y); });
  enter_binary<T, N>(cases, "div", [](const auto& x, const auto& y) { return div(x, y); });
}

template <int N, class F>
void enter_function(std::vector<Case>& cases, const std::string& name, F f) {
  enter(cases, name + " 1000x1000", type_name<double, N>(), "ours", 1e6, [=] {
    const auto x = rand<double, N>({1000, 1000}, 1) * 10;
    return [=] { benchmark::DoNotOptimize(f(x).data()); };
  });
  adopt_peers(cases, "math/" + name, type_name<double, N>(), name + " 1000x1000");
}

}  // namespace

void add_tensors(std::vector<Case>& cases) {
  enter_dot<double, 2>(cases);
  enter_dot<double, 3>(cases);
  enter_dot<double, 4>(cases);
  constexpr std::int64_t n = 1024;
  enter_mm<double, 2>(cases, n);
  enter_mm<double, 2, 1>(cases, n);
  enter_mm<double, 2>(cases, n, 2);
  enter_normwise_mm<2>(cases, n);
#if MCT_WITH_XSIMD
  enter_plain_loop<2>(cases, n);
#endif
#if MCT_WITH_QD
  enter_peer_mm<2, validation::QdDouble2>(cases, "QD dd_real", n);
#endif
#if MCT_WITH_OPENBLAS
  enter_openblas(cases, "f64x2", n);
#endif
  enter_mm<double, 1>(cases, n);
  enter_normwise_mm<1>(cases, n);
#if MCT_WITH_OPENBLAS
  enter_openblas(cases, "f64x1", n);
#endif
  enter_mm<float, 1>(cases, n);
  enter_mm<float, 2>(cases, n);
  enter_mm<float, 3>(cases, n);
  enter_mm<bfloat16, 1>(cases, n);
  enter_mm<bfloat16, 2>(cases, n);
  enter_mm<double, 3>(cases, n);
  enter_normwise_mm<3>(cases, n);
#if MCT_WITH_OPENBLAS
  enter_openblas(cases, "f64x3", n);
#endif
  enter_complex_mm<2>(cases, n);
#if MCT_WITH_OPENBLAS
  enter_openblas_complex(cases, "f64x2", n);
#endif
  enter_mm<double, 2>(cases, 2048);
  enter_normwise_mm<2>(cases, 2048);
#if MCT_WITH_OPENBLAS
  enter_openblas(cases, "f64x2", 2048);
#endif
  enter_mm<double, 3>(cases, 512);
#if MCT_WITH_XSIMD
  enter_plain_loop<3>(cases, 512);
#endif
  enter_mm<double, 4>(cases, 512);
#if MCT_WITH_XSIMD
  enter_plain_loop<4>(cases, 512);
#endif
#if MCT_WITH_QD
  enter_peer_mm<4, validation::QdDouble4>(cases, "QD qd_real", 512);
#endif
  enter_layer<float>(cases, "ours");
#if MCT_WITH_OPENBLAS
  enter_openblas_layer(cases);
#endif
  enter_layer<bfloat16>(cases, "ours");
  if (has_bfloat16_unit(Bfloat16Unit::vector))
    enter_layer<bfloat16>(cases, "ours, AVX512-BF16", Bfloat16Unit::vector);
  if (has_bfloat16_unit(Bfloat16Unit::matrix))
    enter_layer<bfloat16>(cases, "ours, AMX-BF16", Bfloat16Unit::matrix);
  enter_conversion<float, bfloat16>(cases);
  enter_conversion<bfloat16, float>(cases);
  enter_conversion<double, float>(cases);
  enter_seed_products<float, 2>(cases);
  enter_seed_products<float, 3>(cases);
  enter_elementwise<float, 2>(cases);
  enter_elementwise<double, 2>(cases);
  enter_function<2>(cases, "exp", [](const auto& x) { return exp(x); });
  enter_function<2>(cases, "log", [](const auto& x) { return log(x); });
  enter_function<2>(cases, "tanh", [](const auto& x) { return tanh(x); });
}

}  // namespace mct::bench
