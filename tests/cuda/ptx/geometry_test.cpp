// Operations of points from the PTX that nvcc makes of tests/cuda/kernels/geometry_pointwise.cu,
// with the functions that it does not inline: the older forms of formulas, for points that a length
// from squares would be wrong of. Bit for bit what the formulas give on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "cuda/geometry/point_program.hpp"
#include "cuda/geometry/pointwise.hpp"
#include "mctensor/geometry/device_points.hpp"
#include "mctensor/geometry/models.hpp"
#include "src/geometry/programs/program.hpp"
#include "tests/cuda/ptx/from_ptx.hpp"
#include "tests/cuda/simulator/simulate.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module geometry_pointwise;
}  // namespace ptx
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A spiral of points of the disk, each beside others at distances of all sizes.
template <class F>
void add_pairs(const F& add) {
  for (int i = 0; i < 40; ++i) {
    const double far = 1 - std::ldexp(1.0, -i);
    const double a = 2.4 * i, near = std::ldexp(1.0, -30 * i);
    const std::array<double, 2> x = {far * std::cos(a), far * std::sin(a)};
    add(x, std::array{far * std::cos(2 * a), far * std::sin(2 * a)});
    add(x, x);
    add(std::array{near, 0.0}, std::array{0.0, 0.75 * near});
  }
  add(std::array{0.25, 0.5}, std::array{nan, 0.0});
  add(std::array{infinity, 0.5}, std::array{0.25, -0.5});
  add(std::array{1e300, 0.5}, std::array{0.25, -1e200});
}

/// Runs Op on rows of n coordinates, and compares.
template <class Op, int n, class F>
void expect_bits_of_the_formulas(const F& formulas, const std::vector<double>& x,
                                 const std::vector<double>& y) {
  using Program = Pointwise<Op, F, double, 1, n>;
  const auto count = std::int64_t(x.size()) / n;
  std::vector<double> out(std::size_t(count * Program::results));
  const Program program{formulas, {x.data(), 0}, {y.data(), 0}, {out.data(), 0}, count};
  GlobalMemory memory;
  memory.add(x).add(y).add_output(out);
  const auto blocks = int((count + Program::threads - 1) / Program::threads);
  simulate_itself(ptx::FromPtx<Program>(program, ptx::geometry_pointwise), {blocks}, memory, {2});
  for (std::int64_t i = 0; i < count; ++i) {
    geometry::Point<double, n> a, b;
    for (int c = 0; c < n; ++c) {
      a[c] = x[std::size_t(i * n + c)];
      b[c] = y[std::size_t(i * n + c)];
    }
    const auto right = Op::template on<double>(formulas, a, b);
    for (int c = 0; c < Program::results; ++c) {
      double expected;
      if constexpr (Program::results == 1) {
        expected = right;
      } else {
        expected = right[c];
      }
      const double found = out[std::size_t(i * Program::results + c)];
      if (std::isnan(expected) && std::isnan(found)) continue;
      EXPECT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected))
          << found << " and " << expected << ", pair " << i;
    }
  }
}

TEST(CudaGeometryCompiled, DistanceInTheBall) {
  std::vector<double> x, y;
  add_pairs([&](const auto& a, const auto& b) {
    x.insert(x.end(), a.begin(), a.end());
    y.insert(y.end(), b.begin(), b.end());
  });
  expect_bits_of_the_formulas<geometry::operation::dist, 2>(
      geometry::PoincareBall<double>(1.5).formulas(), x, y);
}

TEST(CudaGeometryCompiled, LogarithmOfTheLorentzModel) {
  std::vector<double> x, y;
  const auto add = [](std::vector<double>& to, const std::array<double, 2>& p) {
    for (const double scale : {1.0, 1e20}) {
      const double a = scale * p[0], b = scale * p[1];
      to.insert(to.end(), {std::sqrt(2.25 + a * a + b * b), a, b});
    }
  };
  add_pairs([&](const auto& a, const auto& b) {
    add(x, a);
    add(y, b);
  });
  expect_bits_of_the_formulas<geometry::operation::logmap, 3>(
      geometry::Lorentz<double>(1.5).formulas(), x, y);
}

/// The steps of a task on points of three coordinates, by a program that `simulated` runs.
template <class Run>
std::vector<double> results_of(const PointTask& task, int results, const Run& simulated) {
  const PointSteps steps = *steps_on_points(task);
  const int count = 2 * PointProgram::threads + 5;
  std::vector<double> rows(std::size_t(3 * count)), out(std::size_t(results * count));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = 0.5 * std::sin(double(i * i % 97));
  std::vector<double> ones(std::size_t(count), 0.05);
  std::vector<double> scratch(std::size_t(PointProgram::threads * steps.rows));
  std::vector<std::uint8_t> left(std::size_t(count), 7);
  PointProgram program{};
  program.steps = reinterpret_cast<const PointStep*>(steps.bytes.data());
  program.constants = reinterpret_cast<const PointConstant*>(program.steps + steps.steps);
  program.step_count = steps.steps;
  program.constant_count = steps.constants;
  program.radius = 1.5;
  program.radius_row = mct::geometry_detail::Program::radius_at / mct::geometry_detail::block;
  for (PointRows<const double>& in : program.in) in = {ones.data(), 1};
  program.in[0] = program.in[mct::geometry_detail::seed_operand] = {rows.data(), 3};
  program.in[1] = {rows.data() + 3, 0};  // the same point for all
  program.out[0] = program.out[1] = {out.data(), results};
  program.scratch = scratch.data();
  program.left = left.data();
  program.count = count;
  GlobalMemory memory;
  memory.add(steps.bytes).add(rows).add(ones).add(scratch).add_output(out).add_output(left);
  simulated(program, memory);
  out.insert(out.end(), left.begin(), left.end());
  return out;
}

/// Operations, a derivative, an angle of cones, and sines of a curvature: every kind of step.
TEST(CudaGeometryCompiled, StepsOfPoints) {
  using geometry::Model;
  using geometry::TensorOperation;
  PointTask angle{Model::ball, TensorOperation::count, 3};
  angle.cones = geometry::ConeSystemName::penumbral;
  angle.cone_operation = geometry::ConeOperationName::angle_energy;
  PointTask curved{Model::stereographic, TensorOperation::expmap, 3};
  curved.curvature_sign = 1;
  const std::pair<PointTask, int> tasks[] = {{{Model::lorentz, TensorOperation::logmap, 3}, 3},
                                             {{Model::ball, TensorOperation::mobius_add, 3, 2}, 3},
                                             {curved, 3},
                                             {angle, 1}};
  for (const auto& [task, results] : tasks) {
    const auto expected = results_of(task, results, [](const auto& program, GlobalMemory& memory) {
      simulate_itself(program, {1}, memory, {2});
    });
    const auto found = results_of(task, results, [](const auto& program, GlobalMemory& memory) {
      simulate_itself(ptx::FromPtx<PointProgram>(program, ptx::geometry_pointwise), {1}, memory,
                      {2});
    });
    // angles are those of CUDA's atan2, within 2 units of the last place; all else has the bits
    const double tolerance = task.cone_operation == angle.cone_operation ? 0x1p-51 : 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::isnan(expected[i]) && std::isnan(found[i])) continue;
      EXPECT_LE(std::fabs(found[i] - expected[i]), tolerance * std::fabs(expected[i]))
          << int(task.operation) << ", " << i;
    }
  }
}

}  // namespace
}  // namespace mct::cuda
