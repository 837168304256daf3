// States of training in files: which of them are taken.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::embed {
namespace {

using testing::graph_of;
using testing::message_of;
using testing::TemporaryDirectory;

/// A copy of a file of safetensors in which one number is another, or the name of the space.
void copy_with(const std::filesystem::path& from, const std::filesystem::path& to,
               const std::string& tensor, std::int64_t at, double value,
               const std::string& space = "") {
  const SafetensorsReader reader(from);
  SafetensorsWriter writer;
  for (const auto& [key, text] : reader.metadata()) writer.set_metadata(key, text);
  if (!space.empty()) writer.set_metadata("space", space);
  for (const char* const name : {"points", "moments", "numbers"}) {
    const auto values = reader.load<double, 1>(name).clone();
    if (name == tensor) values.data()[at] = value;
    writer.add(name, values);
  }
  writer.add("counts", reader.load<std::int64_t, 1>("counts"));
  writer.save(to);
}

/// Checkpoints of this space in which one number is none that training leaves.
void expect_damage_is_refused(const EmbeddingSpace& space) {
  const TemporaryDirectory directory;
  const auto file = directory / "state.safetensors";
  const auto damaged = directory / "damaged.safetensors";
  auto graph = std::make_shared<Graph>(graph_of(6, {{0, 1}, {2, 3}}));
  TrainOptions options;
  options.space = space;
  options.optimizer = Optimizer::radam;
  options.radius_lr = 0.01;
  options.negatives = 3;
  Trainer trainer(graph, options);
  trainer.advance(1);
  trainer.save(file);
  const auto refused = [&](const std::string& tensor, std::int64_t at, double value) {
    copy_with(file, damaged, tensor, at, value);
    return message_of<IoError>([&] { Trainer(graph, options).load(damaged); });
  };
  EXPECT_EQ(refused("points", 0, SafetensorsReader(file).load<double, 1>("points").data()[0]), "");
  const std::string name = damaged.string();
  const SafetensorsReader reader(file);
  const std::int64_t numbers = reader.load<double, 1>("points").size(1);
  for (std::int64_t i = 0; i < numbers; ++i)
    for (const double x : {std::nan(""), double(INFINITY)})
      EXPECT_EQ(refused("points", numbers + i, x),
                name + ": embedding: '1' is not a point of " + options.space.text());
  const std::int64_t width = reader.load<double, 1>("moments").size(1);
  EXPECT_EQ(refused("moments", 2 * width, std::nan("")), name + ": its moments have nan in row 2");
  EXPECT_EQ(refused("moments", 3 * width - 1, -1), name + ": its moments have -1 in row 2");
  for (const double x : {1e300, -1e300, 1e3})
    EXPECT_EQ(refused("numbers", 1, x),
              name + ": the logarithm of its radius is " + number_text(x));
}

TEST(Checkpoint, OfAnEarlierVersionNamesItsSpaceOtherwise) {
  const TemporaryDirectory directory;
  const auto file = directory / "state.safetensors", former = directory / "former.safetensors";
  auto graph = std::make_shared<Graph>(graph_of(6, {{0, 1}, {2, 3}}));
  TrainOptions options;
  options.space = {PointStorage::ball, 2, 1, 1, 1};
  options.optimizer = Optimizer::radam;  // so that the file has every tensor
  options.radius_lr = 0.01;
  options.negatives = 3;
  Trainer trainer(graph, options);
  trainer.advance(1);
  trainer.save(file);
  const auto refused = [&](const std::string& space) {
    copy_with(file, former, "", 0, 0, space);
    return message_of<IoError>([&] { Trainer(graph, options).load(former); });
  };
  EXPECT_EQ(refused("poincare, 2 dimensions, 1 component"), "");
  EXPECT_NE(refused("poincares, 2 dimensions, 1 component"), "");
  EXPECT_NE(refused("poincare, 3 dimensions, 1 component"), "");
}

TEST(Checkpoint, ThatIsDamagedIsRefused) {
  using enum PointStorage;
  for (const EmbeddingSpace& space : {EmbeddingSpace{half_space, 2, 1, 1, 1},
                                      {xmc_half_space, 3, 3, 2, 1},
                                      {mc_half_space, 2, 2, 1, 1},
                                      {ball, 4, 2, 1, 1},
                                      {lorentz, 10, 1, 1, 1},
                                      {h_tiling, 3, 2, 1, 1},
                                      {l_tiling, 2, 1, 2, 1}}) {
    SCOPED_TRACE(space.text());
    expect_damage_is_refused(space);
  }
}

TEST(Checkpoint, OfFloatsHasThem) {
  const TemporaryDirectory directory;
  const auto file = directory / "state.safetensors";
  const auto damaged = directory / "damaged.safetensors";
  auto graph = std::make_shared<Graph>(graph_of(6, {{0, 1}, {2, 3}}));
  const auto refused = [&](PointStorage storage, std::int64_t at, double value) {
    TrainOptions options;
    options.space = {storage, 2, 1, 1, 1};
    options.dtype = Dtype::float32;
    options.optimizer = Optimizer::radam;
    options.negatives = 3;
    Trainer trainer(graph, options);
    trainer.advance(1);
    trainer.save(file);
    copy_with(file, damaged, "points", at, value);
    return message_of<IoError>([&] { Trainer(graph, options).load(damaged); });
  };
  const std::string name = damaged.string();
  using enum PointStorage;
  EXPECT_EQ(refused(half_space, 3, 0.5), "");
  EXPECT_EQ(refused(half_space, 2, 0.1), name + ": 0.1 is no number of float32");
  EXPECT_EQ(refused(half_space, 3, 1e-30f), name + ": row 1 is too far out for float32");
  EXPECT_EQ(refused(ball, 0, 0.1), name + ": 0.1 is no number of float32");
  EXPECT_EQ(refused(lorentz, 1, 0x1p63), name + ": row 0 is too far out for float32");
  EXPECT_EQ(refused(h_tiling, 1, 0x1p24 + 1), "");  // a whole number
  EXPECT_EQ(refused(h_tiling, 3, 1 + 0x1p-40),
            name + ": 1.0000000000009095 is no number of float32");
  EXPECT_EQ(refused(l_tiling, 10, 0.1), name + ": 0.1 is no number of float32");
}

TEST(Checkpoint, OfAnotherTrainingIsRefused) {
  const TemporaryDirectory directory;
  const auto file = directory / "state.safetensors";
  auto graph = std::make_shared<Graph>(graph_of(3, {{0, 1}}));
  TrainOptions options;
  Trainer(graph, options).save(file);
  options.seed = 4;
  EXPECT_EQ(message_of<IoError>([&] { Trainer(graph, options).load(file); }),
            file.string() + ": a training whose seed is '0', not '4'");
  options = {};
  options.dtype = Dtype::float32;
  EXPECT_EQ(message_of<IoError>([&] { Trainer(graph, options).load(file); }),
            file.string() + ": a training whose dtype is 'float64', not 'float32'");
  const auto narrow = directory / "float32.safetensors";
  Trainer(graph, options).save(narrow);
  EXPECT_EQ(message_of<IoError>([&] { Trainer(graph, TrainOptions()).load(narrow); }),
            narrow.string() + ": a training whose dtype is 'float32', not 'float64'");
  options = {};
  options.lr_peak = 16;
  EXPECT_EQ(message_of<IoError>([&] { Trainer(graph, options).load(file); }),
            file.string() +
                ": a training whose lr is '1.7', not '1.7, rising to 16 times that, "
                "cool-down of 0'");
  options = {};
  options.optimizer = Optimizer::radam;
  const std::string radam = "radam, beta1 0.9, beta2 0.999, eps 1e-08";
  EXPECT_EQ(message_of<IoError>([&] { Trainer(graph, options).load(file); }),
            file.string() + ": a training whose optimizer is 'rsgd', not '" + radam + "'");
  const auto adaptive = directory / "radam.safetensors";
  Trainer(graph, options).save(adaptive);
  EXPECT_EQ(message_of<IoError>([&] { Trainer(graph, TrainOptions()).load(adaptive); }),
            adaptive.string() + ": a training whose optimizer is '" + radam + "', not 'rsgd'");
  options.beta2 = 0.99;
  EXPECT_EQ(message_of<IoError>([&] { Trainer(graph, options).load(adaptive); }),
            adaptive.string() + ": a training whose optimizer is '" + radam +
                "', not 'radam, beta1 0.9, beta2 0.99, eps 1e-08'");
  const auto other = std::make_shared<Graph>(graph_of(3, {{0, 2}}));
  EXPECT_NE(message_of<IoError>([&] {
              Trainer(other, TrainOptions()).load(file);
            }).find("a training whose graph is"),
            std::string::npos);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_THROW(Trainer(graph, TrainOptions()).load(file), IoError);
  std::ofstream(file) << "no state";
  EXPECT_THROW(Trainer(graph, TrainOptions()).load(file), IoError);
}

}  // namespace
}  // namespace mct::embed
