// Training that stops and goes on: its state in a file.
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "src/embed/description.hpp"
#include "src/embed/trainer_state.hpp"

namespace mct::embed {
namespace {

/// Tells a graph from others: a hash of all its edges (Fowler, Noll, Vo).
std::string fingerprint(const Graph& graph) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t x) { hash = (hash ^ x) * 0x100000001b3; };
  add(graph.node_count());
  for (std::size_t e = 0; e < graph.edge_count(); ++e) {
    add(std::uint64_t(std::uint32_t(graph.sources()[e])) << 32 | std::uint32_t(graph.targets()[e]));
    if (graph.has_weights()) add(std::bit_cast<std::uint64_t>(graph.weight(e)));
  }
  std::array<char, 20> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), hash, 16).ptr};
}

/// As one text, so that what differs between two optimizers is called that.
std::string optimizer_text(const TrainOptions& options) {
  std::string r(name_of(options.optimizer));
  if (options.optimizer == Optimizer::radam)
    r += ", beta1 " + number_text(options.beta1) + ", beta2 " + number_text(options.beta2) +
         ", eps " + number_text(options.eps);
  return r;
}

}  // namespace

Description Trainer::State::description() const {
  return {{"mctensor.training", "1"},
          {"graph", fingerprint(*graph)},
          {"space", options.space.text()},
          {"optimizer", optimizer_text(options)},
          {"lr", number_text(options.lr)},
          {"batch", std::to_string(options.batch)},
          {"negatives", std::to_string(options.negatives)},
          {"sharpness", number_text(options.sharpness)},
          {"burn_in", std::to_string(options.burn_in)},
          {"burn_in_factor", number_text(options.burn_in_factor)},
          {"init", number_text(options.init)},
          {"longest_step", number_text(options.longest_step)},
          {"radius_lr", number_text(options.radius_lr)},
          {"seed", std::to_string(options.seed)}};
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
  writer.save(path);
}

void Trainer::load(const std::filesystem::path& path) {
  State& s = *state_;
  const SafetensorsReader reader(path);
  const std::string file = path.string();
  require_description(file, reader, s.description());
  const auto points = reader.load<double, 1>("points").contiguous();
  const auto moments = s.options.optimizer == Optimizer::radam
                           ? reader.load<double, 1>("moments").contiguous()
                           : s.moments;
  const auto counts = reader.load<std::int64_t, 1>("counts").values();
  const auto numbers = reader.load<double, 1>("numbers").values();
  const auto fail = [&](const std::string& what) { throw IoError(file + ": " + what); };
  const auto require_shape = [&](const char* name, const Shape& found, const Shape& expected) {
    if (found != expected)
      fail(name + (" of shape " + to_string(found)) + ", expected " + to_string(expected));
  };
  require_shape("points", points.shape(), s.points.shape());
  require_shape("moments", moments.shape(), s.moments.shape());
  if (counts.size() != 3 || numbers.size() != 2)
    fail("its counts and numbers are not those of one");
  if (counts[0] < 0 || counts[1] < 0 || counts[1] >= s.batches_in_epoch())
    fail("it stopped at batch " + std::to_string(counts[1]) + " of epoch " +
         std::to_string(counts[0]) + ", which there is not");
  if (!std::isfinite(numbers[1])) fail("the logarithm of its radius is " + number_text(numbers[1]));
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
