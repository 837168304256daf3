#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda/attention/attention_launch.hpp"
#include "cuda/attention/prepare.hpp"
#include "cuda/attention/sizes.hpp"
#include "cuda/device/stream_queue.hpp"
#include "mctensor/attention/device_attention.hpp"
#include "src/attention/bias_layout.hpp"

namespace mct::cuda {
namespace {

using attention::Score;

std::int64_t rounded_up(std::int64_t x, std::int64_t step) { return (x + step - 1) / step * step; }

/// Vectors in the form in which the programs read them. Float vectors are split into their parts.
template <class T>
class Vectors {
 public:
  Vectors(const StreamQueue& queue, const DeviceTensor<T>& x) {
    view_ = {nullptr, x.numel(), int(x.size(-2)), int(x.size(-1))};
    if constexpr (parts_of<T> == 1) {
      view_.data = x.data();
    } else {
      parts_.emplace(queue.allocate<bfloat16>(2 * x.numel()));
      view_.data = parts_->data();
      const std::int64_t rows = view_.width == 0 ? 0 : x.numel() / view_.width;
      queue.run(
          SplitVectors{x.data(), rows, view_.width, view_.width, true, parts_->data(), x.numel()},
          blocks_for(x.numel() / SplitVectors::chunk, SplitVectors::threads));
    }
  }
  const VectorsView& view() const { return view_; }

 private:
  std::optional<StreamQueue::Buffer<bfloat16>> parts_;
  VectorsView view_;
};

/// Numbers of vectors of T in the form in which the programs read them, followed by `more` planes.
template <class T>
class Numbers {
 public:
  Numbers(const StreamQueue& queue, std::int64_t groups, const VectorsView& x,
          const DeviceTensor<float>& numbers, int count, int more)
      : view_{nullptr, 1 + count + more, int(rounded_up(std::max(x.count, 1), numbers_step))},
        buffer_(queue.allocate<float>(groups * view_.planes * view_.padded)) {
    view_.data = buffer_.data();
    using Gather = GatherNumbers<parts_of<T>>;
    queue.run(Gather{x, numbers.data(), count, buffer_.data(), view_.planes, view_.padded},
              Grid{view_.padded / Gather::vectors, int(groups)});
  }
  const NumbersView& view() const { return view_; }
  float* plane(int number) const { return buffer_.data() + std::int64_t(number) * view_.padded; }

 private:
  NumbersView view_;
  StreamQueue::Buffer<float> buffer_;
};

/// The bias of a mask in the form in which the programs read it.
class Bias {
 public:
  Bias(const StreamQueue& queue, const AttentionMask& mask, const Shape& x,
       const AttentionSizes& sizes, const Stream& stream)
      : tensor_(mask.bias) {
    if (tensor_.numel() == 0) return;
    const Shape& shape = tensor_.shape();
    const auto layout = attention_detail::bias_layout(
        shape, contiguous_strides(shape), mask.by_offset, leading_shape(x, 2),
        {sizes.groups, sizes.queries, sizes.keys, 0, 0});
    std::vector<std::int64_t> offsets;
    for (std::int64_t group = 0; group < sizes.groups; ++group)
      offsets.push_back(layout.offset(group));
    offsets_.emplace(queue.allocate<std::int64_t>(sizes.groups));
    copy_async(offsets_->data(), offsets.data(), offsets.size() * sizeof(offsets[0]), stream);
    view_ = {tensor_.data(), offsets_->data(), layout.query, int(layout.key)};
  }
  bool is_there() const { return view_.data != nullptr; }
  const BiasView& view() const { return view_; }

 private:
  DeviceTensor<float> tensor_;
  std::optional<StreamQueue::Buffer<std::int64_t>> offsets_;
  BiasView view_;
};

/// Calls use(D, biased), where D is the width of the tiles that vectors and values need.
template <class T, class Use>
void with_tile(const AttentionOperands<T>& of, const Bias& bias, const Use& use) {
  const auto with_width = [&](auto width) {
    if (bias.is_there()) {
      use(width, std::true_type());
    } else {
      use(width, std::false_type());
    }
  };
  if (std::max(of.x.size(-1), of.v.size(-1)) <= 64) {
    with_width(std::integral_constant<int, 64>());
  } else {
    with_width(std::integral_constant<int, 128>());
  }
}

}  // namespace

template <class T>
Attended<T> attend(Score score, const AttentionOperands<T>& of, const AttentionMask& mask,
                   bool for_gradients) {
  static_cast<void>(AttentionSizes(NumberCounts(score), of));  // throws unless they fit
  const Stream& stream = of.x.stream();
  Shape rows = leading_shape(of.x.shape());
  Attended<T> result;
  result.log_sum = DeviceTensor<float>::uninitialized(rows, stream);
  rows.push_back(of.v.size(-1));
  result.values = DeviceTensor<T>::uninitialized(rows, stream);
  if (parts_of<T> == 1 && for_gradients)
    result.rest = DeviceTensor<bfloat16>::uninitialized(rows, stream);
  attend(score, of, mask, result);
  return result;
}

template <class T>
void attend(Score score, const AttentionOperands<T>& of, const AttentionMask& mask,
            const Attended<T>& result) {
  const NumberCounts counts(score);
  const AttentionSizes sizes(counts, of);
  const Stream& stream = of.x.stream();
  Ordered ordered(stream);
  wait_for_operands(ordered, counts, of);
  if (mask.bias.numel() > 0) ordered.add(mask.bias.stream());
  const StreamQueue queue(stream);
  const Vectors<T> x(queue, of.x);
  const Vectors<T> y(queue, of.y);
  const Vectors<T> v(queue, of.v);
  const Bias bias(queue, mask, of.x.shape(), sizes, stream);
  std::optional<Numbers<T>> a, b;
  if (counts.for_forward) {
    a.emplace(queue, sizes.groups, x.view(), of.a, counts.queries, 0);
    b.emplace(queue, sizes.groups, y.view(), of.b, counts.keys, 0);
  }
  with_tile(
      of, bias,
      [&]<int D, bool biased>(std::integral_constant<int, D> /*width*/,
                              std::bool_constant<biased> /*has a bias*/) {
        start_attention<D>(
            AttentionLaunch<T, biased>{score, int(sizes.groups), x.view(), y.view(), v.view(),
                                       a ? a->view() : NumbersView{}, b ? b->view() : NumbersView{},
                                       sizes.pairs(mask), result.values.data(), result.rest.data(),
                                       result.log_sum.data(), bias.view()},
            stream);
      });
}

template <class T>
AttentionOperands<T> attend_backward(Score score, const AttentionOperands<T>& of,
                                     const AttentionMask& mask, const Attended<T>& result,
                                     const DeviceTensor<T>& gradient) {
  const NumberCounts counts(score);
  const auto like = [&](const auto& x) {
    return std::decay_t<decltype(x)>::uninitialized(x.shape(), of.x.stream());
  };
  AttentionOperands<T> to{like(of.x), {}, like(of.y), {}, like(of.v)};
  if (counts.queries > 0) to.a = like(of.a);
  if (counts.keys > 0) to.b = like(of.b);
  attend_backward(score, of, mask, result, gradient, to);
  return to;
}

template <class T>
void attend_backward(Score score, const AttentionOperands<T>& of, const AttentionMask& mask,
                     const Attended<T>& result, const DeviceTensor<T>& gradient,
                     const AttentionOperands<T>& to) {
  const NumberCounts counts(score);
  const AttentionSizes sizes(counts, of);
  require_gradient(of, result, gradient);
  require_vectors("the gradient", gradient);
  if (parts_of<T> == 1 && result.rest.shape() != gradient.shape())
    throw DomainError(
        "attend_backward: the result does not have the parts that gradients need; call attend with "
        "for_gradients = true");
  const Stream& stream = of.x.stream();
  Ordered ordered(stream, result.values, gradient);
  wait_for_operands(ordered, counts, of);
  if (mask.bias.numel() > 0) ordered.add(mask.bias.stream());
  const StreamQueue queue(stream);
  const Vectors<T> x(queue, of.x);
  const Vectors<T> y(queue, of.y);
  const Vectors<T> v(queue, of.v);
  const Vectors<T> g(queue, gradient);
  const Bias bias(queue, mask, of.x.shape(), sizes, stream);
  const Numbers<T> a(queue, sizes.groups, x.view(), of.a, counts.queries, 2);
  const Numbers<T> b(queue, sizes.groups, y.view(), of.b, counts.keys, 0);
  using Gather = GatherSoftmax<T>;
  queue.run(Gather{g.view(), result.values.data(), result.rest.data(), result.log_sum.data(),
                   a.plane(1 + counts.queries), a.view().planes, a.view().padded},
            Grid{a.view().padded / Gather::vectors, int(sizes.groups)});
  with_tile(of, bias,
            [&]<int D, bool biased>(std::integral_constant<int, D> /*width*/,
                                    std::bool_constant<biased> /*has a bias*/) {
              start_attention_backward<D>(
                  AttentionBackwardLaunch<T, biased>{score,
                                                     int(sizes.groups),
                                                     {x.view(), g.view(), a.view()},
                                                     {y.view(), v.view(), b.view()},
                                                     sizes.pairs(mask),
                                                     to.x.data(),
                                                     to.a.data(),
                                                     to.y.data(),
                                                     to.b.data(),
                                                     to.v.data(),
                                                     bias.view()},
                  stream);
            });
}

#define MCT_INSTANTIATE(T)                                                                     \
  template Attended<T> attend(Score, const AttentionOperands<T>&, const AttentionMask&, bool); \
  template AttentionOperands<T> attend_backward(Score, const AttentionOperands<T>&,            \
                                                const AttentionMask&, const Attended<T>&,      \
                                                const DeviceTensor<T>&);                       \
  template void attend(Score, const AttentionOperands<T>&, const AttentionMask&,               \
                       const Attended<T>&);                                                    \
  template void attend_backward(Score, const AttentionOperands<T>&, const AttentionMask&,      \
                                const Attended<T>&, const DeviceTensor<T>&,                    \
                                const AttentionOperands<T>&);
MCT_INSTANTIATE(bfloat16)
MCT_INSTANTIATE(float)
#undef MCT_INSTANTIATE

}  // namespace mct::cuda
