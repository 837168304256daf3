// Starts the programs of a training step, for every model. Include it only where these programs are
// compiled.
#pragma once

#include <type_traits>

#include "cuda/device/run.hpp"
#include "cuda/embed/example_gradients.hpp"
#include "cuda/embed/move_rows.hpp"
#include "cuda/embed/training_launch.hpp"

namespace mct::cuda {

/// The place type that programs use for points of a storage.
template <geometry::PointStorage storage, class Place>
struct StoredPlace {
  static constexpr TrainingSpace space = {storage, Place::stored_components, dimensions_in<Place>};
  using type = Place;
};

/// The programs for some of the spaces.
template <class... Stored>
struct TrainingPrograms {
  static void start_examples(const TrainingSpace& space, const ExampleLaunch& of,
                             const Stream& stream) {
    with_place(space, [&]<class Place>(std::type_identity<Place>) {
      using Program = ExampleGradients<Place, (most_device_negatives + 1) / 8>;
      run(Program{of}, blocks_for(of.count, Program::of_block), stream);
    });
  }
  static void start_moves(const TrainingSpace& space, const MoveLaunch& of, const Stream& stream) {
    with_place(space, [&]<class Place>(std::type_identity<Place>) {
      const auto blocks = blocks_for(of.count, keys_of_move_block);
      if (of.steps.moments.data != nullptr) {
        run(MoveRows<Place, true>{of}, blocks, stream);
      } else {
        run(MoveRows<Place, false>{of}, blocks, stream);
      }
    });
  }

 private:
  template <class F>
  static void with_place(const TrainingSpace& space, const F& f) {
    bool found = false;
    const auto offer = [&]<class S>(std::type_identity<S>) {
      if (S::space != space) return;
      found = true;
      f(std::type_identity<typename S::type>());
    };
    (offer(std::type_identity<Stored>()), ...);
    if (!found) throw DeviceError("training: there are no programs for this space");
  }
};

namespace training_detail {

using kernels::BallPlace;
using kernels::HalfSpacePlace;
using kernels::LorentzPlace;

struct None {};
template <class... Stored>
TrainingPrograms<Stored...> programs_for(None, Stored...);
#define MCT_STORED(storage, components, dimensions, ...) \
  , StoredPlace<geometry::PointStorage::storage, __VA_ARGS__>()
using Programs = decltype(programs_for(None() MCT_FOR_EACH_TRAINING_SPACE(MCT_STORED)));
#undef MCT_STORED

}  // namespace training_detail

/// The programs for training_spaces.
using AllTrainingPrograms = training_detail::Programs;

}  // namespace mct::cuda
