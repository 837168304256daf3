// Checks that a GPU has programs for a training.
#include <set>
#include <string>

#include "cuda/embed/training_launch.hpp"
#include "mctensor/embed/device_train.hpp"
#include "mctensor/error.hpp"
#include "src/embed/point_table.hpp"

namespace mct::cuda {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& there_is) {
  throw DomainError("training on a device: " + option + "; there is " + there_is);
}

/// The numbers of the spaces that pass, as "1, 2".
template <class Passes>
std::string numbers_of(int TrainingSpace::*number, const Passes& passes) {
  std::set<int> numbers;
  for (const TrainingSpace& space : training_spaces)
    if (passes(space)) numbers.insert(space.*number);
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

void check_space(const embed::EmbeddingSpace& space) {
  const geometry::PointStorage trained = embed::trained_as(space.storage);
  const std::string model(embed::name_of(space.storage));
  const auto in_model = [&](const TrainingSpace& s) { return s.storage == trained; };
  const auto as_long = [&](const TrainingSpace& s) {
    return in_model(s) && s.components == space.components;
  };
  const std::string components = numbers_of(&TrainingSpace::components, in_model);
  if (components.empty())
    refuse("model " + model, "ball, lorentz, half-space, xmc-half-space, mc-half-space");
  const std::string dimensions = numbers_of(&TrainingSpace::dimensions, as_long);
  if (dimensions.empty())
    refuse("components " + std::to_string(space.components) + " of " + model, components);
  for (const TrainingSpace& s : training_spaces)
    if (as_long(s) && s.dimensions == space.dimensions) return;
  refuse("dimensions " + std::to_string(space.dimensions) + " of " + model + " in " +
             std::to_string(space.components) + " components",
         dimensions);
}

}  // namespace

void check_device_training(const embed::TrainOptions& options) {
  options.check();
  if (options.dtype != embed::Dtype::float64)
    refuse("dtype " + std::string(embed::name_of(options.dtype)), "float64");
  check_space(options.space);
  if (options.space.factors != 1) refuse("factors " + std::to_string(options.space.factors), "1");
  if (options.negatives > most_device_negatives)
    refuse("negatives " + std::to_string(options.negatives),
           "room for " + std::to_string(most_device_negatives));
}

}  // namespace mct::cuda
