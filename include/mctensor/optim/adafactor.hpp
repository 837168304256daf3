// Adafactor, an optimizer that stores the second moments of a matrix as the product of a row and a
// column.
#pragma once

#include <algorithm>
#include <limits>

#include "mctensor/optim/optimizer.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::optim {

struct AdafactorOptions {
  double lr = 1e-2;
  double beta2_decay = -0.8;  ///< beta2 of step t is 1 - t^beta2_decay
  /// The lower bound of sqrt(v). 0 means the epsilon of double for double, and the epsilon of float
  /// for all other types. The lower bound of v is eps1^2, or the smallest normal number of the type
  /// if that is larger.
  double eps1 = 0;
  double eps2 = 1e-3;  ///< with relative steps, the least size of a parameter
  double d = 1;        ///< the largest root mean square of an update
  double weight_decay = 0;
  /// True, as in the paper and in PyTorch: the length of step t is min(lr, 1 / sqrt(t)) times the
  /// size (root mean square) of the parameter. False: the length is lr.
  bool relative_step = true;
};

/// Throws DomainError, which names the option and its value, unless beta2_decay < 0 and d > 0, and
/// if another option is negative, infinite or NaN.
void validate(const AdafactorOptions& options);

/// The last two dimensions of a parameter are matrices (r, c). The second moments v of each take r
/// + c numbers. `row` (r, 1) holds moving averages of the means of g^2 along rows, `column` (1, c)
/// of the means along columns. The averages have beta2 = 1 - t^beta2_decay. Then v = row column /
/// mean(row). Parameters of fewer than two dimensions keep v itself. There is no first moment. With
/// u = g / max(sqrt(v), eps1), step t computes p -= lr decay p and then p -= alpha u / max(1,
/// rms(u) / d). alpha is max(eps2, rms(p)) min(lr, 1 / sqrt(t)) for relative steps, otherwise lr.
/// This is the rule of torch.optim.Adafactor, except that the lower bound of mean(row) is eps1^2;
/// PyTorch's is eps1.
///
/// Source: Shazeer and Stern, Adafactor: adaptive learning rates with sublinear memory cost, 2018,
/// Alg. 4 to 6. The paper adds a small number to g^2 instead of these lower bounds.
template <class T, int N = 1>
class Adafactor final : public Optimizer<T, N> {
 public:
  using Base = Optimizer<T, N>;

  /// Throws DomainError for options that validate refuses.
  explicit Adafactor(std::vector<Variable<T, N>> parameters, const AdafactorOptions& options = {})
      : Adafactor({{std::move(parameters), options.lr, options.weight_decay}}, options) {}
  /// Each group has its own learning rate and weight decay; `options` has the other options.
  Adafactor(std::vector<ParameterGroup<T, N>> groups, const AdafactorOptions& options)
      : Base(std::move(groups)), options_(options) {
    validate(options);
  }

  void visit_options(const OptionVisitor& visit) override {
    visit("beta2_decay", options_.beta2_decay);
    visit("eps1", options_.eps1);
    visit("eps2", options_.eps2);
    visit("d", options_.d);
    visit_choice(visit, "relative_step", options_.relative_step, 2);
    validate(options_);
  }

 private:
  std::string kind() const override { return "Adafactor"; }
  std::map<std::string, StateKind> state_kinds(const Shape& parameter) const override {
    constexpr auto values = StateValues::not_negative;
    if (parameter.size() < 2) return {{"v", {values, parameter}}};
    return {{"row", {values, row_shape(parameter)}}, {"column", {values, column_shape(parameter)}}};
  }

  static Shape row_shape(Shape shape) {
    shape[shape.size() - 1] = 1;
    return shape;
  }
  static Shape column_shape(Shape shape) {
    shape[shape.size() - 2] = 1;
    return shape;
  }
  double eps1() const {
    if (options_.eps1 > 0) return options_.eps1;
    return std::is_same_v<T, double> ? std::numeric_limits<double>::epsilon()
                                     : double(std::numeric_limits<float>::epsilon());
  }
  /// The lower bound of v, a normal number of T.
  double least_square() const {
    return std::max(eps1() * eps1(), double(std::numeric_limits<T>::min()));
  }

  /// The root mean square of the elements, in double.
  static double rms(const Tensor<T, N>& x) {
    const Tensor<T> plain = x.evaluate().contiguous();
    const std::int64_t count = plain.numel();
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
      sum += double(plain.data()[i]) * double(plain.data()[i]);
    return count == 0 ? 0 : std::sqrt(sum / double(count));
  }

  static void move_towards(const Tensor<T, N>& mean, const Tensor<T, N>& value, double part) {
    mul_(mean, 1 - part);
    add_(mean, mul(value, part));
  }

  /// Updates the states with the squares of the gradients and returns v.
  Tensor<T, N> second_moment(typename Base::State& state, const Tensor<T, N>& squares,
                             double part) const {
    if (squares.dim() < 2) {
      const Tensor<T, N>& v = Base::zeros_like(state, "v", squares);
      move_towards(v, squares, part);
      return v;
    }
    const Tensor<T, N>& row = Base::zeros(state, "row", row_shape(squares.shape()));
    const Tensor<T, N>& column = Base::zeros(state, "column", column_shape(squares.shape()));
    move_towards(row, mean(squares, {-1}, true), part);
    move_towards(column, mean(squares, {-2}, true), part);
    return mul(div(row, maximum(mean(row, {-2}, true), least_square())), column);
  }

  void update(const ParameterGroup<T, N>& group, const Tensor<T, N>& p, const Tensor<T, 1>& grad,
              typename Base::State& state, std::int64_t step) override {
    const Tensor<T, N> g = Base::widened(grad);
    const double part = std::pow(double(step), options_.beta2_decay);
    const Tensor<T, N> v = second_moment(state, square(g), part);
    const Tensor<T, N> update = div(g, sqrt(maximum(v, least_square())));
    double alpha = group.lr;
    if (options_.relative_step)
      alpha = std::max(options_.eps2, rms(p)) * std::min(alpha, 1 / std::sqrt(double(step)));
    if (group.weight_decay != 0) sub_(p, mul(p, group.lr * group.weight_decay));
    sub_(p, mul(update, alpha / std::max(1.0, rms(update) / options_.d)));
  }

  AdafactorOptions options_;
};

}  // namespace mct::optim
