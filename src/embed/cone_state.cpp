#include "src/embed/cone_state.hpp"

#include <cmath>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "src/embed/cone_relation.hpp"
#include "src/embed/description.hpp"

namespace mct::embed {
namespace {

constexpr const char* training_key = "mctensor.cone_training";

/// Everything on which the points of an epoch depend, exactly.
Description description(const ConeTrainingOptions& o) {
  const auto text = [](auto x) { return number_text(double(x)); };
  return {{training_key, "1"},
          {"cones", std::string(name_of(o.cones.kind))},
          {"model", std::string(name_of(o.cones.model))},
          {"radius", text(o.cones.radius)},
          {"size", text(o.cones.size)},
          {"loss", o.loss == ConeLoss::shadow ? "shadow" : "max-margin"},
          {"batch", text(o.batch)},
          {"lr", text(o.lr)},
          {"burn_in_epochs", text(o.burn_in_epochs)},
          {"burn_in_factor", text(o.burn_in_factor)},
          {"negatives", text(o.negatives)},
          {"gamma_1", text(o.gamma_1)},
          {"gamma_2", text(o.gamma_2)},
          {"gamma_3", text(o.gamma_3)},
          {"clip", text(o.clip)},
          {"start", text(o.start)},
          {"check_every", text(o.check_every)},
          {"seed", std::to_string(o.seed)}};
}

/// A number of `counts` that is whole and at least 0.
std::int64_t whole_number(const std::string& file, const char* name, double x) {
  if (!(x >= 0 && x <= 0x1p53) || x != std::floor(x))
    throw IoError(file + ": " + name + " is " + number_text(x) + ", no count");
  return std::int64_t(x);
}

}  // namespace

void save_state(const std::filesystem::path& path, const ConeTrainingOptions& options,
                const ConeState& state) {
  SafetensorsWriter writer;
  describe(writer, description(options));
  writer.add("points", state.points);
  writer.add("best", state.best);
  writer.add("counts",
             Tensor<double>::from_values({double(state.epoch), double(state.best_epoch),
                                          state.best_f1, state.last_f1, double(state.lost_steps)}));
  writer.save(path);
}

ConeState load_state(const std::filesystem::path& path, const ConeTrainingOptions& options,
                     const Shape& shape) {
  const SafetensorsReader reader(path);
  const std::string file = path.string();
  require_description(file, reader, description(options));
  const auto relation = make_cone_relation(options.cones);
  ConeState state;
  for (const auto& [name, to] : {std::pair("points", &state.points), {"best", &state.best}}) {
    *to = reader.load<double, 1>(name);
    if (to->shape() != shape)
      throw IoError(file + ": " + name + " of shape " + to_string(to->shape()) + ", expected " +
                    to_string(shape));
    for (std::int64_t row = 0; row < shape[0]; ++row)
      if (!relation->is_point(to->data() + row * shape[1]))
        throw IoError(file + ": row " + std::to_string(row) + " of " + name + " is no point");
  }
  const auto counts = reader.load<double, 1>("counts").values();
  if (counts.size() != 5)
    throw IoError(file + ": " + std::to_string(counts.size()) + " counts, expected 5");
  state.epoch = int(whole_number(file, "the epoch", std::min(counts[0], 0x1p30)));
  state.best_epoch = int(whole_number(file, "the best epoch", std::min(counts[1], 0x1p30)));
  state.best_f1 = counts[2];
  state.last_f1 = counts[3];
  state.lost_steps = whole_number(file, "the count of lost steps", counts[4]);
  return state;
}

}  // namespace mct::embed
