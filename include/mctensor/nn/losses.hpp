// Losses, with the formulas and defaults of PyTorch. Targets are tensors, which are constants.
//
// Error: no bound is stated. The error of a loss consists of the errors of its functions and of its
// sum, with N components each. Domain: every finite input, unless a loss states a smaller domain.
// Source: the definitions of torch.nn.functional.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "mctensor/autograd/all.hpp"
#include "mctensor/error.hpp"

namespace mct::nn {

/// What becomes of the losses of the elements: none keeps them, mean averages them, sum adds them.
enum class Reduction { none, mean, sum };

/// A target with this number is ignored by nll_loss and cross_entropy.
inline constexpr std::int64_t default_ignore_index = -100;

namespace loss_detail {

template <class T, int N, int M>
Variable<T, N, M> reduced(const Variable<T, N, M>& losses, Reduction reduction) {
  if (reduction == Reduction::none) return losses;
  return reduction == Reduction::mean ? mean(losses) : sum(losses);
}

inline void check_target(const char* name, const Shape& input, const Shape& target) {
  if (input != target)
    throw ShapeError(std::string(name) + ": input of shape " + to_string(input) +
                     " and target of shape " + to_string(target) + "; the shapes must be equal");
}

/// Scores (C), (n, C) or (n, C, d1, ...) as rows (m, C), one for each target. Throws ShapeError for
/// shapes that do not fit, and if there are targets but no classes, even if the targets are
/// ignored.
template <class T, int N, int M>
Variable<T, N, M> class_rows(const char* name, const Variable<T, N, M>& x, const Shape& target) {
  Shape expected = x.shape();
  if (!expected.empty()) expected.erase(expected.begin() + (expected.size() > 1 ? 1 : 0));
  if (x.dim() == 0 || expected != target)
    throw ShapeError(std::string(name) + ": scores of shape " + to_string(x.shape()) +
                     " and targets of shape " + to_string(target) +
                     ", expected (classes) and (), or (rows, classes, ..) and (rows, ..)");
  if (x.numel() == 0 && numel(target) > 0)
    throw ShapeError(std::string(name) + ": scores of shape " + to_string(x.shape()) +
                     " have no classes for targets of shape " + to_string(target));
  if (x.dim() == 1) return x.unsqueeze(0);
  if (x.dim() == 2) return x;
  Shape order{0};
  for (std::int64_t d = 2; d < x.dim(); ++d) order.push_back(d);
  order.push_back(1);
  return x.permute(order).reshape({numel(target), x.size(1)});
}

/// The losses of rows, reduced. The mean is taken over the rows that are not ignored; it is NaN if
/// all rows are ignored.
template <class T, int N, int M>
Variable<T, N, M> reduce_rows(const Variable<T, N, M>& losses, const Tensor<std::int64_t>& target,
                              Reduction reduction, std::int64_t ignore_index) {
  if (reduction == Reduction::none) return losses.reshape(target.shape());
  if (reduction == Reduction::sum) return sum(losses);
  std::int64_t count = 0;
  for (const std::int64_t label : target.values()) count += label != ignore_index ? 1 : 0;
  // the mean is corrected, because a narrow type may not hold the sum
  auto average = mean(losses);
  if (count == losses.numel()) return average;
  const auto number = [](std::int64_t n) { return Tensor<double, 4>::scalar(f64x4(n)); };
  return average * convert<T, N>(number(losses.numel()) / number(count));
}

}  // namespace loss_detail

/// (input - target)^2. Throws ShapeError unless the shapes are equal.
template <class T, int N, int M, int K>
auto mse_loss(const Variable<T, N, M>& input, const Tensor<T, K>& target,
              Reduction reduction = Reduction::mean) {
  loss_detail::check_target("mse_loss", input.shape(), target.shape());
  return loss_detail::reduced(square(input - target), reduction);
}

/// -(y log x + (1 - y) log(1 - x)) for inputs x, which are probabilities, and targets y. Logarithms
/// below -100 are replaced by -100. Throws ShapeError unless the shapes are equal, and DomainError
/// for x outside [0, 1].
template <class T, int N, int M>
Variable<T, N, M> binary_cross_entropy(const Variable<T, N, M>& input, const Tensor<T, 1>& target,
                                       Reduction reduction = Reduction::mean) {
  loss_detail::check_target("binary_cross_entropy", input.shape(), target.shape());
  const auto& x = input.value();
  if (any(logical_or(x<T(0), x> T(1))))
    throw DomainError("binary_cross_entropy: an input is not between 0 and 1");
  // the denominator is at least 1e-12, as in PyTorch, or half's smallest normal number
  const double least =
      std::max(1e-12, std::ldexp(double(FloatTraits<T>::eta), FloatTraits<T>::p - 1));
  const auto log_x = mct::maximum(mct::log(x), T(-100));
  const auto log_rest = mct::maximum(mct::log1p(-x), T(-100));
  auto losses = -(target * log_x + (T(1) - target) * log_rest);
  return loss_detail::reduced(
      autograd_detail::record(
          std::move(losses),
          [a = autograd_detail::saved<M>(input), target, least](const auto& to, const auto& g) {
            to.give(0, g * ((a - target) / mct::maximum(a * (T(1) - a), least)));
          },
          input),
      reduction);
}

/// binary_cross_entropy of sigmoid(input), without overflow: max(z, 0) - z y + log(1 + exp(-|z|))
/// for z = input and y = target.
template <class T, int N, int M>
Variable<T, N, M> binary_cross_entropy_with_logits(const Variable<T, N, M>& input,
                                                   const Tensor<T, 1>& target,
                                                   Reduction reduction = Reduction::mean) {
  loss_detail::check_target("binary_cross_entropy_with_logits", input.shape(), target.shape());
  const auto& z = input.value();
  return loss_detail::reduced(
      autograd_detail::record(
          mct::relu(z) - z * target + mct::softplus(-mct::abs(z)),
          [a = autograd_detail::saved<M>(input), target](const auto& to, const auto& g) {
            to.give(0, g * (mct::sigmoid(a) - target));
          },
          input),
      reduction);
}

/// -input[target] for inputs (C), (n, C) or (n, C, d1, ...), which are logarithms of probabilities,
/// and targets (), (n) or (n, d1, ...), which are classes. The loss is 0 where the target is
/// `ignore_index`, and the mean leaves these targets out. Throws ShapeError for shapes that do not
/// fit and for a class outside 0 ... C - 1.
template <class T, int N, int M>
Variable<T, N, M> nll_loss(const Variable<T, N, M>& input, const Tensor<std::int64_t>& target,
                           Reduction reduction = Reduction::mean,
                           std::int64_t ignore_index = default_ignore_index) {
  const auto rows = loss_detail::class_rows("nll_loss", input, target.shape());
  const auto labels = target.values();
  auto index = Tensor<std::int64_t>::uninitialized({rows.size(0), 1});
  auto ignored = Tensor<bool>::uninitialized({rows.size(0), 1});
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ignored.data()[i] = labels[i] == ignore_index;
    index.data()[i] = labels[i] == ignore_index ? 0 : labels[i];
  }
  const auto losses = where(ignored, T(0), -gather(rows, 1, index)).squeeze(1);
  return loss_detail::reduce_rows(losses, target, reduction, ignore_index);
}

/// nll_loss of log_softmax(input) over the classes. If N = M = 1, it is computed in one step. The
/// gradient of the loss of a target is softmax(input), minus 1 at the target. Throws as nll_loss.
template <class T, int N, int M>
Variable<T, N, M> cross_entropy(const Variable<T, N, M>& input, const Tensor<std::int64_t>& target,
                                Reduction reduction = Reduction::mean,
                                std::int64_t ignore_index = default_ignore_index) {
  const auto rows = loss_detail::class_rows("cross_entropy", input, target.shape());
  if constexpr (autograd_detail::has_kernels<N, M>) {
    const auto labels = target.reshape({-1});
    Tensor<T> probabilities;
    auto value =
        autograd_detail::cross_entropy_rows(rows.value(), labels, ignore_index, probabilities);
    const auto losses = autograd_detail::record(
        std::move(value),
        [=](const auto& to, const auto& g) {
          to.give(0, autograd_detail::cross_entropy_rows_backward(probabilities, labels,
                                                                  ignore_index, g));
        },
        rows);
    return loss_detail::reduce_rows(losses, target, reduction, ignore_index);
  } else {
    const auto losses =
        nll_loss(log_softmax(rows, 1), target.reshape({-1}), Reduction::none, ignore_index);
    return loss_detail::reduce_rows(losses, target, reduction, ignore_index);
  }
}

#define MCT_NN_LOSS(name, function)                                   \
  struct name {                                                       \
    Reduction reduction = Reduction::mean;                            \
    template <class Input, class Target>                              \
    auto operator()(const Input& input, const Target& target) const { \
      return function(input, target, reduction);                      \
    }                                                                 \
  };
/// The losses as function objects that have their options as members.
MCT_NN_LOSS(MSELoss, mse_loss)
MCT_NN_LOSS(BCELoss, binary_cross_entropy)
MCT_NN_LOSS(BCEWithLogitsLoss, binary_cross_entropy_with_logits)
#undef MCT_NN_LOSS

#define MCT_NN_CLASS_LOSS(name, function)                                      \
  struct name {                                                                \
    Reduction reduction = Reduction::mean;                                     \
    std::int64_t ignore_index = default_ignore_index;                          \
    template <class Input>                                                     \
    auto operator()(const Input& input, const Tensor<std::int64_t>& t) const { \
      return function(input, t, reduction, ignore_index);                      \
    }                                                                          \
  };
MCT_NN_CLASS_LOSS(NLLLoss, nll_loss)
MCT_NN_CLASS_LOSS(CrossEntropyLoss, cross_entropy)
#undef MCT_NN_CLASS_LOSS

}  // namespace mct::nn
