// Training that stops and goes on: its state in a file.
#include <cmath>
#include <memory>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "src/embed/description.hpp"
#include "src/embed/point_table.hpp"
#include "src/embed/trainer_state.hpp"

namespace mct::embed {
namespace {

/// The optimizer as one text, so that a difference between two optimizers has one name.
std::string optimizer_text(const TrainOptions& options) {
  std::string r(name_of(options.optimizer));
  if (options.optimizer == Optimizer::radam)
    r += ", beta1 " + number_text(options.beta1) + ", beta2 " + number_text(options.beta2) +
         ", eps " + number_text(options.eps);
  return r;
}

/// The rate as a text; for a rate that stays it is the text of earlier versions.
std::string rate_text(const TrainOptions& options) {
  std::string r = number_text(options.lr);
  if (options.lr_peak > 1)
    r += ", rising to " + number_text(options.lr_peak) + " times that, cool-down of " +
         std::to_string(options.cool_down);
  return r;
}

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw IoError(file + ": " + what);
}

void require_shape(const std::string& file, const char* name, const Shape& found,
                   const Shape& expected) {
  if (found != expected)
    fail(file, name + (" of shape " + to_string(found)) + ", expected " + to_string(expected));
}

/// Throws unless the rows are points, as training leaves them for every rate.
HalfSpacePoints require_points(const std::string& file,
                               const std::shared_ptr<const NameTable>& names,
                               const TrainOptions& options, const Tensor<double>& points) {
  EmbeddingSpace space = options.space;
  space.radius = 1;
  try {
    return Embedding(names, space, coordinates_of(space, points, options.dtype)).half_space();
  } catch (const DomainError& error) {
    fail(file, error.what());
  }
}

/// Throws unless the points are of float32, and within the reach of its training.
void require_floats(const std::string& file, const TrainOptions& options,
                    const Tensor<double>& points, const HalfSpacePoints& upper) {
  const std::int64_t columns = options.space.columns();
  const bool in_tiles = is_whole_column(options.space.storage, 0, columns);
  for (std::int64_t i = 0; i < points.numel(); ++i) {
    const double x = points.data()[i];
    if (!is_whole_column(options.space.storage, i % columns, columns) && double(float(x)) != x)
      fail(file, number_text(x) + " is no number of float32");
  }
  for (const Tensor<double>& factor : upper.factors) {
    const std::int64_t n = factor.size(2);
    for (std::int64_t row = 0; row < factor.size(1); ++row) {
      const double* x = factor.data() + row * n;
      double square = 1;
      for (std::int64_t i = 0; i < n; ++i) square += x[i] * x[i];
      // cosh d, with a factor of two to spare: training computes it in floats
      if (!(square / (2 * x[n - 1]) <= (in_tiles ? embed_detail::largest_twice_cosh_in_tiles
                                                 : embed_detail::largest_twice_cosh_in_float)))
        fail(file, "row " + std::to_string(row) + " is too far out for float32");
    }
  }
}

/// Numbers, and those that are no vector's (embed_detail::Moments) not negative.
void require_moments(const std::string& file, const Tensor<double>& moments) {
  const std::int64_t width = moments.size(1);
  for (std::int64_t i = 0; i < moments.numel(); ++i) {
    const double x = moments.data()[i];
    if (std::isfinite(x) && (x >= 0 || i % width < width - embed_detail::Moments::more)) continue;
    fail(file, "its moments have " + number_text(x) + " in row " + std::to_string(i / width));
  }
}

}  // namespace

Description Trainer::State::description() const {
  Description all{{"mctensor.training", "1"},
                  {"graph", fingerprint(*graph)},
                  {"space", options.space.text()},
                  {"optimizer", optimizer_text(options)},
                  {"lr", rate_text(options)},
                  {"batch", std::to_string(options.batch)},
                  {"negatives", std::to_string(options.negatives)},
                  {"sharpness", number_text(options.sharpness)},
                  {"burn_in", std::to_string(options.burn_in)},
                  {"burn_in_factor", number_text(options.burn_in_factor)},
                  {"init", number_text(options.init)},
                  {"longest_step", number_text(options.longest_step)},
                  {"radius_lr", number_text(options.radius_lr)},
                  {"seed", std::to_string(options.seed)}};
  // files of double are those of earlier versions
  if (options.dtype != Dtype::float64) all.emplace("dtype", name_of(options.dtype));
  loss->describe(all);
  return all;
}

void Trainer::save(const std::filesystem::path& path) const {
  const State& s = *state_;
  if (s.runner) s.runner->fetch();
  SafetensorsWriter writer;
  describe(writer, s.description());
  writer.add("points", s.points);
  if (s.options.optimizer == Optimizer::radam) writer.add("moments", s.moments);
  writer.add("counts", Tensor<std::int64_t>::from_values({s.epoch, s.batch, s.stayed}));
  writer.add("numbers", Tensor<double>::from_values({s.loss_sum, s.log_radius}));
  s.loss->save(writer);
  writer.save(path);
}

void Trainer::load(const std::filesystem::path& path) {
  State& s = *state_;
  const SafetensorsReader reader(path);
  const std::string file = path.string();
  if (reader.metadata().contains("mctensor.cone_training"))
    fail(file, "cones of an earlier version, whose training cannot go on: begin it anew");
  const Description expected = s.description();
  require_description(file, reader, {*expected.find("mctensor.training")});
  const auto entry = reader.metadata().find("dtype");
  const std::string found(entry == reader.metadata().end() ? name_of(Dtype::float64)
                                                           : entry->second);
  const std::string own(name_of(s.options.dtype));
  if (found != own) fail(file, "a training whose dtype is '" + found + "', not '" + own + "'");
  require_description(file, reader, expected);
  const auto points = reader.load<double, 1>("points").contiguous();
  const auto moments = s.options.optimizer == Optimizer::radam
                           ? reader.load<double, 1>("moments").contiguous()
                           : s.moments;
  const auto counts = reader.load<std::int64_t, 1>("counts").values();
  const auto numbers = reader.load<double, 1>("numbers").values();
  require_shape(file, "points", points.shape(), s.points.shape());
  require_shape(file, "moments", moments.shape(), s.moments.shape());
  const HalfSpacePoints upper = require_points(file, s.graph->names(), s.options, points);
  if (s.options.dtype == Dtype::float32) require_floats(file, s.options, points, upper);
  require_moments(file, moments);
  if (counts.size() != 3 || numbers.size() != 2)
    fail(file, "its counts and numbers are not those of one");
  if (counts[0] < 0 || counts[1] < 0 || counts[1] >= s.batches_in_epoch())
    fail(file, "it stopped at batch " + std::to_string(counts[1]) + " of epoch " +
                   std::to_string(counts[0]) + ", which does not exist");
  if (!is_log_radius(numbers[1]))
    fail(file, "the logarithm of its radius is " + number_text(numbers[1]));
  const auto take_loss = s.loss->load(file, reader);
  take_loss();
  s.points = points;
  s.moments = moments;
  s.epoch = counts[0];
  s.batch = counts[1];
  s.stayed = counts[2];
  s.loss_sum = numbers[0];
  s.log_radius = numbers[1];
  s.order.clear();
  if (s.runner) s.runner->reload();
}

}  // namespace mct::embed
