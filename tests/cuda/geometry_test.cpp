// Operations of manifolds on a GPU, in the simulator: bit for bit those of the compiled kernels.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/geometry/pointwise.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "tests/cuda/simulator/simulate.hpp"

namespace {

using namespace mct::cuda;
namespace geometry = mct::geometry;
namespace operation = mct::geometry::operation;

/// All planes of a tensor.
template <int N>
std::vector<double> planes(const mct::Tensor<double, N>& x) {
  std::vector<double> all;
  for (int l = 0; l < N; ++l) {
    const auto plane = x.plane(l).values();
    all.insert(all.end(), plane.begin(), plane.end());
  }
  return all;
}

template <class Op, int n, class M, int N>
std::vector<double> on_grid(const M& manifold, const mct::Tensor<double, N>& x,
                            const mct::Tensor<double, N>& y) {
  using F = std::decay_t<decltype(manifold.formulas())>;
  using Program = Pointwise<Op, F, double, N, n>;
  const std::int64_t count = x.size(0);
  const std::vector<double> from_x = planes(x);
  const std::vector<double> from_y = planes(y);
  std::vector<double> out(std::size_t(count * Program::results * N));
  GlobalMemory memory;
  memory.add(from_x).add(from_y).add_output(out);
  const Program program{manifold.formulas(),
                        {from_x.data(), count * n},
                        {from_y.data(), count * n},
                        {out.data(), count * Program::results},
                        count};
  simulate(program, {int((count + Program::threads - 1) / Program::threads)}, memory);
  return out;
}

/// NaN equals NaN here, and signs of zeros count.
void expect_same(const std::vector<double>& got, const std::vector<double>& want,
                 const char* what) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE((std::isnan(got[i]) && std::isnan(want[i])) ||
                (got[i] == want[i] && std::signbit(got[i]) == std::signbit(want[i])))
        << what << ", number " << i << ": " << got[i] << ", the library has " << want[i];
}

template <template <class> class Model, int N, int n>
void expect_library_bits() {
  using Value = typename mct::Tensor<double, N>::Value;
  const Model<Value> manifold(Value(1.5));
  const std::int64_t count = 150;
  const auto x = random_normal(manifold, {count, n}, 1).clone();
  const auto y = random_normal(manifold, {count, n}, 2).clone();
  // a point beside itself, and what is no point
  y.narrow(0, 0, 1).copy_(x.narrow(0, 0, 1));
  x.set({3, 1}, Value(std::numeric_limits<double>::quiet_NaN()));
  y.set({4, 0}, Value(std::numeric_limits<double>::infinity()));
  const auto u = logmap(manifold, x, y);
  expect_same(on_grid<operation::dist, n>(manifold, x, y), planes(dist(manifold, x, y)), "dist");
  expect_same(on_grid<operation::logmap, n>(manifold, x, y), planes(u), "logmap");
  expect_same(on_grid<operation::expmap, n>(manifold, x, u), planes(expmap(manifold, x, u)),
              "expmap");
  expect_same(on_grid<operation::egrad2rgrad, n>(manifold, x, u),
              planes(egrad2rgrad(manifold, x, u)), "egrad2rgrad");
}

TEST(CudaGeometry, BallIsTheLibrarysBits) {
  expect_library_bits<geometry::PoincareBall, 1, 3>();
  expect_library_bits<geometry::PoincareBall, 2, 2>();
}
TEST(CudaGeometry, HalfSpaceIsTheLibrarysBits) {
  expect_library_bits<geometry::HalfSpace, 1, 2>();
  expect_library_bits<geometry::HalfSpace, 2, 3>();
  expect_library_bits<geometry::HalfSpace, 3, 2>();
}
TEST(CudaGeometry, LorentzIsTheLibrarysBits) {
  expect_library_bits<geometry::Lorentz, 1, 3>();
  expect_library_bits<geometry::Lorentz, 2, 4>();
}

}  // namespace
