#include "mctensor/autograd/kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "mctensor/error.hpp"
#include "src/tensor/kernels/registry.hpp"
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

/// A sum in eight lanes, which the compiler keeps in registers: element i goes to lane i % 8.
class LaneSum {
 public:
  /// Adds term(0) ... term(n - 1), after multiples of eight elements.
  template <class F>
  void add(std::int64_t n, const F& term) {
    std::int64_t i = 0;
    for (; i + 8 <= n; i += 8)
      for (std::int64_t k = 0; k < 8; ++k) lanes_[std::size_t(k)] += term(i + k);
    for (; i < n; ++i) lanes_[std::size_t(i % 8)] += term(i);
  }
  double value() const {
    return ((lanes_[0] + lanes_[4]) + (lanes_[1] + lanes_[5])) +
           ((lanes_[2] + lanes_[6]) + (lanes_[3] + lanes_[7]));
  }

 private:
  std::array<double, 8> lanes_{};
};

template <class F>
double sum_of(std::int64_t n, const F& term) {
  LaneSum sum;
  sum.add(n, term);
  return sum.value();
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

/// Calls use(first, count, powers) for blocks of [begin, end): powers[i] = exp(argument(first +
/// i)), by the kernel of this processor. Blocks begin at multiples of eight from `begin`.
template <class W, class Argument, class Use>
void with_exponentials(std::int64_t begin, std::int64_t end, const Argument& argument,
                       const Use& use) {
  constexpr std::int64_t block = 256;
  const auto kernel = tensor_detail::unary_kernel<W, 1>(Unary::exp);
  std::array<W, block> powers;
  W* const to[] = {powers.data()};
  const W* const from[] = {powers.data()};
  for (std::int64_t first = begin; first < end; first += block) {
    const std::int64_t count = std::min(block, end - first);
    for (std::int64_t i = 0; i < count; ++i) powers[std::size_t(i)] = argument(first + i);
    kernel(std::size_t(count), to, from);
    use(first, count, powers.data());
  }
}

/// exp(x - shift) in `out`; returns their sum, of the numbers before they are rounded to T.
template <class T>
double exponentials(const T* x, std::int64_t n, Work<T> shift, T* out) {
  LaneSum sum;
  with_exponentials<Work<T>>(
      0, n, [&](std::int64_t i) { return Work<T>(x[i]) - shift; },
      [&](std::int64_t first, std::int64_t count, const Work<T>* powers) {
        sum.add(count, [&](std::int64_t i) { return double(powers[i]); });
        for (std::int64_t i = 0; i < count; ++i) out[first + i] = T(powers[i]);
      });
  return sum.value();
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
      x.numel(), threads_for(double(x.numel()) * 10), [&](std::int64_t begin, std::int64_t end) {
        const auto slope = [&](std::int64_t i, Work<T> power) {
          const auto v = Work<T>(px[i]);
          if (std::isinf(v)) return Work<T>(v > 0 ? 1 : 0);
          // r / x is Phi without the cancellation of 1 + erf; where r may be
          // subnormal the first terms of its series are exact enough
          const Work<T> phi = std::fabs(v) < tiny ? Work<T>(0.5) + v * density : Work<T>(pr[i]) / v;
          return phi + v * (density * power);
        };
        with_exponentials<Work<T>>(
            begin, end,
            [&](std::int64_t i) { return Work<T>(-0.5) * Work<T>(px[i]) * Work<T>(px[i]); },
            [&](std::int64_t first, std::int64_t count, const Work<T>* powers) {
              for (std::int64_t i = first; i < first + count; ++i)
                out.data()[i] = T(Work<T>(pg[i]) * slope(i, powers[i - first]));
            });
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
    with_exponentials<Work<T>>(
        0, n, [&](std::int64_t i) { return Work<T>(logs[i]); },
        [&](std::int64_t first, std::int64_t count, const Work<T>* powers) {
          for (std::int64_t i = first; i < first + count; ++i)
            out[i] = T(Work<T>(d[i]) - powers[i - first] * total);
        });
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
