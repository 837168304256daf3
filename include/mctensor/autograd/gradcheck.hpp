// Compares gradients with differences of function values.
//
// Error of a difference: in proportion to the 10th power of the step, plus the error of f divided
// by the step. Domain: functions that are smooth and finite around their inputs. Source: Fornberg
// 1988 (weights of differences).
#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/config.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/philox.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct {

struct GradcheckOptions {
  /// The distance of neighbouring points of the difference. 0 means a power of two that suits the
  /// precision of the result, 2^-(N p / 9) (double, N = 2: 2^-12). The function must be smooth
  /// within five steps of the input.
  double step = 0;
  /// The largest relative error allowed. 0 means 2^(-2/3 b), where b is the number of bits of
  /// gradient or value, whichever has fewer (double, N = 2: 5e-22).
  double tolerance = 0;
  /// The least divisor of errors: it replaces derivatives of smaller magnitude.
  double floor = 1e-6;
  /// The seed of the weights with which elements of the result are summed.
  std::uint64_t seed = 1;
};

struct GradcheckReport {
  bool passed = true;
  /// The largest relative error, its place (the input, and the index in this input) and both
  /// derivatives.
  double worst_error = 0;
  std::size_t input = 0;
  Shape index;
  std::string analytic;
  std::string numeric;
  double tolerance = 0;

  explicit operator bool() const { return passed; }
  std::string message() const {
    std::ostringstream text;
    text << "gradcheck " << (passed ? "passed" : "failed") << ": largest relative error "
         << worst_error << " (allowed " << tolerance << ") in input " << input << " at "
         << to_string(index) << ": backward gives " << analytic << ", differences " << numeric;
    return text.str();
  }
};

namespace autograd_detail::inline MCT_ISA_NAMESPACE {

/// Numbers between 1/2 and 3/2 that have few bits.
template <class T>
Tensor<T, 1> check_weights(const Shape& shape, std::uint64_t seed) {
  auto weights = Tensor<T, 1>::uninitialized(shape);
  for (std::int64_t i = 0; i < weights.numel(); ++i)
    weights.data()[i] = T(
        0.5 +
        double(philox4x32({std::uint32_t(i), 0, 0, 0x67726164}, {std::uint32_t(seed), 0})[0] % 17) /
            16);
  return weights;
}

template <class T, int N>
Expansion<T, N> weighted(const Tensor<T, N>& value, const Tensor<T, 1>& weights) {
  return Expansion<T, N>(sum(value * weights).item());
}

/// The derivative of loss() by one element: the central difference of order 10, with an error of
/// h^10 f^(11) / 2772. Source: Fornberg 1988, table 1.
template <class T, int N, class Loss>
auto difference(const Tensor<T, N>& x, const Shape& index, double step, const Loss& loss) {
  static constexpr int coefficients[] = {2100, -600, 150, -25, 2};  // / 2520
  using Value = typename Tensor<T, N>::Value;
  using X = Expansion<T, N>;
  const Value at = x.at(index);
  const auto move = [&](int steps) {
    const X moved = X(at) + X(T(double(steps) * step));
    if constexpr (N == 1) {
      x.set(index, moved.limb[0]);
    } else {
      x.set(index, moved);
    }
    return loss();
  };
  using R = decltype(loss());
  R total{};
  for (int k = 1; k <= 5; ++k) total = total + (move(k) - move(-k)) * R(coefficients[k - 1]);
  x.set(index, at);
  return total / R(2520) / R(T(step));
}

/// Compares all elements of one input.
template <class T, int N, int M, class Loss>
void check_input(const Variable<T, N, M>& x, std::size_t input, const GradcheckOptions& options,
                 const Loss& loss, GradcheckReport& report) {
  const double bits = double(FloatTraits<T>::p) * decltype(loss())::components;
  const double step = options.step > 0 ? options.step : std::exp2(-std::round(bits / 9));
  Shape index(x.shape().size(), 0);
  for (std::int64_t count = x.numel(); count > 0; --count) {
    const auto numeric = difference(x.value(), index, step, loss);
    using R = std::remove_cvref_t<decltype(numeric)>;
    constexpr int K = R::components > M ? R::components : M;
    using D = Expansion<T, K>;
    const Expansion<T, M> analytic(x.has_grad() ? x.grad().at(index)
                                                : typename Tensor<T, M>::Value(T(0)));
    const double size =
        std::max({std::fabs(double(numeric)), std::fabs(double(analytic)), options.floor});
    const double error = std::fabs(double(D(analytic) - D(numeric))) / size;
    if (!(error <= report.worst_error) || report.analytic.empty()) {
      report.worst_error = error;
      report.input = input;
      report.index = index;
      report.analytic = to_string(analytic);
      report.numeric = to_string(numeric);
    }
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < x.shape()[d]) break;
      index[d] = 0;
    }
    if (error != error) return;  // NaN counts as the worst error
  }
}

template <class F, class Each>
GradcheckReport run_gradcheck(const F& f, const GradcheckOptions& options, const Each& each) {
  each([](const auto& x, std::size_t input) {
    if (!x.is_leaf() || !x.requires_grad())
      throw DomainError("gradcheck: input " + std::to_string(input) +
                        " is not a leaf that requires a gradient");
    x.zero_grad();
  });
  const auto result = f();
  using V = std::remove_cvref_t<decltype(result)>;
  using T = typename V::Component;
  const auto weights = check_weights<T>(result.shape(), options.seed);
  result.backward(tensor_detail::widen<T, V::grad_components>(weights));

  const NoGradGuard unrecorded;
  GradcheckReport report;
  const auto loss = [&] { return weighted(f().value(), weights); };
  constexpr int bits =
      FloatTraits<T>::p * (V::components < V::grad_components ? V::components : V::grad_components);
  report.tolerance = options.tolerance > 0 ? options.tolerance : std::exp2(-bits * 2.0 / 3);
  each([&](const auto& x, std::size_t input) { check_input(x, input, options, loss, report); });
  report.passed = report.worst_error <= report.tolerance;
  return report;
}

}  // namespace autograd_detail::inline MCT_ISA_NAMESPACE

inline namespace MCT_ISA_NAMESPACE {

/// Compares the gradients that backward() gives for a weighted sum of the result of f(inputs...)
/// with central differences of order 10, element by element. f takes the variables of the tuple and
/// returns a variable, the same for the same inputs. The inputs are leaves that require gradients
/// and share no memory; their elements are changed and restored. For plain inputs, the step must be
/// large enough for the precision of the input. In f64x2 with gradients of two components
/// (Variable<double, 2, 2>) differences agree with the derivative to about 1e-26.
///
/// Returns a report. Throws DomainError for an input that is not such a leaf.
template <class F, class... V>
GradcheckReport gradcheck(const F& f, const std::tuple<V...>& inputs,
                          const GradcheckOptions& options = {}) {
  return autograd_detail::run_gradcheck(
      [&] { return std::apply(f, inputs); }, options,
      [&](const auto& visit) {
        std::size_t i = 0;
        std::apply([&](const auto&... x) { (visit(x, i++), ...); }, inputs);
      });
}

/// Checks a function of a list of variables, such as the parameters of a module. f need not read
/// the list, because the parameters share memory with those inside the module.
template <class F, class T, int N, int M>
GradcheckReport gradcheck(const F& f, const std::vector<Variable<T, N, M>>& inputs,
                          const GradcheckOptions& options = {}) {
  return autograd_detail::run_gradcheck([&] { return f(inputs); }, options,
                                        [&](const auto& visit) {
                                          for (std::size_t i = 0; i < inputs.size(); ++i)
                                            visit(inputs[i], i);
                                        });
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
