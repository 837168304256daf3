// The C functions of gradients and of arrays of numbers.
#include <cmath>
#include <type_traits>
#include <vector>

#include "mctensor/c_api.h"
#include "mctensor/eft/half.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "mctensor/optim/weights.hpp"
#include "src/optim/c_call.hpp"
#include "src/optim/many_tensors.hpp"

namespace {

using namespace mct::optim_detail;

enum class NumberType { bfloat16, float16, float32 };

/// Calls work(gradients, a value of their type).
template <class Work>
void with_gradients(int type, const mct_gradient* gradients, std::int64_t tensors,
                    const Work& work) {
  const auto number = choice<NumberType>(type, 3, "type");
  require_array(gradients, tensors, "gradients");
  std::vector<GradientArray> all;
  all.reserve(std::size_t(tensors));
  for (std::int64_t i = 0; i < tensors; ++i) all.push_back({gradients[i].data, gradients[i].count});
  const std::span<const GradientArray> span = all;
  if (number == NumberType::float32) {
    work(span, float());
  } else if (number == NumberType::float16) {
    work(span, mct::half());
  } else {
    work(span, mct::bfloat16());
  }
}

}  // namespace

int mct_grad_norm(int type, const mct_gradient* gradients, int64_t tensors, double* norm) {
  return guarded([&] {
    given(norm, "norm");
    with_gradients(type, gradients, tensors,
                   [&](auto all, auto number) { *norm = norm_of<decltype(number)>(all); });
  });
}

int mct_clip_factor(double norm, double max_norm, double* factor) {
  return guarded([&] { given(factor, "factor") = mct::optim::clip_factor(norm, max_norm); });
}

int mct_grad_multiply(int type, const mct_gradient* gradients, int64_t tensors, double factor) {
  return guarded([&] {
    with_gradients(type, gradients, tensors,
                   [&](auto all, auto number) { scale<decltype(number)>(all, factor); });
  });
}

int mct_grad_count_nonfinite(int type, const mct_gradient* gradients, int64_t tensors,
                             int64_t* count) {
  return guarded([&] {
    given(count, "count");
    with_gradients(type, gradients, tensors,
                   [&](auto all, auto number) { *count = count_nonfinite<decltype(number)>(all); });
  });
}

int mct_from_float(int format, const float* from, void* to, int64_t count) {
  return guarded([&] { mct::optim::narrow_floats(format_given(format), from, to, count); });
}

int mct_to_float(int format, const void* from, float* to, int64_t count) {
  return guarded([&] { mct::optim::widen_to_floats(format_given(format), from, to, count); });
}
