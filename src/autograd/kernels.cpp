#include "mctensor/autograd/kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "mctensor/error.hpp"
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

/// The sum of term(i) in eight lanes, which the compiler keeps in registers.
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

/// What exponentials are computed in: float for narrower types.
template <class T>
using Work = std::conditional_t<std::is_same_v<T, double>, double, float>;

std::int64_t row_length(const Shape& shape) { return shape.empty() ? 1 : shape.back(); }
template <class T>
std::int64_t row_count(const Tensor<T>& x) {
  const std::int64_t n = row_length(x.shape());
  return n == 0 ? 0 : x.numel() / n;
}

/// The largest element; NaN if there is one.
template <class T>
Work<T> largest(const T* x, std::int64_t n) {
  Work<T> best = -std::numeric_limits<Work<T>>::infinity();
  for (std::int64_t i = 0; i < n; ++i) {
    const auto v = Work<T>(x[i]);
    if (!(v <= best)) best = v;
    if (v != v) break;
  }
  return best;
}

/// exp(x - shift) in `out`; returns their sum, of the numbers before they are rounded to T.
template <class T>
double exponentials(const T* x, std::int64_t n, Work<T> shift, T* out) {
  return sum_of(n, [&](std::int64_t i) {
    const Work<T> e = std::exp(Work<T>(x[i]) - shift);
    out[i] = T(e);
    return double(e);
  });
}

template <class T, class F>
Tensor<T> by_rows(const Tensor<T>& x, double cost, const F& f) {
  auto out = Tensor<T>::uninitialized(x.shape());
  const std::int64_t n = row_length(x.shape());
  for_each_row(row_count(x), n, cost,
               [&](std::int64_t row) { f(x.data() + row * n, out.data() + row * n, n, row); });
  return out;
}

}  // namespace

template <class T>
Tensor<T> gelu_backward(const Tensor<T>& x, const Tensor<T>& r, const Tensor<T>& g) {
  const auto a = x.contiguous();
  const auto result = r.contiguous();
  const auto grad = g.contiguous();
  auto out = Tensor<T>::uninitialized(x.shape());
  constexpr auto density = Work<T>(0.39894228040143267794);
  // four times the smallest normal number of T
  const auto tiny = Work<T>(std::ldexp(1.0, FloatTraits<T>::emin + FloatTraits<T>::p + 1));
  const T* const px = a.data();
  const T* const pr = result.data();
  const T* const pg = grad.data();
  parallel_ranges(
      x.numel(), threads_for(double(x.numel()) * 20), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const auto v = Work<T>(px[i]);
          // r / x is Phi without the cancellation of 1 + erf; where r may be
          // subnormal the first terms of its series are exact enough
          const Work<T> phi = std::fabs(v) < tiny ? Work<T>(0.5) + v * density : Work<T>(pr[i]) / v;
          const Work<T> slope = phi + v * (density * std::exp(Work<T>(-0.5) * v * v));
          out.data()[i] = T(Work<T>(pg[i]) * slope);
        }
      });
  return out;
}

template <class T>
Tensor<T> softmax_rows(const Tensor<T>& x) {
  return by_rows(x.contiguous(), 20, [](const T* in, T* out, std::int64_t n, std::int64_t) {
    const auto factor = Work<T>(1 / exponentials(in, n, largest(in, n), out));
    for (std::int64_t i = 0; i < n; ++i) out[i] = T(Work<T>(out[i]) * factor);
  });
}

template <class T>
Tensor<T> log_softmax_rows(const Tensor<T>& x) {
  return by_rows(x.contiguous(), 20, [](const T* in, T* out, std::int64_t n, std::int64_t) {
    const Work<T> shift = largest(in, n);
    const auto rest = Work<T>(std::log(exponentials(in, n, shift, out)));
    for (std::int64_t i = 0; i < n; ++i) out[i] = T((Work<T>(in[i]) - shift) - rest);
  });
}

template <class T>
Tensor<T> softmax_rows_backward(const Tensor<T>& r, const Tensor<T>& g) {
  const auto grad = g.contiguous();
  return by_rows(r.contiguous(), 4, [&](const T* p, T* out, std::int64_t n, std::int64_t row) {
    const T* const d = grad.data() + row * n;
    const auto mean =
        Work<T>(sum_of(n, [&](std::int64_t i) { return double(p[i]) * double(d[i]); }));
    for (std::int64_t i = 0; i < n; ++i) out[i] = T(Work<T>(p[i]) * (Work<T>(d[i]) - mean));
  });
}

template <class T>
Tensor<T> log_softmax_rows_backward(const Tensor<T>& r, const Tensor<T>& g) {
  const auto grad = g.contiguous();
  return by_rows(r.contiguous(), 20, [&](const T* logs, T* out, std::int64_t n, std::int64_t row) {
    const T* const d = grad.data() + row * n;
    const auto total = Work<T>(sum_of(n, [&](std::int64_t i) { return double(d[i]); }));
    for (std::int64_t i = 0; i < n; ++i)
      out[i] = T(Work<T>(d[i]) - std::exp(Work<T>(logs[i])) * total);
  });
}

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
      throw ShapeError("cross_entropy: target " + std::to_string(label) + " is not below " +
                       std::to_string(classes) + ", the number of classes");
  }
  probabilities =
      by_rows(x.contiguous(), 20, [&](const T* in, T* out, std::int64_t n, std::int64_t row) {
        const Work<T> shift = largest(in, n);
        const double total = exponentials(in, n, shift, out);
        const std::int64_t label = labels.data()[row];
        losses.data()[row] =
            label == ignore_index ? T(0) : T(std::log(total) - (double(in[label]) - double(shift)));
        const auto factor = Work<T>(1 / total);
        for (std::int64_t i = 0; i < n; ++i) out[i] = T(Work<T>(out[i]) * factor);
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
    const auto factor = Work<T>(grad.data()[row]);
    // p[label] - 1 without cancellation: p[label] near 1 is rounded
    double others = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (i != label) others += double(p[i]);
      out[i] = T(Work<T>(p[i]) * factor);
    }
    out[label] = T(-Work<T>(others) * factor);
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
MCT_INSTANTIATE(double)
MCT_INSTANTIATE(float)
MCT_INSTANTIATE(half)
MCT_INSTANTIATE(bfloat16)

}  // namespace mct::autograd_detail
