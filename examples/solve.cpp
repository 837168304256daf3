// Linear systems that double cannot solve: a Hilbert matrix of order 12, whose condition number is
// 1.7e16, with a right side made so that every unknown is 1.
#include <cstdio>
#include <mctensor/mctensor.hpp>

namespace {

template <class T, int N>
mct::Tensor<T, N> hilbert(std::int64_t n) {
  const auto i = mct::arange<T, N>(mct::Expansion<T, N>(T(1)), mct::Expansion<T, N>(T(n + 1)),
                                   mct::Expansion<T, N>(T(1)));
  return T(1) / (i.unsqueeze(1) + i.unsqueeze(0) - T(1));
}

/// Solves and returns the largest error of an unknown. The right side has all digits that make the
/// solution 1: it is summed up in four components.
template <int N>
double error_of_solution(mct::linalg::SolveReport* report) {
  const auto a = hilbert<double, N>(12);
  const auto b = mct::sum(mct::convert<double, 4>(a), {1});
  const auto x = mct::linalg::solve(a, mct::convert<double, N>(b), report);
  return mct::max(mct::abs(x - 1.0)).evaluate().item();
}

}  // namespace

int main() {
  mct::linalg::SolveReport plain;
  mct::linalg::SolveReport accurate;
  const double error_plain = error_of_solution<1>(&plain);
  const double error_accurate = error_of_solution<3>(&accurate);
  std::printf("error of the unknowns: double %.1e, f64x3 %.1e\n", error_plain, error_accurate);
  std::printf(
      "f64x3: condition %.1e, relative residual %.1e, factored in %d doubles, %d "
      "refinements\n",
      accurate.condition, accurate.relative_residual, accurate.factor_components,
      accurate.refinements);

  // a batch of systems at once, as NumPy does it
  const auto matrices = mct::randn<double, 2>({10, 5, 5}, 1);
  const auto identity = mct::matmul(matrices, mct::linalg::inv(matrices));
  const auto rest = mct::abs(identity - mct::eye<double, 2>(5));
  std::printf("10 inverses in f64x2: largest element of a inv(a) - 1 is %.1e\n",
              mct::max(rest).evaluate().item());
  return error_accurate < 1e-25 && error_plain > 1e-6 ? 0 : 1;
}
