// Training of embeddings on a GPU from the PTX that nvcc makes of its programs where
// tests/cuda/kernels/embed_training.cu has them: those of the other spaces, and Radam's steps, are
// the sources.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "cuda/embed/draw_examples.hpp"
#include "cuda/embed/end_batch.hpp"
#include "cuda/embed/start_training.hpp"
#include "mctensor/embed/device_train.hpp"
#include "tests/cuda/ptx/compiled.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module embed_training;
const Module* compiled = &embed_training;
}  // namespace ptx

template <>
struct InPlaceOf<DrawExamples> : ptx::CompiledIn<DrawExamples, ptx::compiled> {};
template <>
struct InPlaceOf<SortTiles> : ptx::CompiledIn<SortTiles, ptx::compiled> {};
template <>
struct InPlaceOf<MergeRuns> : ptx::CompiledIn<MergeRuns, ptx::compiled> {};
template <>
struct InPlaceOf<EndBatch> : ptx::CompiledIn<EndBatch, ptx::compiled> {};
template <class Place, int most_turns>
struct InPlaceOf<ExampleGradients<Place, most_turns>>
    : ptx::CompiledIn<ExampleGradients<Place, most_turns>, ptx::compiled> {};
template <class Place, bool adaptive>
struct InPlaceOf<MoveRows<Place, adaptive>>
    : ptx::CompiledIn<MoveRows<Place, adaptive>, ptx::compiled> {};

using kernels::HalfSpacePlace;
using SomePrograms = TrainingPrograms<
    StoredPlace<geometry::PointStorage::xmc_half_space, HalfSpacePlace<2, 2, false, double>>,
    StoredPlace<geometry::PointStorage::mc_half_space, HalfSpacePlace<2, 2, true, double>>>;

void start_examples(const TrainingSpace& space, const ExampleLaunch& of, const Stream& stream) {
  SomePrograms::start_examples(space, of, stream);
}
void start_moves(const TrainingSpace& space, const MoveLaunch& of, const Stream& stream) {
  SomePrograms::start_moves(space, of, stream);
}

}  // namespace mct::cuda

MCT_SIMULATE_PROGRAM(DrawExamples)
MCT_SIMULATE_PROGRAM(SortTiles)
MCT_SIMULATE_PROGRAM(MergeRuns)
MCT_SIMULATE_PROGRAM(EndBatch)

namespace mct::cuda {
namespace {

std::shared_ptr<const embed::Graph> small_graph() {
  std::mt19937 random(1);
  auto names = std::make_shared<embed::NameTable>();
  std::vector<std::int32_t> sources, targets;
  for (std::int32_t v = 0; v < 60; ++v) {
    names->enter(std::to_string(v));
    for (int k = 0; v > 0 && k < 2; ++k) {
      sources.push_back(v);
      targets.push_back(std::int32_t(random() % std::uint32_t(v)));
    }
  }
  return std::make_shared<const embed::Graph>(std::move(names), std::move(sources),
                                              std::move(targets));
}

void expect_same_training(geometry::PointStorage model, embed::Optimizer optimizer) {
  embed::TrainOptions options;
  options.space.storage = model;
  options.space.dimensions = options.space.components = 2;
  options.optimizer = optimizer;
  options.negatives = 20;
  options.batch = 70;  // more keys than a tile has
  options.radius_lr = 0.01;
  options.lr = 0.3;
  const auto graph = small_graph();
  embed::Trainer host(graph, options);
  embed::Trainer device = device_trainer(graph, options);
  for (int step = 0; step < 2; ++step) {
    host.advance(2);
    device.advance(2);
    EXPECT_EQ(device.last_epoch().loss, host.last_epoch().loss);
    EXPECT_EQ(device.radius(), host.radius());
    EXPECT_EQ(device.embedding().coordinates().values(), host.embedding().coordinates().values());
  }
}

TEST(CudaTrainingCompiled, IsTheCpus) {
  expect_same_training(geometry::PointStorage::xmc_half_space, embed::Optimizer::radam);
  expect_same_training(geometry::PointStorage::mc_half_space, embed::Optimizer::rsgd);
  EXPECT_EQ(ptx::replaced().size(), 6u);  // all that the module has
}

}  // namespace
}  // namespace mct::cuda
