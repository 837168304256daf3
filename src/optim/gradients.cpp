#include "mctensor/optim/gradients.hpp"

#include <cmath>

#include "src/optim/array_pieces.hpp"
#include "src/optim/kernels/gradient_table.hpp"

namespace mct::optim_detail {

namespace {

template <class T>
std::vector<std::int64_t> ends(GradientSpans<T> gradients) {
  return ends_of(gradients.size(), [&](std::size_t i) { return gradients[i].size(); });
}

/// The memory of each.
template <class T>
auto bytes_of(GradientSpans<T> gradients) {
  return [gradients](std::size_t i) { return std::as_bytes(gradients[i]); };
}

/// The norm times the factor.
template <class T>
double scaled_norm(GradientSpans<T> gradients, double factor) {
  const auto squares = find_gradient_kernels<T>().squares;
  const auto all = ends(gradients);
  return std::sqrt(ArrayPieces(all).sum<double>(
      1, bytes_of(gradients), [&](std::size_t array, std::int64_t begin, std::int64_t end) {
        return squares(gradients[array].data() + begin, std::size_t(end - begin), factor);
      }));
}

}  // namespace

template <class T>
double gradient_norm(GradientSpans<T> gradients) {
  double result = scaled_norm(gradients, 1);
  if constexpr (std::is_same_v<T, double>) {
    // squares below 2^-1022 lose digits: a sum of 2^64 of them is nothing beside 2^-400 squared
    constexpr double small = 0x1p-400;
    constexpr double factor = 0x1p600;
    if (result < small) return scaled_norm(gradients, factor) / factor;
    if (std::isinf(result)) return scaled_norm(gradients, 1 / factor) * factor;
  }
  return result;
}

template <class T>
void scale_gradients(GradientSpans<T> gradients, double factor) {
  const auto scale_part = find_gradient_kernels<T>().scale;
  const auto all = ends(gradients);
  ArrayPieces(all).for_each(
      1, [&](std::size_t /*piece*/, std::size_t array, std::int64_t begin, std::int64_t end) {
        scale_part(gradients[array].data() + begin, std::size_t(end - begin), factor);
      });
}

template <class T>
std::int64_t count_nonfinite(GradientSpans<T> gradients) {
  const auto count = find_gradient_kernels<T>().count_from;
  const auto all = ends(gradients);
  return ArrayPieces(all).sum<std::int64_t>(
      1, bytes_of(gradients), [&](std::size_t array, std::int64_t begin, std::int64_t end) {
        return count(gradients[array].data() + begin, std::size_t(end - begin), infinity_bits<T>);
      });
}

#define MCT_INSTANTIATE(T)                                 \
  template double gradient_norm(GradientSpans<T>);         \
  template void scale_gradients(GradientSpans<T>, double); \
  template std::int64_t count_nonfinite(GradientSpans<T>);
MCT_INSTANTIATE(double)
MCT_INSTANTIATE(float)
MCT_INSTANTIATE(half)
MCT_INSTANTIATE(bfloat16)

}  // namespace mct::optim_detail
