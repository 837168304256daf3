// Matrices that are hard on decompositions, and the types that these are tested with.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "tests/tensor/tensors.hpp"

namespace mct::test {

/// Expects a measured error within its bound; MCT_PRINT_ERRORS=1 prints it for docs/linalg.md.
inline void expect_at_most(const std::string& what, double error, double bound) {
  EXPECT_LE(error, bound) << what;
  if (std::getenv("MCT_PRINT_ERRORS") != nullptr)
    std::printf("%-40s %10.3g of %10.3g\n", what.c_str(), error, bound);
}
template <class T, int N>
std::string type_name() {
  return (std::is_same_v<T, double> ? "f64x" : "f32x") + std::to_string(N);
}

/// Calls f.operator()<T, N>() for every type that decompositions are compiled for.
template <class F>
void for_each_decomposed(const F& f) {
#define MCT_CALL(T, N)             \
  {                                \
    SCOPED_TRACE(#T "x" #N);       \
    f.template operator()<T, N>(); \
  }
  MCT_CALL(double, 1)
  MCT_CALL(double, 2)
  MCT_CALL(double, 3)
  MCT_CALL(double, 4)
  MCT_CALL(float, 1)
  MCT_CALL(float, 2)
  MCT_CALL(float, 3)
  MCT_CALL(float, 4)
#undef MCT_CALL
}

/// 1 / (i + j + 1), rounded to the type: condition about 33^n.
template <class T, int N>
Tensor<T, N> hilbert(std::int64_t n) {
  Tensor<T, N> a({n, n});
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      a.set({i, j}, as_value<T, N>(Expansion<T, N>(T(1)) / Expansion<T, N>(T(i + j + 1))));
  return a;
}

/// Random, with rows of sizes from 2^(-range / 2) to 2^(range / 2).
template <class T, int N>
Tensor<T, N> graded(std::int64_t m, std::int64_t n, int range, std::uint64_t seed) {
  const auto a = random_tensor<T, N>({m, n}, seed, 0);
  std::mt19937_64 random(seed);
  for (std::int64_t i = 0; i < m; ++i) {
    const int exponent = int(random() % std::uint64_t(range + 1)) - range / 2;
    mul_(a[i], std::ldexp(T(1), exponent));
  }
  return a;
}

/// A random symmetric matrix.
template <class T, int N>
Tensor<T, N> symmetric(std::int64_t n, std::uint64_t seed) {
  const auto a = random_tensor<T, N>({n, n}, seed, 2);
  return add(a, a.t());
}

/// Symmetric positive definite.
template <class T, int N>
Tensor<T, N> positive_definite(std::int64_t n, std::uint64_t seed) {
  const auto a = random_tensor<T, N>({n, n}, seed, 2);
  auto square = mm(a, a.t());
  for (std::int64_t i = 0; i < n; ++i)
    square.set({i, i}, as_value<T, N>(as_expansion<T, N>(square.at({i, i})) + T(1)));
  for (std::int64_t i = 0; i < n; ++i)  // products of rows may differ in the last limb
    for (std::int64_t j = 0; j < i; ++j) square.set({j, i}, square.at({i, j}));
  return square;
}

/// [[a, b], [c, d]].
template <class T, int N>
Tensor<T, N> two_by_two(double a, double b, double c, double d) {
  return convert<T, N>(Tensor<double>{{a, b}, {c, d}});
}

/// The same matrix read through other strides: transposed memory, every second column, batches.
template <class T, int N>
Tensor<T, N> with_other_strides(const Tensor<T, N>& a) {
  const std::int64_t m = a.size(-2);
  const std::int64_t n = a.size(-1);
  Tensor<T, N> memory({2 * n, m});
  const auto view = memory.slice(0, 0, 2 * n, 2).t();
  view.copy_(a);
  return view;
}

}  // namespace mct::test
