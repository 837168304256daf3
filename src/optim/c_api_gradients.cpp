// The C functions of gradients and of arrays of numbers.
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/c_api.h"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "mctensor/optim/gradients.hpp"
#include "mctensor/optim/weights.hpp"
#include "src/optim/c_call.hpp"
#include "src/optim/memory_check.hpp"

namespace {

using namespace mct::optim_detail;

enum class NumberType { bfloat16, float16, float32 };

/// The gradients as arrays of T. Throws DomainError naming the tensor with a null array.
template <class T>
std::vector<std::span<T>> spans_of(const mct_gradient* gradients, std::int64_t tensors) {
  std::vector<std::span<T>> all;
  all.reserve(std::size_t(tensors));
  for (std::int64_t i = 0; i < tensors; ++i) {
    const auto [data, count] = gradients[i];
    check_count(count);
    if (count > 0 && data == nullptr)
      throw mct::DomainError("AdamW: the gradient of tensor " + std::to_string(i) + " is null");
    all.emplace_back(static_cast<T*>(data), std::size_t(count));
  }
  return all;
}

/// Calls work(arrays of the numbers).
template <class Work>
void with_gradients(int type, const mct_gradient* gradients, std::int64_t tensors,
                    const Work& work) {
  const auto number = choice<NumberType>(type, 3, "type");
  require_array(gradients, tensors, "gradients");
  if (number == NumberType::float32) {
    work(spans_of<float>(gradients, tensors));
  } else if (number == NumberType::float16) {
    work(spans_of<mct::half>(gradients, tensors));
  } else {
    work(spans_of<mct::bfloat16>(gradients, tensors));
  }
}

}  // namespace

int mct_grad_norm(int type, const mct_gradient* gradients, int64_t tensors, double* norm) {
  return guarded([&] {
    given(norm, "norm");
    with_gradients(type, gradients, tensors, [&]<class T>(const std::vector<std::span<T>>& all) {
      *norm = gradient_norm<T>(all);
    });
  });
}

int mct_clip_factor(double norm, double max_norm, double* factor) {
  return guarded([&] { given(factor, "factor") = mct::optim::clip_factor(norm, max_norm); });
}

int mct_grad_multiply(int type, const mct_gradient* gradients, int64_t tensors, double factor) {
  return guarded([&] {
    if (!std::isfinite(factor))
      throw mct::DomainError("AdamW: the factor " + mct::number_text(factor) + " is not finite");
    with_gradients(type, gradients, tensors, [&]<class T>(const std::vector<std::span<T>>& all) {
      scale_gradients<T>(all, factor);
    });
  });
}

int mct_grad_count_nonfinite(int type, const mct_gradient* gradients, int64_t tensors,
                             int64_t* count) {
  return guarded([&] {
    given(count, "count");
    with_gradients(type, gradients, tensors, [&]<class T>(const std::vector<std::span<T>>& all) {
      *count = count_nonfinite<T>(all);
    });
  });
}

int mct_from_float(int format, const float* from, void* to, int64_t count) {
  return guarded([&] { mct::optim::narrow_floats(format_given(format), from, to, count); });
}

int mct_to_float(int format, const void* from, float* to, int64_t count) {
  return guarded([&] { mct::optim::widen_to_floats(format_given(format), from, to, count); });
}
