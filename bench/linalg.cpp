// Decompositions beside LAPACK in OpenBLAS (plain double) and Eigen on our scalars. One thread, but
// where the name says two. A time is divided by the multiply-adds of the decomposition.
#include <string>

#include "bench/registry.hpp"
#include "mctensor/linalg/cholesky.hpp"
#include "mctensor/linalg/eigh.hpp"
#include "mctensor/linalg/lu.hpp"
#include "mctensor/linalg/qr.hpp"
#include "mctensor/linalg/solve.hpp"
#include "mctensor/linalg/svd.hpp"
#include "mctensor/mctensor.hpp"
#if MCT_WITH_EIGEN
#include <Eigen/Dense>

#include "mctensor/interop/eigen.hpp"
#endif
#if MCT_WITH_OPENBLAS
#include <cblas.h>
// of LAPACK, in the same library; Debian has its header in another package
extern "C" void dgesv_(const int* n, const int* columns, double* a, const int* stride, int* pivots,
                       double* b, const int* b_stride, int* info);
extern "C" void dgetri_(const int* n, double* a, const int* stride, const int* pivots, double* work,
                        const int* length, int* info);
extern "C" void dgetrf_(const int* m, const int* n, double* a, const int* stride, int* pivots,
                        int* info);
#endif

namespace mct::bench {
namespace {

/// make() makes the operands on `threads` threads and returns what is timed.
template <class Make>
void enter(std::vector<Case>& cases, const std::string& work, const std::string& type,
           const std::string& implementation, double items, int threads, Make make) {
  enter_items(
      cases, "linalg/" + work, type,
      threads == 1 ? implementation : implementation + ", " + std::to_string(threads) + " threads",
      items,
      [=](benchmark::State& state) {
        const int before = num_threads();
        set_num_threads(threads);
#if MCT_WITH_OPENBLAS
        openblas_set_num_threads(threads);
#endif
        auto once = make();
        for (auto _ : state) once();
        set_num_threads(before);
      })
      .real_time = threads > 1;
}

std::string sized(const std::string& name, std::int64_t n) {
  return name + " " + std::to_string(n);
}

/// f(a) of a random matrix (n, n); `cubes` n^3 multiply-adds.
template <int N, class F>
void enter_ours(std::vector<Case>& cases, const std::string& name, std::int64_t n, double cubes,
                F f, int threads = 1, const std::string& suffix = "") {
  enter(cases, sized(name, n), "f64x" + std::to_string(N), "ours" + suffix,
        cubes * double(n) * double(n) * double(n), threads, [=] {
          const auto a = randn<double, N>({n, n}, 1);
          return [=] { f(a); };
        });
}

template <int N>
void enter_solve(std::vector<Case>& cases, std::int64_t n, int threads) {
  const auto b = randn<double, N>({n}, 2);
  enter_ours<N>(
      cases, "solve", n, 1.0 / 3,
      [=](const auto& a) { benchmark::DoNotOptimize(linalg::solve(a, b).data()); }, threads);
}

#if MCT_WITH_OPENBLAS
/// f64xN is the type that it stands beside.
void enter_dgesv(std::vector<Case>& cases, const std::string& type, std::int64_t n, int threads) {
  enter(cases, sized("solve", n), type, "OpenBLAS dgesv (plain double)",
        double(n) * double(n) * double(n) / 3, threads, [=] {
          const auto a = randn<double>({n, n}, 1);
          const auto b = randn<double>({n}, 2);
          return [=, pivots = std::vector<int>(std::size_t(n))]() mutable {
            const auto matrix = a.clone();
            const auto x = b.clone();
            const int size = int(n);
            const int one = 1;
            int info = 0;
            dgesv_(&size, &one, matrix.data(), &size, pivots.data(), x.data(), &size, &info);
            benchmark::DoNotOptimize(x.data());
          };
        });
}
void enter_dgetri(std::vector<Case>& cases, const std::string& type, std::int64_t n) {
  enter(cases, sized("inv", n), type, "OpenBLAS dgetri (plain double)",
        double(n) * double(n) * double(n), 1, [=] {
          const auto a = randn<double>({n, n}, 1);
          return [=, pivots = std::vector<int>(std::size_t(n)),
                  work = std::vector<double>(std::size_t(64 * n))]() mutable {
            const auto matrix = a.clone();
            const int size = int(n);
            const int length = int(work.size());
            int info = 0;
            dgetrf_(&size, &size, matrix.data(), &size, pivots.data(), &info);
            dgetri_(&size, matrix.data(), &size, pivots.data(), work.data(), &length, &info);
            benchmark::DoNotOptimize(matrix.data());
          };
        });
}
#endif

#if MCT_WITH_EIGEN
/// f(matrix of Eigen) of a random matrix.
template <int N, class F>
void enter_eigen(std::vector<Case>& cases, const std::string& name, const std::string& method,
                 std::int64_t n, double cubes, F f) {
  using Scalar = Expansion<double, N>;
  enter(cases, sized(name, n), "f64x" + std::to_string(N), "Eigen " + method,
        cubes * double(n) * double(n) * double(n), 1, [=] {
          const auto values = randn<double, N>({n, n}, 1).values();
          ::Eigen::Matrix<Scalar, -1, -1> a(n, n);
          for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j) a(i, j) = values[std::size_t(i * n + j)];
          return [=] { f(a); };
        });
}
#endif

void enter_decompositions(std::vector<Case>& cases) {
  enter_ours<2>(cases, "lu_factor", 400, 1.0 / 3, [](const auto& a) { linalg::lu_factor(a); });
#if MCT_WITH_EIGEN
  enter_eigen<2>(cases, "lu_factor", "PartialPivLU", 400, 1.0 / 3, [](const auto& a) {
    benchmark::DoNotOptimize(::Eigen::PartialPivLU<std::decay_t<decltype(a)>>(a).matrixLU().data());
  });
#endif
  enter_ours<2>(cases, "qr", 400, 4.0 / 3, [](const auto& a) { linalg::qr(a); });
#if MCT_WITH_EIGEN
  enter_eigen<2>(cases, "qr", "HouseholderQR", 400, 4.0 / 3, [](const auto& a) {
    const ::Eigen::HouseholderQR<std::decay_t<decltype(a)>> qr(a);
    const std::decay_t<decltype(a)> q = qr.householderQ();
    benchmark::DoNotOptimize(q.data());
  });
#endif
  enter(cases, "cholesky 400", "f64x2", "ours", 400.0 * 400 * 400 / 6, 1, [] {
    const auto x = randn<double, 2>({400, 400}, 1);
    const auto a = add(mm(x, x.t()), eye<double, 2>(400));
    return [=] { linalg::cholesky(a); };
  });
#if MCT_WITH_EIGEN
  enter_eigen<2>(cases, "cholesky", "LLT", 400, 1.0 / 6, [](const auto& x) {
    // L L^T of a matrix with this lower triangle: a large diagonal makes it positive definite
    std::decay_t<decltype(x)> a = x;
    a.diagonal().array() += f64x2(1000.0);
    benchmark::DoNotOptimize(::Eigen::LLT<std::decay_t<decltype(a)>>(a).matrixLLT().data());
  });
#endif
  enter_ours<2>(cases, "eigh", 200, 1, [](const auto& a) { linalg::eigh(a); });
#if MCT_WITH_EIGEN
  enter_eigen<2>(cases, "eigh", "SelfAdjointEigenSolver", 200, 1, [](const auto& a) {
    const ::Eigen::SelfAdjointEigenSolver<std::decay_t<decltype(a)>> solver(a);
    benchmark::DoNotOptimize(solver.eigenvectors().data());
  });
#endif
  enter_ours<2>(cases, "svd", 200, 1, [](const auto& a) { linalg::svd(a); });
}

}  // namespace

void add_linalg(std::vector<Case>& cases) {
  enter_solve<2>(cases, 2000, 1);
  enter_solve<2>(cases, 2000, 2);
#if MCT_WITH_OPENBLAS
  enter_dgesv(cases, "f64x2", 2000, 1);
  enter_dgesv(cases, "f64x2", 2000, 2);
#endif
  enter_solve<1>(cases, 2000, 1);
#if MCT_WITH_OPENBLAS
  enter_dgesv(cases, "f64x1", 2000, 1);
#endif
  enter_solve<2>(cases, 400, 1);
#if MCT_WITH_OPENBLAS
  enter_dgesv(cases, "f64x2", 400, 1);
#endif
#if MCT_WITH_EIGEN
  enter_eigen<2>(cases, "solve", "PartialPivLU", 400, 1.0 / 3, [](const auto& a) {
    using Matrix = std::decay_t<decltype(a)>;
    const ::Eigen::Matrix<f64x2, -1, 1> x = ::Eigen::PartialPivLU<Matrix>(a).solve(a.col(0));
    benchmark::DoNotOptimize(x.data());
  });
#endif
  enter_ours<2>(cases, "inv", 400, 1, [](const auto& a) { linalg::inv(a); });
#if MCT_WITH_OPENBLAS
  enter_dgetri(cases, "f64x2", 400);
#endif
  enter_decompositions(cases);
}

}  // namespace mct::bench
