#include <bit>
#include <type_traits>

#include "cuda/device/run.hpp"
#include "cuda/optim/adamw_launch.hpp"
#include "src/optim/adamw_floats.hpp"

namespace mct::cuda {
namespace {

template <class T>
void start_sums(const AdamWLaunch& step, GradientTotals* of_blocks, const Stream& stream) {
  run(GradientSums<T>{step.tensors, step.chunks, step.chunk_count, of_blocks},
      {step.gradient_blocks()}, stream);
}

/// Calls start(std::type_identity<T>()) with the 16-bit format of a step.
template <class Start>
void with_format(const AdamWLaunch& step, const Start& start) {
  if (step.format == optim::Format::float16) {
    start(std::type_identity<half>());
  } else {
    start(std::type_identity<bfloat16>());
  }
}

FloatChunks floats_of(const AdamWLaunch& step) {
  return {step.tensors, step.floats, step.chunks, step.chunk_count, step.control};
}
template <class Program>
void start_conversion(const AdamWLaunch& step, const Stream& stream) {
  run(Program{floats_of(step)}, {step.gradient_blocks()}, stream);
}

}  // namespace

void start_gradient_sums(const AdamWLaunch& step, GradientTotals* of_blocks, const Stream& stream) {
  if (step.floats != nullptr) {
    const auto infinite = float(optim_detail::overflow_limit(step.strategy, step.format));
    run(GradientSums<float>{step.floats, step.chunks, step.chunk_count, of_blocks,
                            std::bit_cast<std::uint32_t>(infinite)},
        {step.gradient_blocks()}, stream);
  } else if (optim::layout_of(step.strategy).grad == sizeof(float) || step.constants.float_grad) {
    start_sums<float>(step, of_blocks, stream);
  } else {
    with_format(step,
                [&]<class T>(std::type_identity<T>) { start_sums<T>(step, of_blocks, stream); });
  }
}

void start_reading_floats(const AdamWLaunch& step, const Stream& stream) {
  with_format(step, [&]<class T>(std::type_identity<T>) {
    run(TakeFloatEdits<T>{floats_of(step), optim::composition_of(step.strategy).low},
        {step.gradient_blocks()}, stream);
    start_conversion<ConvertFloats<T, false>>(step, stream);
  });
}

void start_showing_theta(const AdamWLaunch& step, const Stream& stream) {
  with_format(step, [&]<class T>(std::type_identity<T>) {
    start_conversion<ConvertFloats<T, true>>(step, stream);
  });
}

}  // namespace mct::cuda
