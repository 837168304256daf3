// Programs of training on a simulated GPU; what runs them is tested in training/.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "cuda/base/thread_number.hpp"
#include "cuda/embed/end_batch.hpp"
#include "cuda/embed/move_rows.hpp"
#include "src/embed/kernels/step_kernels.hpp"
#include "src/embed/point_table.hpp"
#include "tests/cuda/simulator/simulate.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

using HalfSpaceLong = kernels::HalfSpacePlace<2, 2, false, double>;
using BallPlane = kernels::BallPlace<1, 2, double>;
using LorentzPlane = kernels::LorentzPlace<1, 3, double>;

namespace embed_training {

using geometry::PointStorage;

void expect_bits(double got, double want, const std::string& what) {
  ASSERT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(want))
      << what << ": " << got << ", the library has " << want;
}

/// The sorted keys of rows, with a fault in the first program or none.
std::vector<RowKey> sorted(const std::vector<std::int32_t>& rows, const Faults& faults = {}) {
  const auto count = std::int64_t(rows.size());
  std::vector<RowKey> keys(rows.size());
  std::vector<RowKey> other(rows.size());
  GlobalMemory memory;
  memory.add(rows).add_output(keys).add_output(other);
  simulate(SortTiles{rows.data(), count, keys.data()}, blocks_for(count, SortTiles::tile), memory,
           {1, TensorCore::rounded, faults});
  for (std::int64_t run = SortTiles::tile; run < count; run *= MergeRuns::ways) {
    simulate(MergeRuns{keys.data(), other.data(), std::uint32_t(count), std::uint32_t(run)},
             blocks_for(count, MergeRuns::threads), memory);
    keys.swap(other);
  }
  return keys;
}

std::vector<std::int32_t> random_rows(std::size_t count) {
  std::mt19937 random(2);
  std::vector<std::int32_t> rows(count);
  for (auto& row : rows) row = std::int32_t(random() % 50) - 1;
  return rows;
}

TEST(CudaTraining, RowsAreSorted) {
  const auto rows = random_rows(5 * SortTiles::tile + 3);  // two merges, the last of two runs
  std::vector<RowKey> keys;
  for (std::size_t i = 0; i < rows.size(); ++i) keys.push_back(row_key(rows[i], std::int64_t(i)));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(sorted(rows), keys);
  EXPECT_EQ(row_of(keys.front()), 0);
  EXPECT_EQ(row_of(keys.back()), -1);
}

/// Rows that have a gradient each, one a thread: move_row alone, as TrainKernels::step.
///
/// Grid: (count / threads, rounded up).
template <class Place, bool adaptive>
struct StepRows {
  static constexpr int threads = 128, blocks_per_sm = 1;

  double* points;
  embed_detail::Steps<double> steps;
  std::int32_t* moved;  // [count]: 1 or 0

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t i = thread_number<threads>(team);
    if (i >= steps.count) return;
    typename Place::Vector gradient;
    MCT_UNROLL
    for (int c = 0; c < coordinates_in<Place>; ++c)
      gradient[c] = team.template load<1>(steps.vectors + c * steps.plane + i)[0];
    const std::int32_t row = team.template load<1>(steps.rows + i)[0];
    const bool moves = move_row<Place, adaptive>(team, points, steps, row, gradient);
    team.template store<1>(moved + i, {{std::int32_t(moves)}});
  }
};

/// Rows with gradients that are ordinary, zero, large, and no numbers.
template <class InLanes, class Place, bool adaptive>
void expect_same_steps(std::vector<double> points) {
  constexpr int n = coordinates_in<Place>;
  constexpr std::int64_t count = 150;
  const auto table_rows = std::int64_t(points.size()) / numbers_in<Place>;
  std::vector<std::int32_t> rows(count);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = std::int32_t(table_rows) - 1 - std::int32_t(i);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> vectors(std::size_t(count * n));
  for (double& v : vectors) v = normal(random);
  for (std::size_t i = 0; i < 4; ++i) {
    vectors[40 + i] = std::vector<double>{0, 1e200, 1e300, NAN}[i];
    vectors[std::size_t(count) + 40 + i] = i == 0 ? 0 : 1;
  }
  std::vector<double> moments(std::size_t(table_rows * (n + embed_detail::Moments::more)));
  for (double& m : moments) m = std::fabs(normal(random));
  embed_detail::Steps<double> steps{count, rows.data(), vectors.data(), count, -0.1, 2.5, {}};
  auto host_points = points;
  auto host_moments = moments;
  if (adaptive) steps.moments = {host_moments.data(), 0.9, 0.99, 1e-8};
  const std::int64_t moved = kernels::example_step<InLanes>(
      {host_points.data(), dimensions_in<Place>, numbers_in<Place>, 1}, steps);
  EXPECT_LT(moved, count);
  if (adaptive) steps.moments.data = moments.data();
  std::vector<std::int32_t> flags(count);
  GlobalMemory memory;
  memory.add(std::as_const(rows)).add(std::as_const(vectors)).add(points).add(moments);
  memory.add_output(flags);
  using Program = StepRows<Place, adaptive>;
  simulate(Program{points.data(), steps, flags.data()}, blocks_for(count, Program::threads), memory,
           {4});
  EXPECT_EQ(std::count(flags.begin(), flags.end(), 1), moved);
  for (std::size_t i = 0; i < points.size(); ++i) expect_bits(points[i], host_points[i], "points");
  for (std::size_t i = 0; i < moments.size(); ++i)
    expect_bits(moments[i], host_moments[i], "moments");
}

std::vector<double> points_near(PointStorage model, int dimensions, int components) {
  embed::EmbeddingSpace space;
  space.storage = model;
  space.dimensions = dimensions;
  space.components = components;
  embed::TrainOptions options;
  options.space = space;
  options.init = 0.25;
  options.seed = 9;
  const auto points = embed::initial_points(options, 170);
  return {points.data(), points.data() + points.numel()};
}

TEST(CudaTraining, StepsOfRowsAreTheLibrarys) {
  using namespace kernels;
  expect_same_steps<HalfSpacePlace<2, 2, false>, HalfSpaceLong, true>(
      points_near(PointStorage::xmc_half_space, 2, 2));
  expect_same_steps<BallPlace<1, 2>, BallPlane, false>(points_near(PointStorage::ball, 2, 1));
  expect_same_steps<LorentzPlace<1, 3>, LorentzPlane, true>(
      points_near(PointStorage::lorentz, 2, 1));
}

template <class Run>
std::string error_without_barrier(int site, const Run& run) {
  return testing::message_of<SimulationError>([&] { run(Faults::without_barrier(site)); });
}

TEST(CudaTraining, DroppedBarriersAreFound) {
  const auto rows = random_rows(SortTiles::tile);
  for (const int site : {0, 1})
    EXPECT_NE(error_without_barrier(site, [&](const Faults& f) { sorted(rows, f); }), "") << site;

  const std::vector<double> losses(300, 1.0);
  const std::vector<std::int32_t> stayed(300, 1);
  const auto end = [&](const Faults& faults) {
    TrainingState state;
    state.edges = state.batch = 300;
    std::vector<TrainingState> states = {state};
    GlobalMemory memory;
    memory.add(states).add(losses).add(stayed);
    simulate(EndBatch{states.data(), losses.data(), losses.data(), stayed.data(), 300}, {1}, memory,
             {1, TensorCore::rounded, faults});
    EXPECT_EQ(states[0].stayed, 300);
    EXPECT_EQ(states[0].loss_sum, 300);
    EXPECT_EQ(states[0].slope, 300);
    EXPECT_EQ(states[0].number, 1);
  };
  end({});
  for (const int site : {0, 1}) EXPECT_NE(error_without_barrier(site, end), "") << site;
}

}  // namespace embed_training
}  // namespace mct::cuda
