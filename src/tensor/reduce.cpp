#include "mctensor/tensor/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "src/tensor/element.hpp"
#include "src/tensor/kernels/registry.hpp"
#include "src/tensor/kernels/work_format.hpp"
#include "src/tensor/layout.hpp"
#include "src/tensor/reduce_order.hpp"
#include "src/tensor/strided.hpp"

namespace mct {

namespace {

using namespace tensor_detail;

constexpr std::int64_t piece = sum_piece;
/// Neighbouring results whose elements are gathered together, so that cache lines are used whole.
constexpr std::int64_t group = 16;

/// A reduction as two loops: over the results, and over the elements of each.
struct Plan {
  Shape result_shape;  // without the reduced dimensions
  Shape keepdim_shape;
  Shape kept;
  Shape kept_strides;
  Shape reduced;
  Shape reduced_strides;
};

Plan make_plan(const Shape& shape, const Shape& strides, const Shape& dims) {
  std::vector<bool> is_reduced(shape.size(), dims.empty());
  for (const std::int64_t dim : dims) {
    const std::size_t d = normalize_dim(dim, shape);
    if (is_reduced[d])
      throw ShapeError("reduction: dimension " + std::to_string(dim) + " of shape " +
                       to_string(shape) + " is named twice");
    is_reduced[d] = true;
  }
  Plan plan;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    (is_reduced[d] ? plan.reduced : plan.kept).push_back(shape[d]);
    (is_reduced[d] ? plan.reduced_strides : plan.kept_strides).push_back(strides[d]);
    plan.keepdim_shape.push_back(is_reduced[d] ? 1 : shape[d]);
  }
  plan.result_shape = plan.kept;
  return plan;
}

/// The elements of up to `group` neighbouring results, a piece of each at a time, in contiguous
/// planes.
template <class T, int N>
class Gather {
 public:
  Gather(const Tensor<T, N>& x, const Plan& plan)
      : x_(x),
        plan_(plan),
        contiguous_(is_contiguous(plan.reduced, plan.reduced_strides)),
        spacing_(std::min(piece, numel(plan.reduced)) + 16),
        buffer_(contiguous_ ? 0 : std::size_t(group * N * spacing_)) {}

  /// Prepares elements from ... from + n - 1 of results first ... first + count - 1.
  void load(std::int64_t first, std::int64_t count, std::int64_t from, std::int64_t n) {
    for (std::int64_t g = 0; g < count; ++g)
      bases_[std::size_t(g)] = offset_of(first + g, plan_.kept, plan_.kept_strides);
    from_ = from;
    if (contiguous_) return;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t offset = offset_of(from + i, plan_.reduced, plan_.reduced_strides);
      for (int k = 0; k < N; ++k)
        for (std::int64_t g = 0; g < count; ++g)
          buffer_[std::size_t((g * N + k) * spacing_ + i)] =
              x_.data(k)[bases_[std::size_t(g)] + offset];
    }
  }

  std::array<const T*, N> planes(std::int64_t g) const {
    std::array<const T*, N> planes;
    for (int k = 0; k < N; ++k)
      planes[std::size_t(k)] = contiguous_ ? x_.data(k) + bases_[std::size_t(g)] + from_
                                           : &buffer_[std::size_t((g * N + k) * spacing_)];
    return planes;
  }

 private:
  const Tensor<T, N>& x_;
  const Plan& plan_;
  bool contiguous_;
  std::int64_t spacing_;  // of planes in the buffer; no power of two, or they share a cache set
  std::vector<T> buffer_;
  std::array<std::int64_t, std::size_t(group)> bases_{};
  std::int64_t from_ = 0;
};

/// Combines the pieces of every result: start(planes, n) makes a partial result of a piece,
/// join(a, b) one of two; finish(partial, result index) gives the element.
template <class Partial, class T, int N, class Start, class Join, class Finish>
Tensor<T, N> reduce(const Tensor<T, N>& x, const Plan& plan, bool keepdim, const Start& start,
                    const Join& join, const Finish& finish) {
  auto out = Tensor<T, N>::uninitialized(plan.result_shape);
  const std::int64_t results = out.numel();
  const std::int64_t length = numel(plan.reduced);
  const auto work = [&](std::int64_t begin, std::int64_t end) {
    Gather<T, N> gather(x, plan);
    std::array<Partial, std::size_t(group)> partials;
    for (std::int64_t first = begin * group; first < std::min(end * group, results);
         first += group) {
      const std::int64_t count = std::min(group, results - first);
      for (std::int64_t from = 0; from == 0 || from < length; from += piece) {
        const std::int64_t n = std::min(piece, length - from);
        gather.load(first, count, from, n);
        for (std::int64_t g = 0; g < count; ++g) {
          Partial& partial = partials[std::size_t(g)];
          const Partial part = start(gather.planes(g).data(), n);
          partial = from == 0 ? part : join(partial, part);
        }
      }
      for (std::int64_t g = 0; g < count; ++g) {
        store_element(out, first + g, finish(partials[std::size_t(g)], first + g));
      }
    }
  };
  parallel_ranges((results + group - 1) / group,
                  threads_for(double(results) * double(length) * N * N * 2), work);
  return keepdim ? out.reshape(plan.keepdim_shape) : out;
}

/// One sum once more with guarded operations, in the format of the accumulation: see
/// guarded_product.
template <class Work, class T, int N>
Work guarded_sum(const Tensor<T, N>& x, const Plan& plan, std::int64_t result) {
  const std::int64_t base = offset_of(result, plan.kept, plan.kept_strides);
  Work sum{};
  for (std::int64_t i = 0; i < numel(plan.reduced); ++i) {
    const std::int64_t offset = base + offset_of(i, plan.reduced, plan.reduced_strides);
    sum = sum + Work(load_element(x, offset));
  }
  return sum;
}

/// The sum, divided by `divisor` before it is rounded to T.
template <class T, int N>
Tensor<T, N> scaled_sum(const Tensor<T, N>& x, const Shape& dims, bool keepdim, bool is_mean) {
  using Work = Expansion<double, WorkFormat<T, N>::levels>;
  const Plan plan = make_plan(x.shape(), x.strides(), dims);
  const auto kernel = MCT_SELECT_KERNELS(sum_kernel<T, N>());
  const Work divisor(is_mean ? double(numel(plan.reduced)) : 1.0);
  return reduce<Work>(
      x, plan, keepdim,
      [&](const T* const* planes, std::int64_t n) {
        Work sum;
        kernel(std::size_t(n), planes, sum.limb);
        return sum;
      },
      [](const Work& a, const Work& b) { return a + b; },
      [&](const Work& total, std::int64_t result) {
        const Work value =
            std::isfinite(total.limb[0]) ? total : guarded_sum<Work>(x, plan, result);
        return Expansion<T, N>(is_mean ? value / divisor : value);
      });
}

template <class T, int N>
Tensor<T, N> extreme(Binary op, const char* name, const Tensor<T, N>& x, const Shape& dims,
                     bool keepdim) {
  const Plan plan = make_plan(x.shape(), x.strides(), dims);
  if (numel(plan.reduced) == 0 && numel(plan.kept) > 0)
    throw ShapeError(std::string(name) + ": no elements to choose from in shape " +
                     to_string(x.shape()));
  using X = Expansion<T, N>;
  const auto kernel = MCT_SELECT_KERNELS(elementwise<T, N>()).binary[int(op)][int(Mix::none)];
  const auto choose = [&](const X& a, const X& b) {
    X r;
    T* out[N];
    const T* left[N];
    const T* right[N];
    for (int k = 0; k < N; ++k) {
      out[k] = &r.limb[k];
      left[k] = &a.limb[k];
      right[k] = &b.limb[k];
    }
    kernel(1, out, left, right);
    return r;
  };
  return reduce<X>(
      x, plan, keepdim,
      [&](const T* const* planes, std::int64_t n) {
        // halves against each other until one is left
        std::vector<T> buffer(std::size_t(N * ((n + 1) / 2)));
        T* out[N];
        const T* left[N];
        const T* right[N];
        for (int k = 0; k < N; ++k) {
          out[k] = &buffer[std::size_t(k * ((n + 1) / 2))];
          left[k] = planes[k];
        }
        while (n > 1) {
          const std::int64_t upper = (n + 1) / 2;
          for (int k = 0; k < N; ++k) right[k] = left[k] + upper;
          kernel(std::size_t(n - upper), out, left, right);
          for (int k = 0; k < N; ++k) {
            if (n % 2 != 0) out[k][upper - 1] = left[k][upper - 1];
            left[k] = out[k];
          }
          n = upper;
        }
        X r;
        for (int k = 0; k < N; ++k) r.limb[k] = left[k][0];
        return r;
      },
      choose, [](const X& value, std::int64_t) { return value; });
}

/// Powers of two, one for each result, that bring the largest magnitude near 1, as two factors: the
/// power itself may not be a normal number. None if no square overflows or underflows anyway.
struct Scaling {
  Tensor<double> first;
  Tensor<double> second;
};

template <int N>
std::optional<Scaling> scaling_of(const Tensor<double, N>& x, const Shape& dims) {
  if (x.numel() == 0) return std::nullopt;
  const Tensor<double> largest = max(abs(x.fc()), dims, true).contiguous();
  Scaling scaling{Tensor<double>(largest.shape()), Tensor<double>(largest.shape())};
  bool needed = false;
  for (std::int64_t i = 0; i < largest.numel(); ++i) {
    const double size = largest.data()[i];
    const int exponent = size > 0 && std::isfinite(size) ? -std::ilogb(size) : 0;
    needed = needed || std::abs(exponent) >= 300;
    scaling.first.data()[i] = std::ldexp(1.0, exponent / 2);
    scaling.second.data()[i] = std::ldexp(1.0, exponent - exponent / 2);
  }
  if (!needed) return std::nullopt;
  return scaling;
}

template <int N>
Tensor<double, N> euclidean_norm(const Tensor<double, N>& x, const Shape& dims, bool keepdim) {
  const auto scaling = scaling_of(x, dims);
  if (!scaling) return sqrt(sum(square(x), dims, keepdim));
  const auto scaled = mul_(mul(x, scaling->first), scaling->second);
  const auto root = sqrt(sum(square(scaled), dims, true));
  div_(div_(root, scaling->first), scaling->second);
  return keepdim ? root : root.reshape(make_plan(x.shape(), x.strides(), dims).result_shape);
}

}  // namespace

namespace tensor_detail {

template <class T, int N>
Tensor<T, N> run_reduction(Reduce op, const Tensor<T, N>& x, const Shape& dims, bool keepdim) {
  switch (op) {
    case Reduce::max:
      return extreme(Binary::maximum, "max", x, dims, keepdim);
    case Reduce::min:
      return extreme(Binary::minimum, "min", x, dims, keepdim);
    default:
      return scaled_sum(x, dims, keepdim, op == Reduce::mean);
  }
}

template <class T, int N>
Tensor<T, N> run_norm(const Tensor<T, N>& x, double p, const Shape& dims, bool keepdim) {
  if (p == 1) return sum(abs(x), dims, keepdim);
  if (p == std::numeric_limits<double>::infinity()) return max(abs(x), dims, keepdim);
  if (p != 2) throw DomainError("norm: p = " + number_text(p) + " is not one of 1, 2, infinity");
  if constexpr (std::is_same_v<T, double>) {
    return euclidean_norm(x, dims, keepdim);
  } else {
    // squares of the narrower types neither overflow nor underflow in double
    constexpr int levels = WorkFormat<T, N>::levels;
    const auto wide = convert<double, levels>(x);
    return convert<T, N>(sqrt(sum(square(wide), dims, keepdim)));
  }
}

#define MCT_INSTANTIATE(T, N)                                                           \
  template Tensor<T, N> run_reduction(Reduce, const Tensor<T, N>&, const Shape&, bool); \
  template Tensor<T, N> run_norm(const Tensor<T, N>&, double, const Shape&, bool);
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace tensor_detail
}  // namespace mct
