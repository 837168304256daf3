#include "mctensor/autograd/kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "mctensor/error.hpp"
#include "src/autograd/kernels/row_table.hpp"
#include "src/tensor/component_list.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::autograd_detail {

namespace {

using tensor_detail::parallel_ranges;
using tensor_detail::threads_for;

/// Calls f(row) for every row, on several threads where `cost` operations an element pay.
template <class F>
void for_each_row(std::int64_t rows, std::int64_t length, double cost, const F& f) {
  parallel_ranges(rows, threads_for(double(rows) * double(length) * cost),
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t row = begin; row < end; ++row) f(row);
                  });
}

/// term(0) + ... + term(n - 1) in eight lanes, which the compiler keeps in registers: element i
/// goes to lane i % 8.
template <class F>
double sum_of(std::int64_t n, const F& term) {
  std::array<double, 8> lanes{};
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::int64_t k = 0; k < 8; ++k) lanes[std::size_t(k)] += term(i + k);
  for (; i < n; ++i) lanes[std::size_t(i % 8)] += term(i);
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
         ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

std::int64_t row_length(const Shape& shape) { return shape.empty() ? 1 : shape.back(); }
template <class T>
std::int64_t row_count(const Tensor<T>& x) {
  const Shape& shape = x.shape();
  return shape.empty() ? 1 : numel(leading_shape(shape));
}

template <class T, class F>
Tensor<T> by_rows(const Tensor<T>& x, double cost, const F& f) {
  auto out = Tensor<T>::uninitialized(x.shape());
  const std::int64_t n = row_length(x.shape());
  for_each_row(row_count(x), n, cost,
               [&](std::int64_t row) { f(x.data() + row * n, out.data() + row * n, n, row); });
  return out;
}

/// Softmax of every row; calls see(row, divisor).
template <class T, class See>
Tensor<T> softmax_by_rows(const Tensor<T>& x, const See& see) {
  const auto in = x.contiguous();
  auto out = Tensor<T>::uninitialized(x.shape());
  const std::int64_t n = row_length(x.shape());
  const std::int64_t rows = row_count(x);
  const auto kernel = find_row_table<T>().softmax;
  parallel_ranges(rows, threads_for(double(rows) * double(n) * 20),
                  [&](std::int64_t begin, std::int64_t end) {
                    std::vector<double> powers((std::size_t(n)));
                    for (std::int64_t row = begin; row < end; ++row)
                      see(row, kernel(in.data() + row * n, n, powers.data(), out.data() + row * n));
                  });
  return out;
}

}  // namespace

template <class T>
Tensor<T> gelu_backward(const Tensor<T>& x, const Tensor<T>& r, const Tensor<T>& g) {
  const auto a = x.contiguous();
  const auto result = r.contiguous();
  const auto grad = g.contiguous();
  auto out = Tensor<T>::uninitialized(x.shape());
  const auto kernel = find_row_table<T>().gelu_backward;
  parallel_ranges(x.numel(), threads_for(double(x.numel()) * 10),
                  [&](std::int64_t begin, std::int64_t end) {
                    kernel(a.data() + begin, result.data() + begin, grad.data() + begin,
                           end - begin, out.data() + begin);
                  });
  return out;
}

template <class T>
Tensor<T> softmax_rows(const Tensor<T>& x) {
  return softmax_by_rows(x, [](std::int64_t, const RowPowers&) {});
}

template <class T>
Tensor<T> log_softmax_rows(const Tensor<T>& x) {
  const auto kernel = find_row_table<T>().log_softmax;
  return by_rows(x.contiguous(), 20,
                 [&](const T* in, T* out, std::int64_t n, std::int64_t) { kernel(in, n, out); });
}

template <class T>
Tensor<T> softmax_rows_backward(const Tensor<T>& r, const Tensor<T>& g) {
  const auto grad = g.contiguous();
  const auto kernel = find_row_table<T>().softmax_backward;
  return by_rows(r.contiguous(), 4, [&](const T* p, T* out, std::int64_t n, std::int64_t row) {
    kernel(p, grad.data() + row * n, n, out);
  });
}

template <class T>
Tensor<T> log_softmax_rows_backward(const Tensor<T>& r, const Tensor<T>& g) {
  const auto grad = g.contiguous();
  const auto kernel = find_row_table<T>().log_softmax_backward;
  return by_rows(r.contiguous(), 20, [&](const T* logs, T* out, std::int64_t n, std::int64_t row) {
    kernel(logs, grad.data() + row * n, n, out);
  });
}

namespace {

/// Normalizes a row whose squares leave the range by scaling it first. Returns the scale.
template <class T>
double normalize_far_row(const T* in, std::int64_t n, double eps, T* out) {
  double top = std::sqrt(eps);
  for (std::int64_t i = 0; i < n; ++i) top = std::max(top, std::fabs(double(in[i])));
  const int exponent = top > 0 && std::isfinite(top) ? std::ilogb(top) : 0;
  const auto element = [&](std::int64_t i) { return std::ldexp(double(in[i]), -exponent); };
  const double mean = sum_of(n, element) / double(n);
  const double variance = sum_of(n,
                                 [&](std::int64_t i) {
                                   const double d = element(i) - mean;
                                   return d * d;
                                 }) /
                          double(n);
  const double factor = 1 / std::sqrt(variance + std::ldexp(eps, -2 * exponent));
  for (std::int64_t i = 0; i < n; ++i) out[i] = T((element(i) - mean) * factor);
  return std::ldexp(factor, -exponent);
}

}  // namespace

template <class T>
Tensor<T> normalize_rows(const Tensor<T>& x, double eps, Tensor<T>& scale) {
  scale = Tensor<T>::uninitialized({row_count(x)});
  return by_rows(x.contiguous(), 8, [&](const T* in, T* out, std::int64_t n, std::int64_t row) {
    const double mean = sum_of(n, [&](std::int64_t i) { return double(in[i]); }) / double(n);
    const double variance = sum_of(n,
                                   [&](std::int64_t i) {
                                     const double d = double(in[i]) - mean;
                                     return d * d;
                                   }) /
                            double(n);
    if (!(variance + eps > 0x1p-900 && variance <= std::numeric_limits<double>::max())) {
      scale.data()[row] = T(normalize_far_row(in, n, eps, out));
      return;
    }
    const double factor = 1 / std::sqrt(variance + eps);
    scale.data()[row] = T(factor);
    for (std::int64_t i = 0; i < n; ++i) out[i] = T((double(in[i]) - mean) * factor);
  });
}

template <class T>
Tensor<T> normalize_rows_backward(const Tensor<T>& normalized, const Tensor<T>& scale,
                                  const Tensor<T>& g) {
  const auto grad = g.contiguous();
  return by_rows(
      normalized.contiguous(), 8, [&](const T* y, T* out, std::int64_t n, std::int64_t row) {
        const T* const d = grad.data() + row * n;
        const double mean = sum_of(n, [&](std::int64_t i) { return double(d[i]); }) / double(n);
        const double slope =
            sum_of(n, [&](std::int64_t i) { return double(d[i]) * double(y[i]); }) / double(n);
        const double factor = double(scale.data()[row]);
        for (std::int64_t i = 0; i < n; ++i)
          out[i] = T(factor * (double(d[i]) - mean - double(y[i]) * slope));
      });
}

template <class T>
Tensor<T> cross_entropy_rows(const Tensor<T>& x, const Tensor<std::int64_t>& target,
                             std::int64_t ignore_index, Tensor<T>& probabilities) {
  auto losses = Tensor<T>::uninitialized({x.size(0)});
  const auto labels = target.contiguous();
  const std::int64_t classes = x.size(1);
  for (std::int64_t row = 0; row < x.size(0); ++row) {
    const std::int64_t label = labels.data()[row];
    if (label != ignore_index && (label < 0 || label >= classes))
      throw ShapeError("cross_entropy: target " + std::to_string(label) + " is outside 0 ... " +
                       std::to_string(classes - 1));
  }
  const auto in = x.contiguous();
  probabilities = softmax_by_rows(in, [&](std::int64_t row, const RowPowers& of) {
    const std::int64_t label = labels.data()[row];
    losses.data()[row] =
        label == ignore_index
            ? T(0)
            : T(std::log(of.total) - (double(in.data()[row * classes + label]) - of.largest));
  });
  return losses;
}

template <class T>
Tensor<T> cross_entropy_rows_backward(const Tensor<T>& probabilities,
                                      const Tensor<std::int64_t>& target, std::int64_t ignore_index,
                                      const Tensor<T>& g) {
  const auto labels = target.contiguous();
  const auto grad = g.contiguous();
  return by_rows(probabilities, 4, [&](const T* p, T* out, std::int64_t n, std::int64_t row) {
    const std::int64_t label = labels.data()[row];
    if (label == ignore_index) {
      std::fill_n(out, n, T(0));
      return;
    }
    const auto factor = double(grad.data()[row]);
    // p[label] - 1 without cancellation: p[label] near 1 is rounded
    double others = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (i != label) others += double(p[i]);
      out[i] = T(double(p[i]) * factor);
    }
    out[label] = T(-others * factor);
  });
}

#define MCT_INSTANTIATE(T)                                                                      \
  template Tensor<T> gelu_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&);       \
  template Tensor<T> softmax_rows(const Tensor<T>&);                                            \
  template Tensor<T> log_softmax_rows(const Tensor<T>&);                                        \
  template Tensor<T> softmax_rows_backward(const Tensor<T>&, const Tensor<T>&);                 \
  template Tensor<T> log_softmax_rows_backward(const Tensor<T>&, const Tensor<T>&);             \
  template Tensor<T> normalize_rows(const Tensor<T>&, double, Tensor<T>&);                      \
  template Tensor<T> normalize_rows_backward(const Tensor<T>&, const Tensor<T>&,                \
                                             const Tensor<T>&);                                 \
  template Tensor<T> cross_entropy_rows(const Tensor<T>&, const Tensor<std::int64_t>&,          \
                                        std::int64_t, Tensor<T>&);                              \
  template Tensor<T> cross_entropy_rows_backward(const Tensor<T>&, const Tensor<std::int64_t>&, \
                                                 std::int64_t, const Tensor<T>&);
MCT_FOR_EACH_COMPONENT(MCT_INSTANTIATE)

}  // namespace mct::autograd_detail
