// Products of Eigen matrices with interop/eigen_products.hpp and by Eigen's own loops, beside those
// of tensors. One thread.
#include "bench/registry.hpp"
#include "mctensor/mctensor.hpp"
#if MCT_WITH_EIGEN
#include <Eigen/LU>

#include "mctensor/interop/eigen_products.hpp"
#include "mctensor/interop/eigen_tensor.hpp"
#endif

namespace mct::bench {

#if MCT_WITH_EIGEN
namespace {

template <class X>
using Matrix = Eigen::Matrix<X, Eigen::Dynamic, Eigen::Dynamic>;

template <class Body>
void enter(std::vector<Case>& cases, const std::string& work, const std::string& type,
           const std::string& implementation, double items, Body body) {
  enter_items(cases, "eigen/" + work, type, implementation, items, [=](benchmark::State& state) {
    const int before = num_threads();
    set_num_threads(1);
    auto once = body();  // makes the operands
    for (auto _ : state) once();
    set_num_threads(before);
  });
}

/// c = a b as if eigen_products.hpp were not included.
template <class X>
void own_product(Matrix<X>& c, const Matrix<X>& a, const Matrix<X>& b) {
  using namespace Eigen::internal;
  constexpr int order = Eigen::ColMajor;
  c.setZero();
  gemm_blocking_space<order, X, X, Eigen::Dynamic, Eigen::Dynamic, Eigen::Dynamic> blocking(
      c.rows(), c.cols(), a.cols(), 1, true);
  general_matrix_matrix_product<Eigen::Index, X, order, false, X, order, false, order, 1>::run(
      c.rows(), c.cols(), a.cols(), a.data(), a.outerStride(), b.data(), b.outerStride(), c.data(),
      1, c.outerStride(), X(1), blocking);
}

template <class T, int N>
void enter_products(std::vector<Case>& cases, const std::string& type, std::int64_t n) {
  using X = Expansion<T, N>;
  const std::string work = "mm " + std::to_string(n);
  const double items = double(n) * double(n) * double(n);
  enter(cases, work, type, "ours", items, [=] {
    const auto a = randn<T, N>({n, n}, 1);
    const auto b = randn<T, N>({n, n}, 2);
    return [=] { benchmark::DoNotOptimize(mm(a, b).data()); };
  });
  const auto eigen = [=](auto multiply) {
    return [=] {
      const Matrix<X> a = copy_to_eigen(randn<T, N>({n, n}, 1));
      const Matrix<X> b = copy_to_eigen(randn<T, N>({n, n}, 2));
      return [=, c = Matrix<X>(n, n)]() mutable {
        multiply(c, a, b);
        benchmark::DoNotOptimize(c.data());
        benchmark::ClobberMemory();
      };
    };
  };
  enter(cases, work, type, "Eigen, eigen_products.hpp", items,
        eigen([](Matrix<X>& c, const Matrix<X>& a, const Matrix<X>& b) { c.noalias() = a * b; }));
  enter(cases, work, type, "Eigen, its own loop", items,
        eigen([](Matrix<X>& c, const Matrix<X>& a, const Matrix<X>& b) { own_product(c, a, b); }));
}

/// What is built on products, per multiplication and addition of its formula.
void enter_lu(std::vector<Case>& cases, std::int64_t n) {
  enter(cases, "LU " + std::to_string(n), "f64x2", "Eigen, eigen_products.hpp",
        double(n) * double(n) * double(n) / 3, [=] {
          const Matrix<f64x2> a = copy_to_eigen(randn<double, 2>({n, n}, 1));
          return [=] {
            const Eigen::PartialPivLU<Matrix<f64x2>> lu(a);
            benchmark::DoNotOptimize(lu.matrixLU().data());
          };
        });
}

}  // namespace

void add_eigen(std::vector<Case>& cases) {
  enter_products<double, 2>(cases, "f64x2", 256);
  enter_products<double, 2>(cases, "f64x2", 1024);
  enter_products<double, 3>(cases, "f64x3", 256);
  enter_products<float, 2>(cases, "f32x2", 256);
  enter_lu(cases, 512);
}
#else
void add_eigen(std::vector<Case>&) {}
#endif

}  // namespace mct::bench
